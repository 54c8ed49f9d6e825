import type { Clock, ModelAnswer, ModelQuestion, Provider, WatchedRequest } from "../runtime/ports.ts";
import type { ScriptedReply } from "../wire/index.ts";
import { wait } from "./wait.ts";

export type Scripted = {
  readonly replies: readonly ScriptedReply[];
  /** What the script is called when something is said of it. */
  readonly name: string;
  readonly clock: Clock;
  readonly onQuestion?: (question: ModelQuestion) => void;
};

/**
 * A model that plays a script through the same port as any other: line n answers the session's request n. It keeps no
 * place of its own, so a process that takes a session over goes on in the script where the session is.
 */
export function scriptedProvider({ replies, name, clock, onQuestion }: Scripted): Provider {
  return {
    async ask(question, watched) {
      onQuestion?.(question);
      watched.onSent?.();
      const reply = replies[question.number - 1];
      if (reply === undefined) return ended(name, question.number, replies.length);
      if (reply.delay_ms !== undefined) await wait(clock, reply.delay_ms, watched.signal);
      return watched.signal.aborted ? { type: "abandoned" } : answer(reply, question.number, watched);
    },
  };
}

function answer(reply: ScriptedReply, number: number, { onText }: WatchedRequest): ModelAnswer {
  if (reply.overflow !== undefined) return { type: "overflow", detail: reply.overflow };
  if (reply.failure !== undefined) return { type: "failed", failure: { remedy: "", partial: "", ...reply.failure } };
  const { text = "", calls = [], usage = { input: 0, output: 0, cached: 0 } } = reply;
  if (text !== "") onText(text);
  return {
    type: "replied",
    text,
    usage,
    ...(reply.refusal ? { refusal: true } : {}),
    calls: calls.map(({ tool, arguments: given, id }, index) => ({
      id: id ?? `call_${number}_${index + 1}`,
      tool,
      arguments: typeof given === "string" ? given : JSON.stringify(given),
    })),
  };
}

function ended(name: string, number: number, length: number): ModelAnswer {
  const detail = `the script ${name} has ${length} ${length === 1 ? "reply" : "replies"}, none for request ${number}`;
  const remedy = "add a line to the script";
  return { type: "failed", failure: { class: "script-ended", detail, remedy, partial: "" } };
}
