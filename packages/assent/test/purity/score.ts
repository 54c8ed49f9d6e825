// How well soft offers are found in labelled texts (TXT-5): npm run purity [built-on|held-out|<file.jsonl>] [--wrong]
import { basename } from "node:path";
import { figuresOf, type Judged, readPart, readTexts } from "./figures.ts";

const args = process.argv.slice(2);
const wanted = args.find((arg) => !arg.startsWith("--")) ?? "held-out";
const shows = args.includes("--wrong");

if (shows && basename(wanted).includes("held-out")) {
  // Who has seen what it gets wrong there builds on it, and then it measures nothing.
  process.stderr.write("--wrong is refused for what the detector must not be built on\n");
  process.exit(2);
}
const parts = wanted.endsWith(".jsonl") ? new Map([[wanted, readTexts(wanted)]]) : readPart(wanted);
if (parts.size === 0) {
  process.stderr.write(`expected built-on, held-out or a file of JSON lines, found ${JSON.stringify(wanted)}\n`);
  process.exit(2);
}
for (const [name, texts] of parts) {
  report(name, texts);
  if (shows) for (const text of texts) showIfWrong(text);
}
if (parts.size > 1) report("all", [...parts.values()].flat());

function report(name: string, judged: readonly Judged[]): void {
  const { texts, offers, precision, recall, alarms } = figuresOf(judged);
  const figures = [
    `${texts} texts, ${offers} of them soft offers`,
    `precision ${precision.toFixed(3)}`,
    `recall ${recall.toFixed(3)}`,
    `false alarms per ordinary answer ${alarms.toFixed(3)}`,
  ];
  process.stdout.write(`${name}: ${figures.join(", ")}\n`);
}

function showIfWrong({ text, soft_offer, kind, found }: Judged): void {
  if (soft_offer === (found !== null)) return;
  const what = found === null ? `missed (${kind})` : `false alarm (${kind}) ${found.rule}: ${found.part}`;
  process.stdout.write(`  ${what}\n    ${text.replaceAll("\n", "⏎")}\n`);
}
