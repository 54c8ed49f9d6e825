import type {
  Asks,
  Flow,
  Forked,
  HistoryMessage,
  InputBody,
  InputType,
  JudgedCall,
  ModelResult,
  Purpose,
  ReceivedCall,
  Refusal,
  ShownDraft,
  ToolResult,
} from "../core/index.ts";
import { secretMark } from "./ports.ts";

type Hide = (text: string) => string;

/** What is run is run as it was written or not at all: with the mark in it, it would do something else. */
const hiddenInCall = `not run: ${secretMark} in it is a value that is hidden from you. Use a variable that holds it, or ask the person to do it`;
const markInCommand = `not run: ${secretMark} stands for a value that is hidden from you, and to a shell it is a pattern for files. Name it otherwise, or ask the person to do it`;
const hiddenInLaunch = "nothing was entered: a value in the command is one that is kept hidden";
const refusedCommand: Refusal = {
  code: "invalid_command",
  detail:
    "not run, nor recorded: a value in it is one that Assent keeps hidden. Put it into a variable of your own shell before you start Assent, and write the variable here; or run it in that shell",
};
const refusedFlow: Refusal = {
  code: "invalid_flow",
  detail: "a key, an option or a pattern of it has a value in it that is kept hidden",
};
const refusedAnswer: Refusal = {
  code: "invalid_response",
  detail:
    "not taken, nor recorded: a value in it is one that Assent keeps hidden, and it is not asked for as a secret here",
};

/**
 * Why an input is refused as it is, with a value in it that must not be seen (INTG-4); `null` where it can be recorded without
 * that. `answered`: the question that it answers, if that is no secret, is asked for this.
 */
export function refusedInput(body: InputBody, hide: Hide, answered: Purpose["type"] | null): Refusal | null {
  if (body.type === "command") return isHidden([body.text, body.arguments, body.asks], hide) ? refusedCommand : null;
  if (body.type === "flow" && isHidden([body.name, body.arguments], hide)) return refusedCommand;
  if (body.type === "flow" || body.type === "form-request") return isFixed(body.flow, hide) ? null : refusedFlow;
  return answered !== null && isUsed(answered) && isHidden(givenIn(body), hide) ? refusedAnswer : null;
}

/** Whether something is done with the answer; elsewhere it is told to a model, as a prompt is. */
function isUsed(answered: Purpose["type"]): boolean {
  return answered === "flow" || answered === "terminal-input";
}

function givenIn(body: InputBody): string | undefined {
  if (body.type === "reply") return body.line;
  return body.type === "response" ? body.response.free_text : undefined;
}

/** What a flow is known by, and what its answers are checked with, cannot be changed. */
function isFixed({ steps }: Flow, hide: Hide): boolean {
  return steps.every(
    ({ key, options, response_schema }) => !isHidden([key, options.map(({ id }) => id), response_schema], hide),
  );
}

function isHidden(data: unknown, hide: Hide): boolean {
  return redactDeep(data, hide) !== data;
}

/**
 * Words of the session itself, names that it has given, and places: a value that is spelled like one of them is not seen by it.
 * What is under the other names is hidden however deep it is, but where {@link redactedInput} says otherwise.
 */
const person = ["type", "by", "authority"] as const;
const own = {
  creation: ["type", "session", "cwd", "limits", "model"],
  name: person,
  limit: person,
  context: ["type", "window"],
  prompt: [...person, "delivery", "entry"],
  command: [...person, "tool"],
  entry: person,
  compaction: person,
  resumption: person,
  withdrawal: [...person, "waiting"],
  release: [...person, "waiting"],
  stop: [...person, "mode", "exchange"],
  flow: [...person, "tool"],
  reply: [...person, "interaction", "shown", "secret", "repeats"],
  response: [...person, "shown", "secret", "repeats"],
  nobody: ["type", "interaction", "unattended"],
  "model-result": ["type", "request", "soft_offers", "timeout_ms"],
  verdicts: ["type"],
  "grant-result": ["type", "call"],
  "grant-revocation": [...person, "grant"],
  "tool-start": ["type", "call", "digest"],
  "tool-result": ["type", "call"],
  "input-request": ["type", "call"],
  "form-request": ["type", "call"],
  "form-withdrawal": ["type", "call"],
  terminal: ["type", "state", "cwd"],
  process: ["type", "state", "process", "pid", "since", "exit"],
  keeping: [...person, "process"],
  launch: [...person, "call"],
  clock: ["type"],
  recovery: ["type", "alive", "lost"],
} as const satisfies {
  readonly [T in InputType]: readonly (KeyOf<Extract<InputBody, { readonly type: T }>> | "type")[];
};
const responseIds = ["interaction_id", "selected_option_id", "selected_option_ids", "answer_id"];
type KeyOf<T> = T extends unknown ? keyof T : never;

/** Without the values that must not be seen (INTG-4); the same input where none is in it. */
export function redactedInput(body: InputBody, hide: Hide): InputBody {
  if (body.type === "creation") {
    return body.forks === undefined ? body : withParts(body, { forks: redactedFork(body.forks, hide) });
  }
  if (body.type === "flow" || body.type === "form-request") {
    const told = redactedFields(body, hide, [...own[body.type], "flow"]);
    return withParts(told, { flow: redactedFlow(body.flow, hide) });
  }
  if (body.type === "response") {
    return withParts(body, { response: redactedFields(body.response, hide, responseIds) });
  }
  if (body.type === "input-request") return withParts(body, { draft: redactedDraft(body.draft, hide) });
  if (body.type === "model-result") return withParts(body, { result: redactedResult(body.result, hide) });
  if (body.type === "verdicts") {
    return withParts(body, { verdicts: mapped(body.verdicts, (judged) => redactedJudged(judged, hide)) });
  }
  if (body.type === "tool-result") return withParts(body, { result: redactedOutput(body.result, hide) });
  return redactedFields(body, hide, own[body.type]);
}

function redactedFork(forks: Forked, hide: Hide): Forked {
  const told = redactedFields(forks, hide, ["session", "seq", "history"]);
  return withParts(told, { history: mapped(forks.history, (message) => redactedMessage(message, hide)) });
}

/** What was called there is not called again. */
function redactedMessage(message: HistoryMessage, hide: Hide): HistoryMessage {
  const told = redactedFields(message, hide, ["role", "call", "original", "calls", "reasoning"]);
  if (told.role !== "assistant") return told;
  const ids = ["id", "original", "tool"];
  const calls = mapped(told.calls, (call) => redactedFields(call, hide, ids));
  return withoutReasoning(withParts(told, { calls }), hide);
}

/** A provider takes it as it gave it or not at all. */
function withoutReasoning<T extends { readonly reasoning?: unknown }>(data: T, hide: Hide): T;
function withoutReasoning(data: { readonly reasoning?: unknown }, hide: Hide): object {
  const { reasoning, ...rest } = data;
  return isHidden(reasoning, hide) ? rest : data;
}

function redactedFlow(flow: Flow, hide: Hide): Flow {
  return withParts(flow, { steps: mapped(flow.steps, (step) => redactedDraft(step, hide)) });
}

/** What people read of it; of the rest see {@link refusedInput}. */
function redactedDraft<T extends ShownDraft>(draft: T, hide: Hide): T {
  const told = redactedFields(draft, hide, ["key", "options", "response_schema"]);
  const options = mapped(draft.options, (option) => redactedFields(option, hide, ["id"]));
  return options === draft.options ? told : { ...told, options };
}

function redactedResult(result: ModelResult, hide: Hide): ModelResult {
  switch (result.type) {
    case "replied": {
      const calls = mapped(result.calls, (call) => redactedCall(call, hide));
      return withoutReasoning(withParts(result, { text: hide(result.text), calls }), hide);
    }
    case "failed":
      return withParts(result, { failure: redactedFields(result.failure, hide, ["class"]) });
    case "overflow":
    case "summarised":
    case "abandoned":
      return redactedFields(result, hide, ["type", "usage"]);
    default:
      return result satisfies never;
  }
}

/** Changed, it would do something else than its words: it is not run, and the model sees where the mark stands in it. */
function redactedCall(call: ReceivedCall, hide: Hide): ReceivedCall {
  const { arguments: given, asks } = call;
  const shown = redactedFields(call, hide, ["id", "tool", "asks"]);
  const refused = refusedCall(asks, isHidden([given, asks], hide));
  if (refused !== null) return { ...shown, asks: { type: "invalid", reason: refused } };
  // A tool that is not there is named in the model's own words.
  const tool = asks.type === "invalid" ? hide(call.tool) : call.tool;
  return withParts(shown, { tool, asks: redactedFields(asks, hide, ["type", "status"]) });
}

function refusedCall(asks: Asks, isChanged: boolean): string | null {
  switch (asks.type) {
    case "tool":
      if (isChanged) return hiddenInCall;
      return asks.command?.includes(secretMark) ? markInCommand : null;
    case "ask":
    case "flow":
      return isChanged ? hiddenInCall : null;
    // Nothing is done with what they say but to tell it.
    case "agentic":
    case "complete":
    case "invalid":
      return null;
    default:
      return asks satisfies never;
  }
}

/** A rule that cannot be written down as it is cannot be granted. */
function redactedJudged(judged: JudgedCall, hide: Hide): JudgedCall {
  const kept = ["call", "verdict", "rule", "digest", "granted", "grant"];
  const told = redactedFields(judged, hide, kept);
  if (told.verdict !== "ask" || !isHidden([told.grant?.signature, told.grant?.display, told.grant?.root], hide)) {
    return told;
  }
  return { ...told, grant: null };
}

/** The folder is where the work goes on, and what was seen is known by its place: by another name it would be another one. */
function redactedOutput(result: ToolResult, hide: Hide): ToolResult {
  if (isHidden(result.launch, hide)) return { type: "error", text: hiddenInLaunch };
  return redactedFields(result, hide, ["type", "signal", "cwd", "seen"]);
}

/** Plain data, with each text in it hidden; the same data where there is nothing to hide. */
export function redactDeep<T>(data: T, hide: Hide): T;
export function redactDeep(data: unknown, hide: Hide): unknown {
  if (typeof data === "string") return hide(data);
  if (typeof data !== "object" || data === null) return data;
  return Array.isArray(data) ? mapped(data, (item: unknown) => redactDeep(item, hide)) : redactedFields(data, hide, []);
}

/** Each field but those that are kept: these are as they are, all that is in them. */
function redactedFields<T extends object>(data: T, hide: Hide, kept: readonly string[]): T;
function redactedFields(data: object, hide: Hide, kept: readonly string[]): object {
  let changed: Record<string, unknown> | null = null;
  for (const [name, value] of Object.entries(data)) {
    if (kept.includes(name)) continue;
    const shown: unknown = redactDeep(value, hide);
    if (shown === value) continue;
    changed ??= { ...data };
    changed[name] = shown;
  }
  return changed ?? data;
}

/** The same list where each is the same. */
function mapped<T>(items: readonly T[], change: (item: T) => T): readonly T[] {
  const all = items.map(change);
  return all.every((item, index) => item === items[index]) ? items : all;
}

/** With these in place of what it has; the same data where they are the same. */
function withParts<T extends object>(data: T, parts: Partial<T>): T {
  const now: ReadonlyMap<string, unknown> = new Map(Object.entries(data));
  return Object.entries(parts).every(([name, value]) => now.get(name) === value) ? data : { ...data, ...parts };
}
