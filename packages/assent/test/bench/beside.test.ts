import { expect, test } from "vitest";
import { resultsPage } from "../../../../bench/beside/page.ts";
import { readResults } from "../../../../bench/beside/results.ts";

const run = (peer: string, scenario: string, when: string, cpuMs: number) =>
  JSON.stringify({ peer, scenario, when: `${when}T10:00:00Z`, ok: true, cpuMs });

test("of each peer and scenario the runs of its last day count, whenever the others were measured", () => {
  const lines = [
    run("assent", "loop25", "2026-11-01", 1),
    run("assent", "loop25", "2026-11-03", 2),
    run("assent", "loop25", "2026-11-03", 3),
    run("assent", "loop200", "2026-11-01", 4),
    run("other", "loop25", "2026-11-02", 5),
    JSON.stringify({ peer: "other", scenario: "size", bytes: 6 }),
  ];
  const results = readResults(`${lines.join("\n")}\n`);
  expect(results.runs.flatMap(({ cpuMs = [] }) => cpuMs)).toEqual([2, 3, 4, 5]);
  expect(results.runs.some(({ scenario }) => scenario === "size")).toBe(true);
  expect(results).toMatchObject({ peers: ["assent", "other"], date: "2026-11-01 to 2026-11-03" });
  expect(readResults(lines[0] ?? "").date).toBe("2026-11-01");
});

test("no heading claims for Assent alone what stands below it of others", () => {
  expect(resultsPage(readResults(""), "a machine")).not.toMatch(/only Assent/i);
});
