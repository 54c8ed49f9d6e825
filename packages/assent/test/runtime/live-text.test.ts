import { expect, test } from "vitest";
import { liveText } from "../../src/runtime/live-text.ts";
import { openRedacting } from "../../src/runtime/redaction.ts";
import { VirtualClock } from "../simulation/virtual-clock.ts";

const token = "ghp_A1b2C3d4E5f6G7h8I9j0";

function open(hidden: readonly string[]) {
  const clock = new VirtualClock();
  const shown: string[] = [];
  const live = liveText(
    openRedacting(() => hidden).texts(() => []),
    clock,
    (text) => shown.push(text),
  );
  const pass = (ms: number) => {
    const end = clock.now() + ms;
    while (clock.advanceTo(end));
  };
  return { live, shown, pass };
}

test("what comes is shown at once, and a value in it is not", () => {
  const { live, shown } = open([token]);
  live.add(`a ${token.slice(0, 8)}`);
  live.add(`${token.slice(8)} b`);
  live.end();
  expect(shown).toEqual(["a ", "[secret] b"]);
});

test("an end that is too short to be a value is shown after a while", () => {
  const { live, shown, pass } = open([token]);
  live.add("loading");
  pass(99);
  expect(shown).toEqual(["loadin"]);
  pass(1);
  live.add(`. ${token.slice(0, 4)}`);
  pass(1_000);
  expect(shown).toEqual(["loadin", "g", ". "]);
  live.end();
  expect(shown).toEqual(["loadin", "g", ". ", "ghp_"]);
});

test("with nothing to hide, parts are shown as they come", () => {
  const { live, shown } = open([]);
  for (const part of ["g", "h", "", "p"]) live.add(part);
  live.end();
  expect(shown).toEqual(["g", "h", "p"]);
});
