import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { counting, jsonLines, needsTerminal, noTerminal, Place, type Scripted, terminal, until } from "./product.ts";

const script: readonly Scripted[] = [terminal(counting, "call_original"), { text: "Counted." }];

/** A run that stands at its approval, on a terminal of its own. */
async function asking(place: Place, ...flags: readonly string[]) {
  const run = place.startInTerminal(["run", ...flags, "count it"]);
  await run.shows("2) No");
  return { run, id: await place.question() };
}

async function killHolder(place: Place): Promise<void> {
  const pid = await place.holder();
  process.kill(pid, "SIGKILL");
  await until("the process is gone", () => (place.sessions()[0]?.holder == null ? true : undefined));
}

describe.skipIf(noTerminal)(`an approval that is open when its process is killed${needsTerminal}`, () => {
  verifies(
    ["INT-7", "INT-5a"],
    "is still there with the same id, and the yes to it runs the command exactly once",
    async () => {
      const place = new Place(script);
      const { id } = await asking(place);
      await killHolder(place);
      expect(place.pending().map(({ request }) => request.interaction_id)).toEqual([id]);
      expect(place.assent(["answer", id, "1"])).toMatchObject({ status: 0, stdout: "" });
      expect(place.read("count")).toBe("");
      const session = place.sessions()[0]?.session ?? "";
      expect(place.assent(["resume", session])).toMatchObject({ status: 0, stdout: "Counted.\n" });
      expect(place.read("count")).toBe("x\n");
      expect(place.assent(["resume", session]).status).toBe(0);
      expect(place.read("count")).toBe("x\n");
      const [first, second, ...more] = place.requests();
      expect({ first: first?.number, second: second?.number, more }).toEqual({ first: 1, second: 2, more: [] });
      expect(second?.request.messages.at(-1)).toMatchObject({ role: "tool", original: "call_original", failed: false });
    },
  );

  verifies("INT-7", "and is answered with no never runs, and the model is told why", async () => {
    const place = new Place(script);
    const { id } = await asking(place);
    await killHolder(place);
    expect(place.assent(["answer", id, "not on a Sunday"]).status).toBe(0);
    expect(place.assent(["resume", id.split("-")[0] ?? ""]).status).toBe(3);
    expect(place.read("count")).toBe("");
    const result = place.requests()[1]?.request.messages.at(-1);
    expect(result).toMatchObject({ role: "tool", original: "call_original", text: "not approved: not on a Sunday" });
    expect(place.requests()).toHaveLength(2);
  });

  verifies(["INT-7", "INT-8b"], "and expires while nothing runs is refused, and no late yes counts", async () => {
    const place = new Place(script);
    const { id } = await asking(place, "--expire", "6");
    await killHolder(place);
    await until("the question is no longer open", () => (place.pending().length === 0 ? true : undefined));
    expect(place.assent(["answer", id, "1"])).toMatchObject({ status: 3 });
    expect(place.assent(["resume", id.split("-")[0] ?? ""]).status).toBe(3);
    expect(place.read("count")).toBe("");
    expect(place.requests()[1]?.request.messages.at(-1)).toMatchObject({ text: "not approved: expired" });
  });

  verifies("INT-7", "and whose next three processes are killed too still runs its command once", async () => {
    const place = new Place(script);
    const { id } = await asking(place);
    await killHolder(place);
    const session = id.split("-")[0] ?? "";
    for (let restart = 0; restart < 3; restart++) {
      const again = place.startInTerminal(["resume", session]);
      await again.shows("2) No");
      expect(await place.question()).toBe(id);
      await killHolder(place);
    }
    const last = place.startInTerminal(["resume", session]);
    await last.shows("2) No");
    await last.answer("1");
    expect(await last.ended).toBe(0);
    expect(place.read("count")).toBe("x\n");
    expect(place.requests()).toHaveLength(2);
  });
});

describe.skipIf(noTerminal)(`several processes on one session${needsTerminal}`, () => {
  verifies(
    ["SESS-4c", "SESS-4e"],
    "an answer from another one lets the run go on; its prompt closes and names the winner",
    async () => {
      const place = new Place(script);
      const { run, id } = await asking(place);
      expect(await place.holder()).toBeGreaterThan(0);
      expect(place.assent(["answer", id, "yes"])).toEqual({
        ...{ status: 0, stdout: "" },
        stderr: expect.stringMatching(/^assent: answered by \S+ in answer: yes\n$/),
      });
      expect(await run.ended).toBe(0);
      expect(place.sessions()[0]?.holder).toBeNull();
      expect(run.output).toMatch(/answered by \S+ in answer: yes/);
      expect(run.output).toContain("Counted.");
      expect(place.read("count")).toBe("x\n");
    },
  );

  verifies(
    "SESS-4d",
    "of two that resume, one works and the other watches, and takes over when it is killed",
    async () => {
      const place = new Place(script);
      const { id } = await asking(place);
      await killHolder(place);
      const session = id.split("-")[0] ?? "";
      const first = place.startInTerminal(["resume", session]);
      await first.shows("2) No");
      const second = place.startInTerminal(["resume", session]);
      await second.shows("watching");
      await second.shows("2) No");
      const working = await place.holder();
      process.kill(working, "SIGKILL");
      await until("the other holds it", () => (place.sessions()[0]?.holder?.pid ?? working) !== working || undefined);
      await second.answer("1");
      expect(await second.ended).toBe(0);
      expect(place.read("count")).toBe("x\n");
      expect(place.requests()).toHaveLength(2);
    },
  );

  verifies(
    "SESS-4d",
    "one that only watches shows the end of the work, with its code, and has done nothing",
    async () => {
      const place = new Place(script);
      const { run, id } = await asking(place);
      const watching = place.startInTerminal(["resume", id.split("-")[0] ?? ""]);
      await watching.shows("2) No");
      await watching.answer("1");
      expect(await watching.ended).toBe(0);
      expect(await run.ended).toBe(0);
      expect(run.output).toContain("Counted.");
      expect(watching.output).toContain("Counted.");
      expect(place.read("count")).toBe("x\n");
      expect(place.requests()).toHaveLength(2);
    },
  );
});

verifies("LIM-3c", "killed in turn 13 it goes on with turn 13, and counts on", async () => {
  const turns = Array.from(
    { length: 20 },
    (_, index): Scripted => ({
      ...terminal(`echo turn ${index + 1}`),
      ...(index === 12 ? { delay_ms: 60_000 } : {}),
    }),
  );
  const place = new Place([...turns, { text: "Twenty." }]);
  place.start(["run", "go"]);
  await until("request 13 is out", () => (place.requests().length === 13 ? true : undefined));
  await killHolder(place);
  const quick = place.file("quick.jsonl");
  writeFileSync(
    quick,
    [...turns, { text: "Twenty." }].map(({ delay_ms: _, ...reply }) => JSON.stringify(reply)).join("\n"),
  );
  const { session = "" } = place.sessions()[0] ?? {};
  const resumed = place.assent(["resume", "--json", "--model", `scripted:${quick}`, session]);
  expect(resumed.status).toBe(0);
  expect(
    place
      .requests()
      .map(({ number }) => number)
      .slice(11, 15),
  ).toEqual([12, 13, 13, 14]);
  const closed = jsonLines<{ type: string; turn?: number }>(resumed.stdout).filter(
    ({ type }) => type === "turn.closed",
  );
  expect(closed.map(({ turn }) => turn)).toEqual([12, 13, 14, 15, 16, 17, 18, 19, 20, 21]);
});

test("a command that ran when its process was killed is told as unknown, once, and is not run again", async () => {
  const place = new Place([terminal("echo x >> count; sleep 8"), { text: "I do not know." }]);
  place.start(["run", "count"]);
  await until("the command runs", () => (place.read("count") === "x\n" ? true : undefined));
  const { session = "" } = place.sessions()[0] ?? {};
  await killHolder(place);
  const { status, stdout, stderr } = place.assent(["resume", session]);
  expect({ status, stdout }).toEqual({ status: 0, stdout: "I do not know.\n" });
  expect(stderr.match(/outcome unknown: \$ echo x >> count; sleep 8\n/g)).toHaveLength(1);
  expect(place.read("count")).toBe("x\n");
  expect(place.requests()[1]?.request.messages.at(-1)?.text).toMatch(/^outcome unknown/);
});
