import { expect, test } from "vitest";
import type { SessionEvent } from "../../src/core/index.ts";
import { difference, playScenario, readScenario, recordScenario } from "../../src/scenarios/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { simulate } from "../simulation/simulate.ts";
import { scenariosIn } from "./files.ts";
import { eventsOf, recorded } from "./recording.ts";

const folders = ["commands", "tool-selection", "approval", "flows", "stop", "limits", "outage", "overflow", "steering"];
/** Nothing of them is recorded. */
const empty = ["commands/bang-alone.txt", "commands/unknown.txt"];

test.each([...folders, "english"])(
  "a session that was played (%s) makes a scenario that does the same",
  async (folder) => {
    for (const { file, text } of scenariosIn(folder)) {
      const events = await eventsOf(text);
      for (const session of new Set(events.map((each) => each.session))) {
        const made = await recorded(events.filter((each) => each.session === session));
        if (empty.includes(file)) expect(made).toBe("nothing was typed in it");
        else expect(made).toMatch(/^# Session s1/u);
      }
    }
  },
);

/** A call that asks while it runs is left out; and a model that replies though it was told to stop is none of a play. */
const unlike = (event: SessionEvent): boolean =>
  (event.type === "flow.started" && event.flow !== undefined) ||
  (event.type === "stop.requested" && event.mode === "kill");

verifies(
  "SCEN-3",
  "whatever people and a model did in a session, it makes a scenario that holds",
  async () => {
    let same = 0;
    for (let seed = 1; seed <= 140; seed++) {
      const { events } = await simulate(seed, []);
      const made = await recordScenario(
        "s",
        events.map((event, index) => ({ seq: index + 1, session: "s", event })),
      );
      if (made.type === "unrecordable") throw new Error(`seed ${seed}: ${made.reason}`);
      const read = readScenario("made.txt", made.text);
      if (read.type === "malformed") throw new Error(`seed ${seed}: ${read.reason}`);
      const { came } = await playScenario(read.scenario);
      expect({ seed, differs: difference(read.scenario.expected, came) }).toEqual({ seed, differs: null });
      if (events.some(unlike)) continue;
      same += 1;
      expect({ seed, differs: made.differs }).toEqual({ seed, differs: null });
    }
    expect(same).toBeGreaterThan(40);
  },
  120_000,
);
