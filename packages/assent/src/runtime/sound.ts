import type { Asks, Flow, InputDraft, ModelAddress, ModelResult, Session, ToolResult } from "../core/index.ts";
import type { Plan, Policy, Verdict } from "../policy/index.ts";
import {
  describeGiven,
  looseRecord,
  messageOf,
  type ReadGiven,
  readAnswer,
  readAsked,
  readAsks,
  readFact,
  readForm,
  readPlan,
  readToolResult,
  readVerdict,
} from "../wire/index.ts";
import type { Clock, Fact, Hands, ModelAnswer, Provider, RawCall, Tool } from "./ports.ts";

/**
 * What a program brings may give something else than its type says, throw, or never answer. That is a failure of the one call or
 * request that it was asked for, told with who gave what: no exception of theirs, and nothing that cannot be read back, gets further.
 */

/** So long after it was told to end a call, or a request, is waited for: longer than a command takes that has to be killed. */
const mostEndingMs = 10_000;

export type Answer<T> = { readonly value: T } | { readonly threw: unknown };

/** Starts something and waits for its end, however it ends; who was told to end and does not is waited for no longer. */
export function settled<T>(start: () => Promise<T>, { signal, clock }: Ending): Promise<Answer<T> | "given-up"> {
  return new Promise((resolve) => {
    const giveUp = () => {
      const stopWaiting = clock.after(mostEndingMs, () => resolve("given-up"));
      ended.then(stopWaiting);
    };
    const ended = startNow(start);
    ended.then(resolve);
    if (signal.aborted) giveUp();
    else signal.addEventListener("abort", giveUp, { once: true });
  });
}

type Ending = { readonly signal: AbortSignal; readonly clock: Clock };

async function startNow<T>(start: () => Promise<T>): Promise<Answer<T>> {
  try {
    return { value: await start() };
  } catch (error) {
    return { threw: error };
  }
}

/** Waits for the end of all, also where one of them fails; then that is thrown. */
export async function allEnded(ending: readonly Promise<void>[]): Promise<void> {
  for (const end of await Promise.allSettled(ending)) if (end.status === "rejected") throw end.reason;
}

/** What became of a call, whatever its tool gave. */
export function callResult(tool: string, answer: Answer<unknown> | "given-up"): ToolResult {
  if (answer === "given-up") {
    const text = `${tool} was told to end and has not ended after ${mostEndingMs / 1_000} s: what it did, or still does, is unknown`;
    return { type: "error", text };
  }
  if ("threw" in answer) return brokenTool(tool, messageOf(answer.threw));
  const read = attempted(() => readToolResult(answer.value));
  return read.type === "read" ? read.value : brokenTool(tool, read.reason);
}

/** Whether a tool is offered. One that cannot say so is a fault that somebody must see: nothing goes on without it unnoticed. */
export function isAvailable(tool: Tool, session: Session): boolean {
  try {
    return tool.available?.(session) ?? true;
  } catch (error) {
    throw new Error(`${tool.name} broke, asked whether it is available: ${messageOf(error)}`, { cause: error });
  }
}

/** What a call asks for, as its tool reads it. */
export function readArguments(tool: Tool, call: RawCall): Asks {
  const read = attempted(() => readAsks(tool.read(call.arguments)));
  return read.type === "read" ? read.value : { type: "invalid", reason: brokenTool(tool.name, read.reason).text };
}

/** What a call would do, or what is wrong with that: thrown, for whatever else breaks in its making is told the same way. */
export function soundPlan(plan: Plan): Plan {
  return orThrow(readPlan(plan));
}

/** What a running call asks of a person, or what is wrong with that: thrown, to who asks. */
export function soundDraft(draft: InputDraft): InputDraft {
  return orThrow(readAsked(draft));
}

export function soundFlow(flow: Flow): Flow {
  return orThrow(readForm(flow));
}

/** What hands tell. It is not thrown what is wrong with that: they may stand where an exception would end the process. */
export function readTold(fact: Fact): ReadGiven<Fact> {
  return attempted(() => readFact(fact));
}

function orThrow<T>(read: ReadGiven<T>): T {
  if (read.type === "invalid") throw new Error(read.reason);
  return read.value;
}

/** They do nothing, and say why. */
export function handsOfBroken(tool: string, error: unknown): Hands {
  const result = brokenTool(tool, messageOf(error));
  return { plan: (_given, { cwd }) => ({ tool, cwd, fails: result.text }), run: async () => result };
}

/** What a model's answer means to the session, whatever its client gave. */
export function answerOf(
  answer: Answer<ModelAnswer> | "given-up",
  meaning: (answer: ModelAnswer) => ModelResult,
): ModelResult {
  if (answer === "given-up") return { type: "abandoned" };
  if ("threw" in answer) return brokenProvider(messageOf(answer.threw));
  const read = attempted((): ReadGiven<ModelResult> => {
    const given = readAnswer(answer.value);
    return given.type === "read" ? { type: "read", value: meaning(given.value) } : given;
  });
  return read.type === "read" ? read.value : brokenProvider(`the provider gave no answer: ${read.reason}`);
}

/** Where a model is: never more of it than scheme, host and port, for the rest may hold what must not be recorded. */
export function addressOf({ address }: Provider): ModelAddress | null {
  const { origin: given, named } = looseRecord(address);
  // Asked before each request, and nearly always of the same.
  if (typeof given === "string" && given !== lastOrigin.given) lastOrigin = { given, origin: originOf(given) };
  const origin = typeof given === "string" ? lastOrigin.origin : null;
  return origin === null ? null : { origin, named: named === true };
}

let lastOrigin: { readonly given: string; readonly origin: string | null } = { given: "", origin: null };

function originOf(given: string): string | null {
  const url = URL.parse(given);
  return url === null || url.host === "" ? null : `${url.protocol}//${url.host}`;
}

/** The policy's word. Where it has none that can be understood, nothing runs. */
export function verdictOf(judge: () => Verdict): Verdict {
  const read = attempted(() => readVerdict(judge()));
  return read.type === "read" ? read.value : brokenPolicy(read.reason);
}

/** The paths that the policy wants to know of, or its word that it cannot tell. */
export function wantedBy(policy: Policy, plan: Plan): readonly string[] | Verdict {
  const read = attempted((): ReadGiven<readonly string[]> => {
    const wanted: unknown = policy.wants?.(plan) ?? [];
    if (Array.isArray(wanted) && wanted.every((path) => typeof path === "string"))
      return { type: "read", value: wanted };
    return { type: "invalid", reason: `wants: expected a list of paths, found ${describeGiven(wanted)}` };
  });
  return read.type === "read" ? read.value : brokenPolicy(read.reason);
}

function attempted<T>(read: () => ReadGiven<T>): ReadGiven<T> {
  try {
    return read();
  } catch (error) {
    return { type: "invalid", reason: messageOf(error) };
  }
}

function brokenTool(tool: string, reason: string): ToolResult {
  return { type: "error", text: `${tool} broke: ${reason}` };
}

function brokenProvider(detail: string): Extract<ModelResult, { readonly type: "failed" }> {
  const remedy = "this is a fault of the model's client; please report it";
  return { type: "failed", failure: { class: "internal", detail, remedy, partial: "" } };
}

function brokenPolicy(reason: string): Verdict {
  return { verdict: "deny", rule: "broken-policy", reason: `the policy broke: ${reason}` };
}
