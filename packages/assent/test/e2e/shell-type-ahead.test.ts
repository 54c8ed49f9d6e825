import { setTimeout as moment } from "node:timers/promises";
import { expect } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { counting, type Scripted, terminal } from "./product.ts";
import { ctrlC, pasted, ShellPlace, type ShellWindow } from "./shell-window.ts";

/** `npm run campaign type-ahead` makes more of them. */
const trials = Number(process.env["TYPE_AHEAD"] ?? "40");
/** One session sees so many. */
const perSession = 20;
/** How long the model takes, so that there is a time before the question. */
const thinkingMs = 90;
/** A question takes answers after a quarter of a second of quiet; what is typed in most of that is typed ahead. */
const earlyMs = 220;

type Opened = { readonly place: ShellPlace; readonly window: ShellWindow };

/** Exchanges in each of which a command is asked about, and nothing more. */
async function opened(exchanges: number): Promise<Opened> {
  const replies = Array.from({ length: exchanges }, (_, index): readonly Scripted[] => [
    { ...terminal(counting, `call_${index}`), delay_ms: thinkingMs },
    { text: `Exchange ${index} is over.` },
  ]);
  const place = new ShellPlace(replies.flat());
  const window = place.window(["--max-turns", "1000"]);
  await window.idle();
  return { place, window };
}

/** The same text as lines, as lines of another keyboard, as a paste and key by key. */
const ways: readonly ((window: ShellWindow) => void)[] = [
  (window) => window.type("1\r1\r1\r"),
  (window) => window.type("1\n1\n1\n"),
  (window) => window.type(pasted("1\n1\n1\n")),
  (window) => {
    for (const key of "1\r1\r1\r") window.type(key);
  },
];

/** What of the three lines is in the line now, after all that was printed. */
function inLine(window: ShellWindow, after: string): number {
  const lines = window.lines();
  return lines.slice(lines.lastIndexOf(after) + 1).filter((line) => /^[❯┊ ]*1$/.test(line)).length;
}

function taken(place: ShellPlace): number {
  return place.eventsOf("steering.received").length + place.eventsOf("prompt.queued").length;
}

type Ahead = { readonly index: number; readonly lines: number; readonly before: number };

/** The open question has no answer; no is given, and what was typed ahead must be there. */
async function refuse({ place, window }: Opened, { index, lines, before }: Ahead): Promise<void> {
  await window.until("Approve command: ", index + 1);
  await window.armed();
  expect(place.eventsOf("interaction.resolved")).toHaveLength(index);
  expect(place.eventsOf("interaction.rejected")).toEqual([]);
  // What was sent while the model was at work goes with its next turn, as anything that is typed then (SEL-11).
  const kept = lines - (taken(place) - before);
  window.enter("no");
  const over = `● Exchange ${index} is over.`;
  await window.until(over);
  await window.when(`${kept} lines are kept`, () => inLine(window, over) === kept);
  if (kept > 0) window.type(ctrlC);
  await window.idle();
  expect(place.read("count")).toBe("");
}

/** As below; a failure names the moment. */
async function named(session: Opened, moment: { index: number; at: number }): Promise<boolean> {
  try {
    return await trial(session, moment);
  } catch (cause) {
    const way = moment.index % ways.length;
    throw new Error(`typed ahead in exchange ${moment.index}, after ${moment.at} ms, in way ${way}`, { cause });
  }
}

/** Types ahead at one moment; whether it was in time to be so. */
async function trial(session: Opened, { index, at }: { index: number; at: number }): Promise<boolean> {
  const { place, window } = session;
  const before = taken(place);
  const began = performance.now();
  window.enter(`go ${index}`);
  if (at > 0) await moment(at);
  const isEarly = performance.now() - began < thinkingMs + earlyMs;
  if (isEarly) ways[index % ways.length]?.(window);
  await refuse(session, { index, lines: isEarly ? 3 : 0, before });
  return isEarly;
}

verifies(
  "ANS-6",
  `of ${trials} times that 1 is typed ahead of an approval, none answers it, and nothing typed is lost`,
  async () => {
    let early = 0;
    for (let played = 0; early < trials && played < 2 * trials; ) {
      const session = await opened(perSession);
      for (let index = 0; index < perSession && early < trials; index++, played++) {
        // The moments go through all of the time in an order of their own; some are at once.
        const at = Math.max(0, ((played * 37) % (thinkingMs + earlyMs)) - 20);
        early += Number(await named(session, { index, at }));
      }
      session.window.kill();
      await session.window.ended;
    }
    expect(early).toBe(trials);
  },
  60_000 + trials * 4_000,
);

verifies("ANS-6", "a paste that begins before an approval and ends in it answers nothing and is kept", async () => {
  const session = await opened(2);
  const { window } = session;
  for (const [index, late] of [0, 400].entries()) {
    window.enter("go");
    window.type("\x1b[200~1\n1\n");
    await window.until("Approve command: ", index + 1);
    // The second time the rest comes when, but for the paste, an answer would be expected.
    await moment(late);
    window.type("1\n\x1b[201~");
    await refuse(session, { index, lines: 3, before: 0 });
  }
});

verifies("ANS-6", "keys that came while the process stood still answer nothing, however long that was", async () => {
  const session = await opened(1);
  const { place, window } = session;
  window.enter("go");
  await window.until("Approve command: ");
  process.kill(window.pid, "SIGSTOP");
  window.type("1\r1\r1\r");
  await moment(600);
  process.kill(window.pid, "SIGCONT");
  await window.when("the lines are there", () => window.lines().filter((line) => /^[❯┊ ]*1$/.test(line)).length === 3);
  await window.armed();
  expect(place.eventsOf("interaction.resolved")).toEqual([]);
  window.enter("no");
  await window.until("● Exchange 0 is over.");
  expect(place.read("count")).toBe("");
});
