import {
  type CheckedReply,
  type Flow,
  type InteractionRequest,
  parseReply,
  type QuestionDraft,
  readReply,
} from "../../../src/core/index.ts";
import { equal, holds } from "./check.ts";
import { type Asked, type Means, type Typed, withoutEnd } from "./typed.ts";

/** What the line means, and that it means one thing (ANS-1, ANS-3, ANS-8). */
export function readingOf({ line, means }: Typed, { request, flow }: Asked): CheckedReply {
  const reading = readReply(request, line, { flow });
  if (means !== null) agrees(reading, means);
  if (["free-text", "selected", "confirmed"].includes(reading.type)) oneAnswer(request, line, flow);
  const bare = withoutEnd(line);
  if (reading.type === "free-text") passesAsTyped(request, bare, reading.text);
  if (reading.type === "selected") selects(request, bare, reading.options);
  if (reading.type === "confirmed") confirms(request, bare, reading);
  if (reading.type === "invalid") isNoAnswer(request, bare);
  if (reading.type === "compact") appliesPairs(flow, bare, reading);
  if (reading.type === "flow-cancel") holds(bare === "abort" || bare === "cancel", "only the exact words cancel");
  if (!/[\r\n]$/.test(line) && line.length < 80) {
    const end = line.length % 2 === 0 ? "\n" : "\r\n";
    equal("one line end is no part of a line", readReply(request, `${line}${end}`, { flow }), reading);
  }
  return reading;
}

function agrees(reading: CheckedReply, means: Means): void {
  equal("the line is read as what it is", reading.type, means.type);
  if (means.type === "selected" && reading.type === "selected") equal("options", reading.options, means.options);
  if (means.type === "free-text" && reading.type === "free-text") equal("text", reading.text, means.text);
  if (means.type === "confirmed" && reading.type === "confirmed")
    equal("yes or no", reading.confirmed, means.confirmed);
  if (means.type === "compact" && reading.type === "compact") {
    equal("applied pairs", reading.applied, means.applied);
    equal("rejected keys", reading.rejected, means.rejected);
  }
}

/** A response has exactly one of selection, text and yes or no; a confirmed one may name its option. */
function oneAnswer(request: InteractionRequest, line: string, flow: Flow | null): void {
  const reply = parseReply(request, line, { flow });
  if (reply.type !== "response") return;
  const { interaction_id, cancelled, ...answer } = reply.response;
  equal(
    "the response names its question and cancels nothing",
    [interaction_id, cancelled],
    [request.interaction_id, false],
  );
  equal("a reply is one answer", Object.keys(answer).length, 1);
}

function passesAsTyped(request: InteractionRequest, line: string, text: string): void {
  const marked = !request.sensitive && line.startsWith("/text ");
  equal("text passes as typed", text, marked ? line.slice("/text ".length) : line);
  holds(request.allow_free_text || request.sensitive === true, "text is an answer only where it is allowed");
  holds(!/^[\s\p{Z}]*$/u.test(text), "text is never blank");
  if (marked || request.sensitive) return;
  holds(!/^[\s\p{P}]*(?:abort|cancel|stop)[\s\p{P}]*$/iu.test(line), "a control word is never text");
  if (request.options.length === 0) return;
  holds(/\p{L}/u.test(line), "without a letter it is no text where there are options");
  holds(!namesOption(request, line), "a near miss is never text");
}

/** At most five words, one of them an option's number. */
function namesOption({ options }: InteractionRequest, line: string): boolean {
  const words = line.split(/\s+/u);
  // Where words are not set apart, or white space is unusual, their number is another test's business.
  if (words.length > 5 || !/^[ -~\u0400-\u04ff]*$/.test(line)) return false;
  return words.some((word) => {
    const [, number] = /^[^0-9\p{L}]*([1-9][0-9]*)[^0-9\p{L}]*$/u.exec(word) ?? [];
    return number !== undefined && Number(number) <= options.length;
  });
}

function selects(request: InteractionRequest, line: string, chosen: readonly string[]): void {
  holds(/^[1-9][0-9]*(?:,[1-9][0-9]*)*$/.test(line), "a selection is numbers and commas");
  const numbers = line.split(",").map(Number);
  equal("a selection is the options of its numbers, in their order", chosen, optionsAt(request, numbers));
  equal("every number names another option", chosen.length, numbers.length);
  const { multi_select, min_selected = 1, max_selected = request.options.length } = request;
  const within = chosen.length >= Math.max(1, min_selected) && chosen.length <= max_selected;
  holds(multi_select ? within : chosen.length === 1, "as many are chosen as may be");
}

function optionsAt({ options }: Pick<QuestionDraft, "options">, numbers: readonly number[]): readonly string[] {
  return options.filter((_, index) => numbers.includes(index + 1)).map(({ id }) => id);
}

function confirms(request: InteractionRequest, line: string, reading: CheckedReply & { type: "confirmed" }): void {
  equal("only a confirmation is confirmed", request.kind, "confirmation");
  const word = line.toLowerCase();
  const number = Number(line);
  const said = ["yes", "y"].includes(word)
    ? true
    : ["no", "n"].includes(word)
      ? false
      : request.options[number - 1]?.id;
  const meant =
    typeof said === "boolean" ? said : ["yes", "session", "project", "user", "confirm"].includes(said ?? "");
  equal("a yes is a yes", reading.confirmed, meant);
  const known = request.options.map(({ id }) => id);
  holds(
    reading.options.every((id) => known.includes(id)),
    "what is confirmed is one of the options",
  );
}

/** What is an answer in the strictest reading is never invalid. */
function isNoAnswer(
  { kind, options, sensitive, multi_select, min_selected = 1 }: InteractionRequest,
  line: string,
): void {
  if (sensitive) {
    holds(!/[A-Za-z0-9]/.test(line), "every line that is not blank is a sensitive value");
    return;
  }
  const single = !multi_select || min_selected <= 1;
  const number = /^[1-9][0-9]?$/.test(line) ? Number(line) : 0;
  holds(!(single && number >= 1 && number <= options.length), "an option's number is an answer");
  holds(!(kind === "confirmation" && /^(?:yes|no|y|n)$/i.test(line)), "yes and no answer a confirmation");
}

function appliesPairs(
  flow: Flow | null,
  line: string,
  { applied, rejected }: CheckedReply & { type: "compact" },
): void {
  const given = line.split(" ").map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]);
  for (const { key, options } of applied) {
    const step = flow?.steps.find((each) => each.key === key);
    const values = given.filter(([name]) => name === key).map(([, value]) => value);
    holds(step !== undefined && !step.sensitive && values.length === 1, "a pair names a step, once");
    equal("a pair's options", options, optionsAt(step, (values[0] ?? "").split(",").map(Number)));
    const { multi_select, min_selected = 1, max_selected = step.options.length } = step;
    const within = options.length >= Math.max(1, min_selected) && options.length <= max_selected;
    holds(multi_select ? within : options.length === 1, "a pair names as many options as may be chosen");
  }
  const all = [...applied.map(({ key }) => key), ...rejected].sort();
  equal("every pair is applied or rejected", all, [...new Set(given.map(([key]) => key))].sort());
}
