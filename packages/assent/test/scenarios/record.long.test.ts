import { expect, test } from "vitest";
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
