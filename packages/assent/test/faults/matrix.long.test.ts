import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { FormatName } from "../../src/testing/index.ts";
import { buildInto } from "../e2e/product.ts";
import { verifies } from "../requirements/verifies.ts";
import { answers } from "./answers.ts";
import { calls } from "./calls.ts";
import { type FaultCase, formats } from "./case.ts";
import { contents } from "./contents.ts";
import { outages } from "./outages.ts";
import { overflows } from "./overflows.ts";
import { play, type Way } from "./play.ts";
import { silences } from "./silences.ts";
import { streams } from "./streams.ts";

const themes: Readonly<Record<string, readonly FaultCase[]>> = {
  "answers that are none": answers,
  silences,
  "broken streams": streams,
  "what providers do not say": contents,
  "requests that do not fit": overflows,
  "bad calls": calls,
  "outages in the middle": outages,
};

const folder = mkdtempSync(join(tmpdir(), "assent-faults-"));
let command = "";

beforeAll(() => {
  command = buildInto(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** `npm run campaign faults` plays every case in every format; without it each is played in one of them, by turns. */
const whole = process.env["FAULTS"] === "all";

/** Of three formats one, by turns, is read by a program and the others by a person; of fewer, one by both. */
function waysOf(wanted: readonly FormatName[], index: number): readonly Way[] {
  const read = index % wanted.length;
  return wanted.flatMap((format, place) => {
    const [person, program] = [
      { format, json: false },
      { format, json: true },
    ];
    if (place !== read) return [person];
    return wanted.length < formats.length ? [person, program] : [program];
  });
}

describe.each(Object.entries(themes))("%s", { concurrent: true }, (_theme, cases) => {
  for (const [index, fault] of cases.entries()) {
    const ways = waysOf(fault.formats ?? formats, index);
    const turn = (index + Math.floor(index / ways.length)) % ways.length;
    for (const way of whole ? ways : ways.slice(turn, turn + 1)) {
      const title = `${fault.title} (${way.format}${way.json ? ", --json" : ""})`;
      verifies(fault.proves, title, async () => expect(await play(command, fault, way)).toEqual([]));
    }
  }
});
