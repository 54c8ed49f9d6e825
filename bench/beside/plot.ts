import { median } from "../median.ts";
import { floor, frameworks, middle, ours, type Results, runsOf } from "./results.ts";

const [width, height] = [720, 400];
const [left, right, top, bottom] = [56, 130, 40, 36];
const colours = [
  "#0b6e4f",
  "#888888",
  "#c1440e",
  "#2a5db0",
  "#8e44ad",
  "#b8860b",
  "#d6336c",
  "#1098ad",
  "#5c940d",
  "#364fc7",
  "#e67700",
  "#495057",
  "#087f5b",
];

export type Line = { readonly name: string; readonly values: readonly number[] };

/** Of each peer turn by turn, the middle of its runs; smoothed over nine turns, for one slow turn says nothing. */
export function linesOf(results: Results, what: "gaps" | "bytes"): readonly Line[] {
  return results.peers.flatMap((name) => {
    const runs = runsOf(results, "loop200", name).filter(({ ok }) => ok);
    const series = runs.map(({ gaps = [], rows = [] }) =>
      what === "gaps" ? gaps : rows.map(([, bytes]) => bytes / 1_000),
    );
    const turns = Math.min(...series.map(({ length }) => length));
    if (runs.length === 0 || turns === 0) return [];
    const values = Array.from({ length: turns }, (_, turn) => median(series.map((each) => each[turn] ?? 0)));
    return [{ name, values: what === "gaps" ? smoothed(values) : values }];
  });
}

function smoothed(values: readonly number[]): readonly number[] {
  return values.map((_, at) => median(values.slice(Math.max(0, at - 4), at + 5)));
}

/** The scale is by powers: the slowest is many times the fastest. */
export function plotLines(title: string, unit: string, lines: readonly Line[]): string {
  const all = lines.flatMap(({ values }) => values).filter((value) => value > 0);
  const [low, high] = [Math.log10(Math.min(...all)), Math.log10(Math.max(...all))];
  const y = (value: number) => top + ((high - Math.log10(value)) / (high - low || 1)) * (height - top - bottom);
  const turns = Math.max(...lines.map(({ values }) => values.length));
  const x = (turn: number) => left + (turn / (turns - 1)) * (width - left - right);
  const ticks = [1, 2, 5].flatMap((step) => [0.1, 1, 10, 100, 1_000, 10_000].map((power) => step * power));
  const grid = ticks
    .filter((tick) => Math.log10(tick) >= low && Math.log10(tick) <= high)
    .map((tick) => `${rule(y(tick))}<text x="${left - 6}" y="${round(y(tick) + 4)}" text-anchor="end">${tick}</text>`);
  const below = [1, 50, 100, 150, turns].map(
    (turn) => `<text x="${round(x(turn - 1))}" y="${height - bottom + 18}" text-anchor="middle">${turn}</text>`,
  );
  const labels = spread(lines.map(({ values }) => y(values.at(-1) ?? 1)));
  const drawn = lines.map(({ name, values }, index) => {
    const path = values.map((value, turn) => `${turn === 0 ? "M" : "L"}${round(x(turn))} ${round(y(value))}`).join("");
    const [colour, thick] = [colourOf(index), name === ours ? 3 : 1.2];
    const dashes = name === floor ? ' stroke-dasharray="5 4"' : "";
    const label = `<text x="${width - right + 8}" y="${round((labels[index] ?? 0) + 4)}" fill="${colour}">${name}</text>`;
    return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="${thick}"${dashes}/>${label}`;
  });
  return picture(`${title} (${unit})`, [...grid, ...below, ...drawn]);
}

export function plotBars(title: string, unit: string, results: Results): string {
  const bars = results.peers
    .map((name) => ({ name, value: middle(results, ["loop200", name], ({ peakRss = 0 }) => peakRss / 1e6) ?? 0 }))
    .filter(({ value }) => value > 0)
    .toSorted((one, other) => one.value - other.value);
  const most = Math.max(...bars.map(({ value }) => value));
  const step = (height - top - 10) / bars.length;
  const drawn = bars.map(({ name, value }, index) => {
    const [at, long] = [top + index * step, (value / most) * (width - 250)];
    const colour = name === ours ? colourOf(0) : frameworks.includes(name) || name === floor ? "#aaaaaa" : "#6b8cae";
    const bar = `<rect x="110" y="${round(at)}" width="${round(long)}" height="${round(step - 6)}" fill="${colour}"/>`;
    const middle = round(at + step / 2 + 1);
    const value_ = `<text x="${round(116 + long)}" y="${middle}">${Math.round(value)}</text>`;
    return `<text x="104" y="${middle}" text-anchor="end">${name}</text>${bar}${value_}`;
  });
  return picture(`${title} (${unit})`, drawn);
}

function picture(title: string, parts: readonly string[]): string {
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}" font-family="sans-serif" font-size="12">`;
  const ground = `<rect width="${width}" height="${height}" fill="#ffffff"/><text x="${left}" y="22" font-size="15">${title}</text>`;
  return `${head}\n${ground}\n${parts.join("\n")}\n</svg>\n`;
}

function rule(y: number): string {
  return `<line x1="${left}" x2="${width - right}" y1="${round(y)}" y2="${round(y)}" stroke="#dddddd"/>`;
}

/** Names that would stand in one another are moved apart. */
function spread(places: readonly number[]): readonly number[] {
  const order = places.map((place, index) => ({ place, index })).toSorted((one, other) => one.place - other.place);
  const found = [...places];
  let last = Number.NEGATIVE_INFINITY;
  for (const { place, index } of order) {
    last = Math.max(place, last + 14);
    found[index] = last;
  }
  return found;
}

function colourOf(index: number): string {
  return colours[index % colours.length] ?? "#000000";
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
