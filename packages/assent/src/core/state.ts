import type {
  CallRequest,
  CompleteStatus,
  Ending,
  EnteredCall,
  FlowEnd,
  ModelFailure,
  Person,
  Purpose,
  Reasoning,
  Resolution,
  SeenFile,
  StopMode,
  Usage,
} from "./events.ts";
import type { Grant, GrantRule, GrantUsed } from "./grant.ts";
import type { Flow, FlowState, InteractionRequest, QuestionDraft } from "./interaction/index.ts";
import { defaultLimits, type Limits } from "./limits.ts";
import type { Log } from "./log.ts";

/** A session as its events made it. Never assigned to: `evolve` returns the next one. */
export type Session = {
  readonly id: string;
  /** How many events were folded: what the next append expects. */
  readonly seq: number;
  readonly status: "new" | "active" | "aborted";
  readonly name: string | null;
  readonly cwd: string;
  readonly model: string | null;
  readonly limits: Limits;
  /** The counter of the turn limit: closed turns since it was last reset. */
  readonly turns: number;
  readonly context: string;
  /** How many tokens the model takes, where that is known. */
  readonly window: number | null;
  /** Where the history went, as far as it is known, the last address last. */
  readonly addresses: readonly string[];
  /** Whether there is more in it than prompts: what a model said, or a command gave. */
  readonly worked: boolean;
  /** What the history is known to have cost, to estimate what it will (SEL-9). */
  readonly measured: Measured | null;
  /** The model gave no summary before one was needed: none is asked for until a provider refuses a request (SEL-9). */
  readonly unsummarised: boolean;
  readonly counted: Ordinals;
  readonly exchange: Exchange | null;
  readonly lastEnding: Ending | null;
  /** The last exchange with the model, where its failure ended it or the history outgrew it: it can be gone on with (SEL-9, SEL-10). */
  readonly failed: FailedExchange | null;
  /** What the last exchange ended with. */
  readonly lastResult: { readonly text: string; readonly refused: boolean; readonly usage: Usage } | null;
  /** In order: the first is open, the others wait for it (INT-14). */
  readonly interactions: readonly Interaction[];
  readonly resolved: Log<ResolvedInteraction>;
  readonly flow: OpenFlow | null;
  /** The flow that is confirmed and whose call is not settled yet. */
  readonly filled: OpenFlow | null;
  /** The last flow that a running call put to a person, once it has ended: the call goes on with its answers, or without. */
  readonly returned: ReturnedFlow | null;
  /** What people granted for this session. */
  readonly grants: readonly Grant[];
  /** What was answered to a running call and must not be seen, by the name it is kept under. */
  readonly secrets: readonly { readonly call: string; readonly name: string }[];
  readonly waiting: readonly Waiting[];
  readonly history: History;
  readonly lastCommand: LastCommand | null;
  readonly files: ModifiedFiles;
  /** The files that the model knows, the one it saw last at the end. */
  readonly seen: readonly SeenFile[];
  readonly terminal: Terminal;
  readonly processes: readonly BackgroundProcess[];
  /** What the shell is to enter when it is idle, the first first. */
  readonly launches: readonly Launch[];
  readonly usage: Usage;
};

/** How many of each were ever made, for ids that are unique by construction. */
export type Ordinals = {
  readonly exchanges: number;
  readonly requests: number;
  readonly interactions: number;
  readonly waiting: number;
};

/** The exchange that is open. */
export type Exchange = {
  readonly ordinal: number;
  /** The number of the event from which on it can be told what goes on: its last kept reply, the last change of its flow, or its start. */
  readonly since: number;
  /** That of its start; of one that goes on with another, where that began. */
  readonly began: number;
  readonly prompt: string;
  readonly by: Person;
  /** Kept model replies so far. */
  readonly replies: number;
  readonly lastText: string;
  readonly phase: Phase;
  readonly run: Run | null;
  /** Set once the exchange is bound to end: what runs finishes, nothing new begins. */
  readonly ending: Ending | null;
  readonly stop: StopMode | null;
  /** A call was refused, or a question stayed without an answer. */
  readonly refused: boolean;
  /** Replies discarded since the last kept one. */
  readonly discards: number;
  readonly overflow: Overflow;
  /** A person's own command: no model is asked. */
  readonly entered: boolean;
  /** A person wants a summary of the history, and nothing else. */
  readonly compacts: boolean;
  /** The text of the last reply's call that only looked something up. */
  readonly observation: string | null;
  /** That call was all there was: the next reply is text about it and ends the exchange (SEL-8). */
  readonly observing: boolean;
  /** A person has answered, and nothing that this released has had a result yet: the agent is silent (TXT-6). */
  readonly hushed: boolean;
  /** What else the person said in it: answers to questions that were texts (TXT-10), steering. */
  readonly said: readonly string[];
  /** The question that the last reply's text is. */
  readonly question: QuestionDraft | null;
  readonly usage: Usage;
  /** The model's last failure, where it was for good or left no more than a reply without tools, which may be an answer yet. */
  readonly failure: ModelFailure | null;
};

/** The exchange that the model's failure ended, or that outgrew the model, for whoever goes on with it. */
export type FailedExchange = {
  readonly exchange: number;
  readonly began: number;
  readonly prompt: string;
  readonly said: readonly string[];
  readonly failure: ModelFailure;
  /** With all that it had used by then. */
  readonly run: Run | null;
  readonly at: number;
};

/** `tokens` of a history that had so many characters, and how many of them made one. */
export type Measured = { readonly tokens: number; readonly characters: number; readonly perToken: number };

/** The flow that is being asked, by the call that asked for it. */
export type OpenFlow = { readonly call: string; readonly flow: Flow; readonly state: FlowState };

/** A flow that has ended, and how. */
export type ReturnedFlow = OpenFlow & { readonly end: FlowEnd };

/** What the exchange waits for next: a reply of the model, a summary of the history, or the calls of its turn. */
export type Phase =
  | { readonly type: "model" }
  /** `foreseen`: no provider has refused a request yet. */
  | { readonly type: "compaction"; readonly foreseen?: true }
  | { readonly type: "turn"; readonly ordinal: number; readonly calls: readonly Call[] };

/** How far the remedies for a too long request have gone since the last kept reply (SEL-9). */
export type Overflow = "none" | "shortened" | "compacted" | "conversational";

/** The run of an exchange: what it is for, and what it has used. */
export type Run = {
  /** The call that opened it. */
  readonly call: string;
  readonly objective: string;
  /** The turn in which it was opened is not one of its iterations. */
  readonly openedIn: number;
  readonly iterations: number;
  readonly startedAt: number;
  /** Time that people took to answer, or to go on after a failure of the model: counts against nothing (INT-13). */
  readonly personTime: number;
  readonly calls: number;
  readonly usage: Usage;
  readonly iterationTokens: number;
  readonly lastIterationTokens: number;
  readonly failures: number;
  readonly silent: number;
  /** The latest distinct calls with their results; something new sets all counts back. */
  readonly repeats: readonly Repeat[];
};

/** A call with its result, and how often it came. */
export type Repeat = { readonly call: string; readonly result: string; readonly times: number };

/** A call of the turn that is open. */
export type Call = CallRequest & { readonly status: CallStatus };

/** How far a call has come. */
export type CallStatus =
  | { readonly type: "asked" }
  | {
      readonly type: "judged";
      readonly digest: string;
      readonly grant: GrantRule | null;
      readonly granted: GrantUsed | null;
    }
  /** Approved, with a rule that is confirmed and must be saved first. */
  | { readonly type: "granting"; readonly digest: string; readonly grant: Grant; readonly by: Person }
  | { readonly type: "cleared"; readonly digest: string }
  | { readonly type: "started"; readonly kill: KillReason | null }
  | { readonly type: "settled"; readonly how: Settled };

/** How a call ended. */
export type Settled =
  | "finished"
  | "failed"
  | "refused"
  | "invalid"
  | "unknown"
  | "skipped"
  | { readonly completed: CompleteStatus };
/** Why a running call is ended. */
export type KillReason = "stopped" | "cancelled" | "nobody";

/** A question of a session that is not closed. */
export type Interaction = {
  readonly request: InteractionRequest;
  readonly purpose: Purpose;
  readonly attempts: number;
  /** The invalid answers that had an id: one sent again costs nothing. */
  readonly rejected: readonly RejectedAnswer[];
  /** When it became the open one; `null` while it waits behind another. */
  readonly openedAt: number | null;
};

/** An answer that was not taken, by the id that its sender gave it. */
export type RejectedAnswer = { readonly answer_id: string; readonly code: string; readonly detail: string };

/** A question that is closed, and how. */
export type ResolvedInteraction = {
  readonly request: InteractionRequest;
  readonly at: number;
  readonly how: Resolution | { readonly state: "expired" };
};

/**
 * Text of a person that has not reached the model: steering wants the next turn, a prompt the next exchange (SEL-11). A
 * command waits like a prompt, and is none.
 */
export type Waiting = {
  readonly id: string;
  readonly type: "steering" | "prompt" | "command";
  /** What a command is. */
  readonly command?: EnteredCall;
  readonly text: string;
  readonly by: Person;
  /** The request that carries it; a reply to that one makes it history. */
  readonly sent: number | null;
  /** The exchange it waited for ended otherwise than well: it runs only when a person releases it. */
  readonly held: boolean;
};

/** What the model is shown, message by message; `entries` gives them in order. */
export type History = Log<HistoryMessage>;

/** One message of the history: of a person, of the model, or the result of a call. */
export type HistoryMessage =
  | { readonly role: "user"; readonly text: string }
  | {
      readonly role: "assistant";
      readonly text: string;
      readonly calls: readonly HistoryCall[];
      readonly reasoning?: Reasoning;
    }
  | {
      readonly role: "tool";
      readonly call: string;
      readonly original: string;
      readonly text: string;
      readonly failed: boolean;
    };

/** A call as the history has it. */
export type HistoryCall = Pick<CallRequest, "id" | "original" | "tool" | "arguments">;

/** The last command that was run, for the state block. */
export type LastCommand = { readonly command: string; readonly output: string; readonly exit: number | null };
/** Files that commands and tools have changed; `more`: not all of them are named. */
export type ModifiedFiles = { readonly paths: readonly string[]; readonly more: boolean };
/** The persistent shell of a session. */
export type Terminal =
  | { readonly state: "never" }
  | { readonly state: "open"; readonly cwd: string }
  | { readonly state: "closed"; readonly cwd: string; readonly lost: boolean };
/** What a command left running. */
export type BackgroundProcess = {
  readonly process: string;
  readonly pid: number;
  readonly since: number;
  readonly command: string;
  /** A person wants it to outlive the session. */
  readonly kept?: true;
};

/** A command line of the shell, by the call that asked for it. */
export type Launch = { readonly call: string; readonly command: string };

export const noUsage: Usage = { input: 0, output: 0, cached: 0 };

/** A session before its first event. */
export function newSession(): Session {
  return {
    id: "",
    seq: 0,
    status: "new",
    name: null,
    cwd: "",
    model: null,
    limits: defaultLimits,
    turns: 0,
    context: "",
    window: null,
    addresses: [],
    worked: false,
    measured: null,
    unsummarised: false,
    counted: { exchanges: 0, requests: 0, interactions: 0, waiting: 0 },
    exchange: null,
    lastEnding: null,
    failed: null,
    lastResult: null,
    interactions: [],
    resolved: null,
    flow: null,
    filled: null,
    returned: null,
    grants: [],
    secrets: [],
    waiting: [],
    history: null,
    lastCommand: null,
    files: { paths: [], more: false },
    seen: [],
    terminal: { state: "never" },
    processes: [],
    launches: [],
    usage: noUsage,
  };
}

/** The question that waits for an answer, if there is one. */
export function openInteraction(session: Session): Interaction | null {
  return session.interactions[0] ?? null;
}

/** Whether the call runs: it has started, and how it ends is not known yet. */
export function isRunning(session: Session, id: string): boolean {
  return findCall(session, id)?.status.type === "started";
}

/** Whether a question is asked for a call that runs: it is of use only as long as that call's process lives. */
export function asksForRunning(session: Session, { purpose }: Interaction): boolean {
  return purpose.type === "terminal-input" || (purpose.type === "flow" && isRunning(session, purpose.call));
}

/** The calls of the turn that is open. */
export function turnCalls(session: Session): readonly Call[] {
  return session.exchange?.phase.type === "turn" ? session.exchange.phase.calls : [];
}

export function findCall(session: Session, id: string): Call | undefined {
  return turnCalls(session).find((call) => call.id === id);
}
