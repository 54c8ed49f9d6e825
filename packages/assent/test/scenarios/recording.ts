import { expect } from "vitest";
import { difference, playScenario, readScenario, recordScenario } from "../../src/scenarios/index.ts";
import type { RecordedEvent } from "../../src/wire/index.ts";

/** What a play of it records. */
export async function eventsOf(text: string): Promise<readonly RecordedEvent[]> {
  const read = readScenario("test.txt", text);
  if (read.type === "malformed") throw new Error(read.reason);
  return (await playScenario(read.scenario)).recorded;
}

/** The scenario that a recorded session makes, once it was seen to hold; or why it makes none. */
export async function recorded(events: readonly RecordedEvent[]): Promise<string> {
  const made = await recordScenario("s1", events);
  if (made.type === "unrecordable") return made.reason;
  expect(made.differs).toBeNull();
  const read = readScenario("made.txt", made.text);
  if (read.type === "malformed") throw new Error(read.reason);
  expect(difference(read.scenario.expected, (await playScenario(read.scenario)).came)).toBeNull();
  return made.text;
}
