import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { type Scripted, terminal } from "./product.ts";
import { pasted, ShellPlace, type ShellWindow } from "./shell-window.ts";

const done: Scripted = { text: "Done." };

/** A megabyte of lines of which no two are the same, with all that a paste may hold. */
function manyLines(): string {
  const lines: string[] = [];
  for (let bytes = 0; bytes < 1_048_576; bytes += Buffer.byteLength(lines.at(-1) ?? "") + 1) {
    lines.push(`${lines.length}: \tstop, 1, /help, !ls, émoji 👩‍👩‍👧, "${"x".repeat(lines.length % 90)}"`);
  }
  return lines.join("\n");
}

verifies("ANS-0c", "a paste of a megabyte arrives whole as one prompt, whatever stands in it", async () => {
  const place = new ShellPlace([done]);
  const window = place.window();
  await window.idle();
  const text = manyLines();
  const lines = text.split("\n").length;
  window.type(pasted(text.replaceAll("\n", "\r")));
  await window.untilRow(`❯ [pasted ${String(lines).replace(/\B(?=(?:\d{3})+$)/g, ",")} lines]`);
  window.type("\r");
  await window.until("● Done.");
  const [started, ...more] = place.eventsOf("exchange.started");
  expect(more).toEqual([]);
  expect(started?.prompt === text).toBe(true);
});

verifies(
  "ANS-0c",
  "what is pasted is seen before it is sent, its line ends are its own, and nothing in it is obeyed",
  async () => {
    const place = new ShellPlace([done]);
    const window = place.window();
    await window.idle();
    window.type(pasted("first\rsecond \x1b[31mred\x07"));
    await window.until(/second .*\[31mred/);
    expect(place.eventsOf("exchange.started")).toEqual([]);
    expect(window.bytes.includes("\x1b[31mred")).toBe(false);
    window.type("\r");
    await window.until("● Done.");
    expect(place.eventsOf("exchange.started").map(({ prompt }) => prompt)).toEqual(["first\nsecond \x1b[31mred\x07"]);
  },
);

const steps = 40;

type Sizes = readonly (readonly [columns: number, rows: number])[];

/**
 * A window that is given these sizes, one after the other, while the model says and does something forty times. `settled`: the
 * command goes on when the size has been heard of. Otherwise what was drawn for the old size may come after the change.
 */
async function resized(sizes: Sizes, settled: boolean): Promise<ShellWindow> {
  const replies = Array.from({ length: steps }, (_, step): Scripted => {
    const waits = settled && step % 2 === 0 ? `until [ -e go-${step} ]; do sleep 0.02; done` : "sleep 0.03";
    return { ...terminal(`echo out ${step}; ${waits}`, `call_${step}`), text: `step ${step}` };
  });
  const place = new ShellPlace([...replies, done]);
  const window = place.window(["--max-turns", "1000"]);
  await window.idle();
  window.enter("go");
  for (let step = 0; step < steps; step += 2) {
    await window.until(new RegExp(settled ? `^│ out ${step}$` : `^● step ${step}$`, "m"));
    const [columns, rows] = sizes[(step / 2) % sizes.length] ?? [100, 30];
    const before = window.bytes.length;
    window.resize(columns, rows);
    if (!settled) continue;
    await window.when("all is drawn anew", () => window.bytes.subarray(before).includes("\x1b[J"));
    writeFileSync(join(place.folder, `go-${step}`), "");
  }
  await window.until("● Done.");
  // A copy that is left can look as if something were under way.
  if (settled) await window.idle();
  return window;
}

/** What was printed, in its order. */
function printed(window: ShellWindow): readonly string[] {
  return window.lines().filter((line) => /^(?:● step|│ out) /.test(line));
}

const expected = Array.from({ length: steps }, (_, step) => [`● step ${step}`, `│ out ${step}`]).flat();

const sizes = [
  ...([
    [60, 30],
    [60, 12],
    [140, 12],
    [140, 40],
  ] as const),
  ...([
    [25, 40],
    [25, 8],
    [100, 8],
    [100, 30],
  ] as const),
];

verifies("PROG-1", "a window that changes its size again and again loses no line and shows none twice", async () => {
  const window = await resized(sizes, true);
  expect(printed(window)).toEqual(expected);
  expect(window.count(/^❯ go$/m)).toBe(1);
  // No copy of what stood at the bottom is left above.
  expect(window.count(/ s · Ctrl-C stops/)).toBe(0);
});

// What was drawn before the change was heard of may be left above as a copy: nobody could know where it went.
verifies("PROG-1", "a window that changes its size while much is printed loses no line", async () => {
  const window = await resized(sizes, false);
  expect([...new Set(printed(window))]).toEqual(expected);
  expect(window.count(/^❯ go$/m)).toBe(1);
});

verifies("PROG-1", "a window that changes its width and height at once loses no line", async () => {
  const both = [
    [60, 20],
    [37, 12],
    [140, 40],
    [25, 8],
    [100, 30],
  ] as const;
  const window = await resized(both, false);
  expect([...new Set(printed(window))]).toEqual(expected);
});
