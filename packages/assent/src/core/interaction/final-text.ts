import { lintQuestion, type Violation } from "./contract.ts";
import { findSoftOffer, type SoftOffer } from "./purity/index.ts";
import type { QuestionDraft } from "./request.ts";

/** What becomes of a final text that asks or offers in prose: it passes, it passes with a line that says so, or it is discarded (TXT-5). */
export type SoftOffers = "off" | "warn" | "regenerate";

/** What a model's final text to a person is: a question in the form of a block, prose that asks or offers, or an answer. */
export type FinalText =
  | { readonly type: "block"; readonly draft: QuestionDraft; readonly violations: readonly Violation[] }
  | { readonly type: "soft-offer"; readonly offer: SoftOffer }
  | { readonly type: "answer" };

/** What a final text is, by its form and its words alone. */
export function readFinalText(text: string): FinalText {
  // How lines end, and what nobody sees at the end, makes no difference to a reader.
  const shown = text.replaceAll("\r\n", "\n").trimEnd();
  const draft = readBlock(shown);
  if (draft !== null) {
    const violations = lintQuestion(draft);
    // A list that is too long for a question and asks nothing is a list.
    if (violations.length === 0 || asks(draft.question)) return { type: "block", draft, violations };
  }
  const offer = findBlockInside(shown) ?? findSoftOffer(text);
  return offer === null ? { type: "answer" } : { type: "soft-offer", offer };
}

function asks(instruction: string): boolean {
  return /[?？]$/u.test(instruction) || findSoftOffer(instruction) !== null;
}

/** A text that is exactly a block: an instruction, a blank line, options numbered from 1, nothing else (TXT-10). */
function readBlock(text: string): QuestionDraft | null {
  const [question = "", blank, ...lines] = text.split("\n");
  if (blank !== "" || lines.length === 0 || optionLabel(question, 1) !== null) return null;
  const labels = lines.map((line, index) => optionLabel(line, index + 1)).filter((label) => label !== null);
  if (labels.length !== lines.length) return null;
  const options = labels.map((label, index) => ({ id: String(index + 1), label }));
  return { question, options, allow_free_text: true };
}

function optionLabel(line: string, number: number): string | null {
  const begin = `${number}) `;
  return line.startsWith(begin) ? line.slice(begin.length) : null;
}

/** A question with its options in the middle of other text is prose all the same (TXT-1). */
function findBlockInside(text: string): SoftOffer | null {
  const lines = text.split("\n");
  for (const [index, line] of lines.entries()) {
    if (!line.startsWith("1) ")) continue;
    const part = lines[lines[index - 1] === "" ? index - 2 : index - 1] ?? "";
    if (/[?？]\s*$/u.test(part) && lines[index + 1]?.startsWith("2) ")) return { part, rule: "text-around-block" };
  }
  return null;
}
