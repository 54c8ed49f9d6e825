import { isBlank } from "./blank.ts";
import { readCommand, shellCommands, type TypedCommand } from "./commands.ts";
import { type ReadCompact, readCompact } from "./compact.ts";
import type { Flow } from "./flow.ts";
import { isNumber } from "./number.ts";
import { pattern } from "./pattern.ts";
import type { InteractionRequest } from "./request.ts";
import { type Answer, checkResponse, type InteractionResponse, takesBlank } from "./response.ts";
import { hasMoreWords } from "./words.ts";

const letter = pattern(String.raw`\p{L}`, "u");
const edge = pattern(String.raw`[\p{P}\p{S}]`, "u");
const solid = pattern(String.raw`[^\s\p{P}\p{Z}\p{C}\p{DI}]`, "gu");
const loose = pattern(String.raw`[\s\p{P}]`, "gu");

/** A longer line that names an option's number may well be a sentence about something else (ANS-2). */
const mostNearWords = 5;

/** What one typed line means at one open question (ANS-0..ANS-2). Total: every line has exactly one reading. */
export type Reply =
  | { readonly type: "response"; readonly response: InteractionResponse }
  | { readonly type: "flow-cancel" }
  | Extract<ReadCompact, { type: "compact" }>
  | { readonly type: "stop" }
  | ({ readonly type: "command" } & TypedCommand)
  | { readonly type: "invalid"; readonly detail: string };

/** What a line can mean beside the question itself: the flow that is open, and the commands there are (the shell's). */
export type ReplyContext = { readonly flow?: Flow | null; readonly commands?: readonly string[] };

/** A reply with its answer checked against the question. */
export type CheckedReply = Exclude<Reply, { type: "response" }> | Exclude<Answer, { type: "cancelled" }>;

/** The whole grammar in one call: what a typed line means, and whether it is an answer to this question. */
export function readReply(request: InteractionRequest, typed: string, context: ReplyContext = {}): CheckedReply {
  const reply = parseReply(request, typed, context);
  if (reply.type !== "response") return reply;
  const checked = checkResponse(request, reply.response);
  if (checked.type !== "valid") return { type: "invalid", detail: checked.detail };
  return checked.answer.type === "cancelled" ? { type: "flow-cancel" } : checked.answer;
}

/** What a line means, not yet whether what it answers is an answer here. */
export function parseReply(request: InteractionRequest, typed: string, context: ReplyContext = {}): Reply {
  const line = typed.replace(/\r?\n$/, "");
  if (line === "abort" || line === "cancel") return { type: "flow-cancel" };
  if (isBlank(line))
    return takesBlank(request) ? freeText(request, line) : invalid("an empty reply is never an answer");
  if (request.sensitive) return freeText(request, line);
  const command = readCommand(line, context.commands ?? shellCommands);
  if (command !== null) {
    const text = command.name === "text" && !isBlank(command.rest);
    return text ? freeText(request, command.rest) : { type: "command", ...command };
  }
  return parseAnswer(request, line, context);
}

function parseAnswer(request: InteractionRequest, line: string, { flow }: ReplyContext): Reply {
  if (asksToStop(request, line)) return { type: "stop" };
  const word = controlWord(line);
  if (word === "abort" || word === "cancel") return invalid(`only the exact word ${word} cancels`);
  const compact = flow ? readCompact(flow, line) : null;
  if (compact !== null) return compact;
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
  return controlWord(line) === "stop" || (!takesSentences && mentionsStop(line));
}

const confirmations = new Map([
  ["yes", true],
  ["y", true],
  ["no", false],
  ["n", false],
]);

function confirmation(request: InteractionRequest, line: string, word: string): Reply | null {
  const confirmed = confirmations.get(word);
  if (confirmed === undefined) return null;
  const exact = /^(yes|no|y|n)$/i.test(line);
  return exact ? respond(request, { confirmed }) : invalid(`only the exact word ${word} counts`);
}

/** Reads option numbers; `null` when the line is neither numbers nor so near to them that free text would be a guess. */
function selection(request: InteractionRequest, line: string): Reply | null {
  const { options } = request;
  if (letter().test(line)) return isNearMiss(request, line) ? invalid("a number alone is expected") : null;
  const numbers = line.split(",", options.length + 1);
  if (!numbers.every(isNumber)) return invalid("numbers are written as 1 or 1,3");
  const chosen = numbers.map((number) => options[Number(number) - 1]?.id).filter((id) => id !== undefined);
  if (chosen.length !== numbers.length) return invalid(`the options are 1 to ${options.length}`);
  if (new Set(chosen).size !== chosen.length) return invalid("an option is chosen twice");
  if (chosen.length > 1 && !request.multi_select) return invalid("one option is expected");
  return respond(request, { selected_option_ids: chosen });
}

/** Few words with an option's number among them: "option 2", "I choose 1". */
function isNearMiss(request: InteractionRequest, line: string): boolean {
  if (hasMoreWords(line, mostNearWords)) return false;
  const isOption = (text: string) => isNumber(text) && Number(text) <= request.options.length;
  return line.split(/\s+/u).some((word) => {
    const bare = withoutEdges(word);
    return /^[0-9,]+$/.test(bare) && bare.split(",").some(isOption);
  });
}

/** The word without punctuation at its edges. By hand, because a pattern for both ends takes time squared. */
function withoutEdges(word: string): string {
  const characters = [...word];
  const isEdge = (character: string | undefined) => character !== undefined && edge().test(character);
  let begin = 0;
  let end = characters.length;
  while (begin < end && isEdge(characters[begin])) begin++;
  while (end > begin && isEdge(characters[end - 1])) end--;
  return characters.slice(begin, end).join("");
}

/** The line as a control word when only case, spacing, punctuation or invisible characters differ (ANS-9). */
function controlWord(line: string): string {
  let bare = "";
  for (const [character] of line.matchAll(solid())) {
    bare += character;
    // No control word is that long in any spelling; and normalising a long text can take time squared.
    if (bare.length > 64) return "";
  }
  const plain = bare.normalize("NFKC").replace(loose(), "");
  return plain.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
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
