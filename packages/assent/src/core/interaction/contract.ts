import { isBlank } from "./blank.ts";
import type { QuestionDraft } from "./request.ts";

/** The countable rules a model's question must keep (TXT-2). */
export type Violation =
  | "instruction-empty"
  | "instruction-not-one-line"
  | "instruction-too-long"
  | "too-many-options"
  | "no-way-to-answer"
  | "option-empty"
  | "option-not-one-line"
  | "option-too-long"
  | "options-alike";

export const mostInstructionWords = 15;
export const mostOptions = 7;
export const mostOptionWords = 5;

/** Runs on a model's question before it becomes a request; stored requests are never checked again (TXT-9). */
export function lintQuestion(draft: QuestionDraft): readonly Violation[] {
  const found = new Set<Violation>();
  if (isBlank(draft.question)) found.add("instruction-empty");
  if (breaksLine(draft.question)) found.add("instruction-not-one-line");
  if (countWords(draft.question) > mostInstructionWords) found.add("instruction-too-long");
  if (draft.options.length > mostOptions) found.add("too-many-options");
  if (draft.options.length === 0 && !draft.allow_free_text) found.add("no-way-to-answer");
  for (const option of draft.options) {
    if (isBlank(option.label)) found.add("option-empty");
    if (breaksLine(option.label)) found.add("option-not-one-line");
    if (countWords(option.label) > mostOptionWords) found.add("option-too-long");
  }
  const labels = draft.options.map((option) => option.label.normalize("NFKC").trim().toLowerCase());
  const ids = draft.options.map((option) => option.id);
  if (new Set(labels).size !== labels.length || new Set(ids).size !== ids.length) found.add("options-alike");
  return [...found];
}

/** A label with a line break could pass for another option. */
function breaksLine(text: string): boolean {
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);
}

function countWords(text: string): number {
  return text.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
