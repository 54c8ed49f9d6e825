import { expect } from "vitest";
import { replayed } from "../core/replaying.ts";
import { verifies } from "../requirements/verifies.ts";
import { scenariosIn } from "./files.ts";
import { eventsOf } from "./recording.ts";

const folders = ["commands", "tool-selection", "approval", "flows", "stop", "limits", "outage", "overflow", "steering"];

verifies(
  "SESS-6a",
  "every session of the scenarios is replayed byte for byte",
  async () => {
    for (const { file, text } of [...folders, "english", "russian"].flatMap(scenariosIn)) {
      const recorded = await eventsOf(text);
      for (const session of new Set(recorded.map((each) => each.session))) {
        const events = recorded.filter((each) => each.session === session).map(({ event }) => event);
        const { difference } = replayed(events, session);
        expect({ file, session, difference }).toEqual({ file, session, difference: null });
      }
    }
  },
  60_000,
);
