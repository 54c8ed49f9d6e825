// Plays the first part of the demo in a real terminal and draws what stands on its screen: docs/pictures/shell.svg.
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { spawn } from "@lydell/node-pty";
import xterm, { type IBufferCell } from "@xterm/headless";

const columns = 92;
const rows = 34;
const cell = { width: 8.4, height: 18 };
const margin = 16;
const colors = { back: "#14161b", text: "#d7dae0", dim: "#858b98" };
/** The colours that the shell uses, by their number. */
const palette: Readonly<Record<number, string>> = { 1: "#ff7b72", 2: "#7ee787", 3: "#e3b341", 6: "#79c0ff" };

const root = join(import.meta.dirname, "..");
const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
const env = { ...process.env, TERM: "xterm-256color", LANG: "C.UTF-8", TMPDIR: tmpdir() };
const program = [join(root, "packages", "assent", "bin", "assent.cjs"), "demo"];
const pty = spawn(process.execPath, program, { cols: columns, rows, cwd: root, env });
pty.onData((part) => terminal.write(part));

function screen(): string {
  const { active } = terminal.buffer;
  return Array.from({ length: rows }, (_, row) => active.getLine(active.baseY + row)?.translateToString(true)).join(
    "\n",
  );
}

async function until(text: string): Promise<void> {
  for (let tries = 0; !screen().includes(text); tries += 1) {
    if (tries > 400) throw new Error(`expected ${JSON.stringify(text)} on the screen, found:\n${screen()}`);
    await wait(50);
  }
  // An answer counts only after a moment of quiet.
  await wait(400);
}

await until("clean the build");
pty.write("\r");
await until("2) Only that it is done");
pty.write("1\r");
await until("5) Always for me");
pty.write("yes\r");
await until("2 of 4");
const picture = draw();
pty.write("\x15\x04");
await wait(500);
pty.kill();

const folder = join(root, "docs", "pictures");
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "shell.svg"), picture);
process.stdout.write("docs/pictures/shell.svg\n");

function draw(): string {
  const { active } = terminal.buffer;
  const lines = Array.from({ length: rows }, (_, row) => lineOf(active.baseY + row, row));
  const width = columns * cell.width + 2 * margin;
  const height = rows * cell.height + 2 * margin;
  const font = `font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="The shell of Assent: a question, an approval and its command">`,
    `<rect width="${width}" height="${height}" rx="8" fill="${colors.back}"/>`,
    `<g ${font} fill="${colors.text}" xml:space="preserve">`,
    ...lines,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

/** Neighbours that look the same are one piece; each piece has its own place, whatever the font. */
function lineOf(line: number, row: number): string {
  const found = terminal.buffer.active.getLine(line);
  const pieces: { x: number; text: string; style: string }[] = [];
  for (let x = 0; found !== undefined && x < columns; x += 1) {
    const at = found.getCell(x);
    if (at === undefined || at.getWidth() === 0) continue;
    const [text, style] = [at.getChars() || " ", styleOf(at)];
    const last = pieces.at(-1);
    if (last !== undefined && last.style === style && last.x + last.text.length === x) last.text += text;
    else pieces.push({ x, text, style });
  }
  const y = margin + row * cell.height + 13;
  const seen = pieces.filter(({ text }) => text.trim() !== "");
  return seen
    .map(({ x, text, style }) => {
      const shown = text.trim();
      const left = x + text.length - text.trimStart().length;
      const place = `x="${(margin + left * cell.width).toFixed(1)}" y="${y}" textLength="${(shown.length * cell.width).toFixed(1)}"`;
      return `<text ${place}${style}>${escaped(shown)}</text>`;
    })
    .join("");
}

function styleOf(at: IBufferCell): string {
  const color = at.isFgPalette() ? palette[at.getFgColor()] : undefined;
  const fill = at.isDim() ? colors.dim : color;
  const weight = at.isBold() ? ' font-weight="bold"' : "";
  return `${fill === undefined ? "" : ` fill="${fill}"`}${weight}`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
