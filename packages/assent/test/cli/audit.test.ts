import { expect } from "vitest";
import { exportedAudit } from "../../src/cli/audit.ts";
import { verifies } from "../requirements/verifies.ts";
import { acting, asks, Bench, prompt } from "../runtime/bench.ts";

verifies("SESS-5h", "what a live session records while it is exported is neither listed nor stood for", async () => {
  const bench = new Bench(asks, { text: "done" });
  const host = bench.process(1);
  host.create({ cwd: "/work", limits: {} });
  host.submit("s", prompt());
  host.hold("s", { unattended: () => null });
  await bench.pass(0);
  const types = (lines: readonly string[] = []) => lines.map((line) => JSON.parse(line).type);
  const verify: typeof host.verify = (...given) => {
    const checks = host.verify(...given);
    host.submit("s", { type: "reply", interaction: "s-1", line: "1", shown: null, ...acting });
    return checks;
  };
  const live = { verify, view: host.view.bind(host), audit: host.audit.bind(host) };
  expect(types(exportedAudit(live, "s")?.lines)).toEqual(["audit", "verdict", "end"]);
  expect(types(exportedAudit(host, "s")?.lines)).toContain("answer");
  expect(exportedAudit(host, "none")).toBe(null);
});
