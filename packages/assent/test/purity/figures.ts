import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { findSoftOffer, type SoftOffer } from "../../src/core/interaction/purity/index.ts";

/** A final message of an agent, labelled by a person. */
export type Labelled = { readonly text: string; readonly soft_offer: boolean; readonly kind: string };
export type Judged = Labelled & { readonly found: SoftOffer | null };

export type Figures = {
  readonly texts: number;
  readonly offers: number;
  readonly precision: number;
  readonly recall: number;
  /** False alarms per ordinary answer. */
  readonly alarms: number;
};

/** The texts of one part, by language: `built-on`, or `held-out`, which nobody saw who worked on the detector. */
export function readPart(part: string): ReadonlyMap<string, readonly Judged[]> {
  const files = globSync(`*.${part}.jsonl`, { cwd: import.meta.dirname }).sort();
  return new Map(files.map((file) => [basename(file, `.${part}.jsonl`), readTexts(join(import.meta.dirname, file))]));
}

export function readTexts(file: string): readonly Judged[] {
  const lines = readFileSync(file, "utf8").split("\n");
  const rows = lines.filter((line) => line.trim() !== "").map((line): Labelled => JSON.parse(line));
  return rows.map((row) => ({ ...row, found: findSoftOffer(row.text) }));
}

export function figuresOf(texts: readonly Judged[]): Figures {
  const offers = texts.filter((text) => text.soft_offer);
  const ordinary = texts.filter((text) => !text.soft_offer);
  const hits = offers.filter((text) => text.found !== null).length;
  const alarms = ordinary.filter((text) => text.found !== null).length;
  return {
    texts: texts.length,
    offers: offers.length,
    precision: hits / (hits + alarms),
    recall: hits / offers.length,
    alarms: alarms / ordinary.length,
  };
}
