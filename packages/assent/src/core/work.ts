import { callsWith, judgeableCalls } from "./calls.ts";
import type { StopMode } from "./events.ts";
import { type Grant, grantToSave } from "./grant.ts";
import { type ModelRequest, replyRequest, summaryRequest } from "./history.ts";
import type { InteractionRequest } from "./interaction/index.ts";
import { deadlineOf } from "./questions.ts";
import { type Call, type KillReason, openInteraction, type Session } from "./state.ts";

/** What must be done now, in the driver's words: verbs. Exactly one at a time; `rest` means only an input can move things on. */
export type Work =
  | { readonly type: "call-model"; readonly number: number; readonly request: ModelRequest }
  | { readonly type: "compact-history"; readonly number: number; readonly request: ModelRequest }
  /** Let a response that is streaming finish (or give it up, when killing), then report; no new one is sent. */
  | { readonly type: "stop-model"; readonly number: number; readonly mode: StopMode }
  | { readonly type: "judge-calls"; readonly calls: readonly Call[] }
  /** The rule is a person's word by now: saved again, it is the same one. */
  | { readonly type: "save-grant"; readonly call: string; readonly grant: Grant }
  | { readonly type: "run-tools"; readonly calls: readonly Call[] }
  | { readonly type: "kill-tools"; readonly calls: readonly KilledCall[] }
  | { readonly type: "ask-person"; readonly request: InteractionRequest }
  | { readonly type: "end-processes" }
  | { readonly type: "rest"; readonly waiting: "prompt" | "tools" | "nothing" };

/** When time itself will have something to say: the deadline of the open question. */
export function nextDeadline(session: Session): number | null {
  const open = openInteraction(session);
  return open === null ? null : deadlineOf(open);
}

/** The calls under way, whatever the work is: a driver that has some must stay. */
export function runningCalls(session: Session): readonly Call[] {
  return callsWith(session, "started");
}

/** A call that is to be ended, and why. */
export type KilledCall = { readonly call: Call; readonly reason: KillReason };

/** What must be done now, by the session alone. Pure, like `decide` and `evolve`. */
export function nextWork(session: Session): Work {
  const runsOn = session.terminal.state === "open" || session.processes.some(({ kept }) => !kept);
  if (session.status === "aborted" && runsOn) {
    return { type: "end-processes" };
  }
  if (session.status !== "active") return { type: "rest", waiting: "nothing" };
  const { exchange } = session;
  if (exchange === null) return { type: "rest", waiting: "prompt" };
  if (exchange.phase.type === "turn") return turnWork(session);
  const number = session.counted.requests + 1;
  const asked = askPerson(session);
  if (asked !== null) return asked;
  if (exchange.ending !== null) return { type: "stop-model", number, mode: exchange.stop ?? "graceful" };
  return exchange.phase.type === "compaction"
    ? { type: "compact-history", number, request: summaryRequest(session) }
    : { type: "call-model", number, request: replyRequest(session) };
}

function turnWork(session: Session): Work {
  const granted = grantToSave(session);
  if (granted !== null) return { type: "save-grant", ...granted };
  const killed = runningCalls(session).flatMap((call) =>
    call.status.type === "started" && call.status.kill !== null ? [{ call, reason: call.status.kill }] : [],
  );
  if (killed.length > 0) return { type: "kill-tools", calls: killed };
  const cleared = callsWith(session, "cleared");
  if (cleared.length > 0) return { type: "run-tools", calls: cleared };
  const judgeable = judgeableCalls(session);
  if (judgeable.length > 0) return { type: "judge-calls", calls: judgeable };
  return askPerson(session) ?? { type: "rest", waiting: "tools" };
}

function askPerson(session: Session): Work | null {
  const open = openInteraction(session);
  return open === null ? null : { type: "ask-person", request: open.request };
}
