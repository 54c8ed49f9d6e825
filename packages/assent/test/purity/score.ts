// How well the soft-offer detector does on labelled texts (TXT-5):
// node --conditions=source packages/assent/test/purity/score.ts [built-on|held-out|<file.jsonl>] [--wrong]
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { findSoftOffer } from "../../src/core/interaction/purity/index.ts";

type Row = { readonly text: string; readonly soft_offer: boolean; readonly kind: string };
type Judged = Row & { readonly found: ReturnType<typeof findSoftOffer> };

const args = process.argv.slice(2);
const wanted = args.find((arg) => !arg.startsWith("--")) ?? "built-on";
const files = wanted.endsWith(".jsonl")
  ? [wanted]
  : globSync(`*.${wanted}.jsonl`, { cwd: import.meta.dirname })
      .sort()
      .map((name) => join(import.meta.dirname, name));

if (args.includes("--wrong") && files.some((file) => basename(file).includes("held-out"))) {
  // Who has seen what it gets wrong there builds on it, and then it measures nothing.
  process.stderr.write("--wrong is refused for held-out files\n");
  process.exit(2);
}
if (files.length === 0) {
  process.stderr.write(`no files for "${wanted}"\n`);
  process.exit(1);
}

const all: Judged[] = [];
for (const file of files) {
  const rows = judged(file);
  all.push(...rows);
  report(basename(file), rows);
  if (args.includes("--wrong")) for (const row of rows) listIfWrong(row);
}
if (files.length > 1) report("all", all);

function judged(file: string): Judged[] {
  const lines = readFileSync(file, "utf8").split("\n");
  const rows = lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as Row);
  return rows.map((row) => ({ ...row, found: findSoftOffer(row.text) }));
}

function report(name: string, rows: readonly Judged[]): void {
  const positive = rows.filter((row) => row.soft_offer);
  const ordinary = rows.filter((row) => !row.soft_offer);
  const hits = positive.filter((row) => row.found !== null).length;
  const alarms = ordinary.filter((row) => row.found !== null).length;
  const figures = [
    `${rows.length} texts (${positive.length} soft offers)`,
    `precision ${share(hits, hits + alarms)}`,
    `recall ${share(hits, positive.length)}`,
    `false alarms per ordinary answer ${share(alarms, ordinary.length)}`,
  ];
  process.stdout.write(`${name}: ${figures.join(", ")}\n`);
}

function share(part: number, whole: number): string {
  return whole === 0 ? "–" : (part / whole).toFixed(3);
}

function listIfWrong({ text, soft_offer, kind, found }: Judged): void {
  if (soft_offer === (found !== null)) return;
  const what = found === null ? `MISSED (${kind})` : `FALSE ALARM (${kind}) ${found.rule}: ${found.part}`;
  process.stdout.write(`  ${what}\n    ${text.replaceAll("\n", "⏎")}\n`);
}
