import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { jsonLines, Place } from "./product.ts";

const flood = { calls: [{ tool: "terminal", arguments: { command: "seq 1 100000" } }] };

function allBytes(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, "latin1"))
    .join("\n");
}

verifies("TERM-3c", "a session that is deleted leaves neither events nor outputs", () => {
  const place = new Place([flood, { text: "Counted unmistakably." }]);
  const cache = join(place.folder, "cache");
  const caching = (...argv: string[]) => place.assent(argv, "", ["env", `XDG_CACHE_HOME=${cache}`]);
  expect(caching("run", "count", "--json").status).toBe(0);
  const [listed] = jsonLines<{ session: string }>(caching("sessions", "--json").stdout);
  const session = listed?.session ?? "";
  expect(allBytes(cache)).toContain("99999\n100000");
  expect(allBytes(place.home)).toContain("unmistakably");
  expect(caching("sessions", "delete", session)).toMatchObject({
    status: 0,
    stderr: `assent: session ${session} is deleted\n`,
  });
  expect(allBytes(cache)).toBe("");
  expect(allBytes(place.home)).not.toContain("unmistakably");
  expect(caching("sessions", "delete", session).status).toBe(2);
});

test("a session that a process works on is not deleted, nor does an agent delete one", async () => {
  const place = new Place([{ calls: [{ tool: "terminal", arguments: { command: "sleep 60" } }] }, { text: "Late." }]);
  const run = place.start(["run", "wait", "--json"]);
  await run.shows('"call.started"');
  const [listed] = jsonLines<{ session: string }>(place.assent(["sessions", "--json"]).stdout);
  const session = listed?.session ?? "";
  expect(place.assent(["sessions", "delete", session])).toMatchObject({
    status: 3,
    stderr: expect.stringContaining("stop it first"),
  });
  process.kill(await place.holder(), "SIGTERM");
  await run.ended;
  expect(place.assent(["sessions", "delete", session], "", ["env", "ASSENT_RUN=x/y"]).status).toBe(3);
  expect(place.assent(["sessions", "delete", session]).status).toBe(0);
});
