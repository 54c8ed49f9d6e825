import type { InteractionRequest } from "./request.ts";
import { confirmedBy, type InteractionResponse } from "./response.ts";

/** What one typed line means at one open question (ANS-1, ANS-2). Total: every line has exactly one reading. */
export type Reply =
  | { readonly type: "response"; readonly response: InteractionResponse }
  | { readonly type: "flow-cancel" }
  | { readonly type: "stop" }
  | { readonly type: "invalid"; readonly detail: string };

export function parseReply(request: InteractionRequest, typed: string): Reply {
  const line = typed.replace(/\r?\n$/, "");
  if (line === "abort" || line === "cancel") return { type: "flow-cancel" };
  if (isBlank(line)) return invalid("an empty reply is never an answer");
  if (request.sensitive) return freeText(request, line);
  if (asksToStop(request, line)) return { type: "stop" };
  const word = controlWord(line);
  if (word === "abort" || word === "cancel") return invalid(`only the exact word ${word} cancels`);
  if (request.kind === "confirmation") {
    const confirmed = confirmation(request, line, word);
    if (confirmed !== null) return confirmed;
  }
  if (request.options.length > 0) {
    const numbered = selection(request, line);
    if (numbered !== null) return numbered;
  }
  if (request.allow_free_text) return freeText(request, line);
  return invalid("one of the option numbers is expected");
}

/** Typed input that contains "stop" anywhere interrupts what executes (STOP-1). */
export function mentionsStop(text: string): boolean {
  return /stop/i.test(text);
}

/** Where free text is an answer, a sentence with "stop" in it may be one: there only the bare word stops (STOP-2). */
function asksToStop(request: InteractionRequest, line: string): boolean {
  const takesSentences = request.kind === "question" && request.allow_free_text;
  return takesSentences ? controlWord(line) === "stop" : mentionsStop(line);
}

const meanings = new Map([
  ["yes", true],
  ["y", true],
  ["no", false],
  ["n", false],
]);

function confirmation(request: InteractionRequest, line: string, word: string): Reply | null {
  const meaning = meanings.get(word);
  if (meaning === undefined) return null;
  if (!/^(yes|no|y|n)$/i.test(line)) return invalid(`only the exact word ${word} counts`);
  const option = request.options.find((candidate) => confirmedBy(candidate.id) === meaning);
  return respond(request, { confirmed: meaning, ...(option === undefined ? {} : { selected_option_id: option.id }) });
}

/** Reads option numbers; `null` when the line is neither numbers nor so near to them that free text would be a guess. */
function selection(request: InteractionRequest, line: string): Reply | null {
  if (!/\p{L}/u.test(line)) {
    if (!/^[1-9][0-9]*(,[1-9][0-9]*)*$/.test(line)) return invalid("numbers are written as 1 or 1,3");
    const numbers = line.split(",").map(Number);
    const ids = numbers.map((number) => request.options[number - 1]?.id);
    const chosen = ids.filter((id) => id !== undefined);
    if (chosen.length !== ids.length) return invalid(`the options are 1 to ${request.options.length}`);
    if (new Set(chosen).size !== chosen.length) return invalid("an option is chosen twice");
    if (chosen.length > 1 && !request.multi_select) return invalid("one option is expected");
    return respond(request, { selected_option_ids: chosen });
  }
  return isNearMiss(request, line) ? invalid("a number alone is expected") : null;
}

/** Few words with an option's number among them: "option 2", "I choose 1". */
function isNearMiss(request: InteractionRequest, line: string): boolean {
  const words = line.trim().split(/\s+/u, 6);
  if (words.length > 5) return false;
  const isOption = (text: string) => /^[1-9][0-9]*$/.test(text) && Number(text) <= request.options.length;
  return words.some((word) => {
    const bare = word.replace(/^[\p{P}\p{S}]+|[\p{P}\p{S}]+$/gu, "");
    return /^[0-9,]+$/.test(bare) && bare.split(",").some(isOption);
  });
}

/** The line as a control word when only case, spacing, punctuation or invisible characters differ (ANS-9). */
function controlWord(line: string): string {
  return line
    .normalize("NFKC")
    .replace(/[\s\p{P}\p{Z}\p{C}]/gu, "")
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function isBlank(line: string): boolean {
  return /^[\s\p{Z}\p{C}]*$/u.test(line);
}

function freeText(request: InteractionRequest, line: string): Reply {
  return respond(request, { free_text: line });
}

function respond(
  request: InteractionRequest,
  answer: Omit<InteractionResponse, "interaction_id" | "cancelled">,
): Reply {
  return {
    type: "response",
    response: { interaction_id: request.interaction_id, ...answer, cancelled: false },
  };
}

function invalid(detail: string): Reply {
  return { type: "invalid", detail };
}
