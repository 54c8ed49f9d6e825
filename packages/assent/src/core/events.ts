import type { Grant, GrantRule, GrantUsed, SavedScope } from "./grant.ts";
import type {
  Flow,
  FlowState,
  InteractionRequest,
  InteractionResponse,
  InvalidCode,
  QuestionDraft,
  SoftOffer,
  Violation,
} from "./interaction/index.ts";
import type { Json } from "./json.ts";
import type { Limits, TurnLimit } from "./limits.ts";
import type { HistoryMessage } from "./state.ts";

/**
 * What has happened, in the journal's words: a noun and what became of it. A session is the fold of these and nothing else.
 * Field names are single words where that is clear, snake_case otherwise: the journal and `--json` show them as they are.
 */
export type EventData = {
  "session.created": {
    readonly session: string;
    readonly cwd: string;
    readonly limits: Limits;
    /** The model it was made for, in the words of the command line; another may be named when it goes on. */
    readonly model?: string;
  };
  /** It begins with the history that another session had after so many events. `name`: what that one was called. */
  "session.forked": {
    readonly from: string;
    readonly until: number;
    readonly name?: string;
    readonly history: readonly HistoryMessage[];
    /** Where that history went, the last address last. */
    readonly addresses?: readonly string[];
    /** There is no more in it than prompts: no model has answered, and no command was run. */
    readonly unworked?: true;
  };
  "session.renamed": { readonly name: string; readonly by: Person };
  "session.aborted": { readonly reason: "turn-limit" | "nobody" };

  "limit.changed": { readonly turns?: TurnLimit; readonly iterations?: number; readonly by: Person };
  /**
   * `window`: how many tokens the model takes from here on. `address`: where requests go from here on, by scheme, host and port
   * alone; `before`: where they went until now.
   */
  "context.changed": {
    readonly text: string;
    readonly window?: number | null;
    readonly address?: string;
    readonly before?: string;
  };

  /** `command`: what waits is a person's own command. */
  "prompt.queued": {
    readonly waiting: string;
    readonly text: string;
    readonly by: Person;
    readonly command?: EnteredCall;
  };
  "prompt.withdrawn": { readonly waiting: string; readonly by: Person };
  "steering.received": { readonly waiting: string; readonly text: string; readonly by: Person };
  /** These texts go with that request: from here on they cannot be taken back. */
  "steering.sent": { readonly request: number; readonly waiting: readonly string[] };
  "steering.withdrawn": { readonly waiting: string; readonly by: Person };

  /** `waiting` names the waiting text that became this prompt. */
  "exchange.started": {
    readonly exchange: number;
    readonly prompt: string;
    readonly by: Person;
    readonly waiting?: string;
    /** The failed exchange that this one goes on with: nothing of it is done again. */
    readonly resumes?: number;
    /** A person wants a summary of the history, and nothing else. */
    readonly compacts?: true;
  };
  "exchange.ended": {
    readonly exchange: number;
    readonly text: string;
    /** It ended well, but a call was refused in it or a question stayed without an answer. */
    readonly refused?: true;
  } & Ending;
  /** A turn is known by the number of the request that it answers. */
  "turn.closed": { readonly turn: number; readonly counted: boolean };
  /** `iterations`: it goes on after so many, where the model had failed; all that it has used counts on. */
  "run.started": { readonly call: string; readonly objective: string; readonly iterations?: number };
  "run.ended": Ending;
  "stop.requested": { readonly exchange: number; readonly mode: StopMode; readonly by: Person };

  "model.replied": {
    readonly request: number;
    readonly reply: ModelReply;
    /** Its text is recorded, not shown: it stands beside a question, or between an answer and what that released (TXT-6, TXT-8). */
    readonly hidden?: true;
    /** Its text is exactly a block: this question (TXT-10). */
    readonly question?: QuestionDraft;
    /** Its text asks or offers in prose and is shown all the same, with a line that says so (TXT-4). */
    readonly offer?: SoftOffer;
  };
  /** `partial` is the text that had come by then. */
  "model.abandoned": { readonly request: number; readonly partial?: string };
  "model.failed": { readonly request: number; readonly failure: ModelFailure; readonly next: AfterFailure };
  "reply.discarded": {
    readonly request: number;
    readonly reply: ModelReply;
    readonly violations: readonly ReplyViolation[];
    readonly offer?: SoftOffer;
  };
  /** By what it cost so far it will not fit: it is summarised before the next request. */
  "history.outgrown": { readonly tokens: number; readonly window: number };
  /** A new prefix begins: with a summary by the model, or with old results of tools cut to make room. */
  "history.compacted":
    | { readonly request: number; readonly summary: string; readonly usage: Usage }
    | { readonly shortened: Shortening };

  /** A person's own command: the exchange has this one call, and no model. Or a command of the shell, as it was typed. */
  "command.entered":
    | ({ readonly exchange: number; readonly call: string } & EnteredCall)
    | { readonly command: string; readonly by: Person };
  /** The command of the shell that this call asked for has been entered. */
  "command.launched": { readonly call: string; readonly by: Person };

  /** `flow`: a call that runs puts it to a person, and goes on with how it ends; otherwise it is what the call asks for. */
  "flow.started": { readonly call: string; readonly flow?: Flow };
  /** All that the flow knows from here on. */
  "flow.changed": { readonly call: string } & FlowState;
  "flow.ended": { readonly call: string; readonly end: FlowEnd | Unasked };

  "call.judged": {
    readonly call: string;
    readonly verdict: "allow" | "ask" | "deny";
    readonly rule: string;
    readonly reason: string;
    readonly digest: string;
    readonly facts: Json;
    /** By what rule a person could allow it for longer. */
    readonly grant?: GrantRule;
    /** By what grant it is allowed. */
    readonly granted?: GrantUsed;
  };
  "call.cleared": { readonly call: string };
  "call.refused": { readonly call: string; readonly why: RefusedWhy; readonly reason: string };
  "call.skipped": { readonly call: string; readonly why: SkippedWhy; readonly reason: string };
  "call.invalid": { readonly call: string; readonly reason: string };
  "call.started": { readonly call: string; readonly digest: string };
  "call.finished": { readonly call: string; readonly result: ToolResult };
  "call.unknown": { readonly call: string };

  "interaction.requested": { readonly request: InteractionRequest; readonly purpose: Purpose };
  "interaction.rejected": {
    readonly interaction: string;
    readonly attempt: number;
    readonly code: InvalidCode;
    readonly detail: string;
    readonly answer_id?: string;
    readonly by: Person;
  };
  "interaction.resolved": { readonly interaction: string } & Resolution;
  "interaction.expired": { readonly interaction: string };

  /** For this session, or saved beside it: then it is in its store by now. */
  "grant.added": { readonly grant: Grant; readonly call: string; readonly by: Person };
  "grant.removed": { readonly grant: string; readonly by: Person };
  /** A rule that was confirmed could not be saved; its call runs once. */
  "grant.failed": { readonly grant: string; readonly call: string; readonly reason: string };

  "terminal.opened": { readonly cwd: string };
  /** `lost`: nobody closed it; the next one opens where it was. */
  "terminal.closed": { readonly cwd: string; readonly lost?: true };
  /** `since` is when the system says it started: a pid alone can come to name a stranger. */
  "process.started": {
    readonly process: string;
    readonly pid: number;
    readonly since: number;
    readonly command: string;
  };
  "process.ended": { readonly process: string; readonly exit?: number };
  /** From here on it does not end with the session. */
  "process.kept": { readonly process: string; readonly by: Person };
};

/** The type of an event, such as `call.started`. */
export type EventType = keyof EventData;
/** An event of one type, or of several. */
export type EventOf<T extends EventType> = { [K in T]: { readonly type: K; readonly at: number } & EventData[K] }[T];
/** An event as it is recorded, with the time of the input that caused it. */
export type SessionEvent = EventOf<EventType>;
/** An event before it is stamped with the time of the input that caused it. */
export type EventBody = { [K in EventType]: { readonly type: K } & EventData[K] }[EventType];

/** Who acted and through which adapter: both come from the transport, never from a message body (INT-12). */
export type Person = { readonly name: string; readonly adapter: string };

/** `graceful` lets what runs come to its end; `kill` ends it. */
export type StopMode = "graceful" | "kill";

/** How an exchange (and its run, if it had one) came to its end (LOOP-6). */
export type Ending =
  | { readonly outcome: "answered"; readonly fallback?: "overflow" }
  | { readonly outcome: "completed"; readonly status: CompleteStatus }
  | { readonly outcome: "iteration-limit" | "turn-limit" | "budget" | "stalled"; readonly bound: Bound }
  | { readonly outcome: "stopped" | "cancelled" }
  | { readonly outcome: "contract-violation"; readonly violations: readonly ReplyViolation[] }
  | { readonly outcome: "failed"; readonly reason: FailureReason; readonly detail: string; readonly bound?: Bound };

/** Why a reply was discarded (TXT-4). */
export type ReplyViolation = Violation | "soft-offer";

/** How an exchange ended, in one word. */
export type Outcome = Ending["outcome"];
/** How a model says that its run went. */
export type CompleteStatus = "success" | "failure" | "partial";
/** Why an exchange failed. */
export type FailureReason = "model" | "overflow" | "failed-calls" | "nobody";
/** What ends a run that would go on, or asks a person whether it may. */
export type Bound =
  | "iterations"
  | "turns"
  | "clock"
  | "calls"
  | "tokens"
  | "iteration-tokens"
  | "cost"
  | "failed-calls"
  | "silent-replies"
  | "repeated-calls";

/** A reply of a model, with the ids that its calls have in this session. */
export type ModelReply = {
  readonly text: string;
  readonly calls: readonly CallRequest[];
  readonly usage: Usage;
  readonly reasoning?: Reasoning;
  /** The model's output limit ended it, not the model. */
  readonly cut?: true;
};

/**
 * What a model thought, as its API wants it back with the next request: nobody else can read it, and no other model takes
 * it. It is kept and sent back as it came.
 */
export type Reasoning = { readonly model: string; readonly content: Json };

/** One tool call of a reply: `arguments` is the model's own text, never rewritten (SEL-3). */
export type CallRequest = {
  readonly id: string;
  readonly original: string;
  readonly tool: string;
  readonly arguments: string;
  readonly asks: Asks;
};

/** A call that a person makes. */
export type EnteredCall = Pick<CallRequest, "tool" | "arguments" | "asks">;

/**
 * What a call asks for, read once at the edge. Only `tool` reaches outside, and a flow that `runs` once it is confirmed; the
 * others are the core's own. `observes`: it only looks something up that answers the person (SEL-8).
 */
export type Asks =
  | { readonly type: "tool"; readonly parallel: boolean; readonly command?: string; readonly observes?: true }
  | { readonly type: "agentic"; readonly objective: string }
  | { readonly type: "complete"; readonly result: string; readonly status: CompleteStatus }
  | { readonly type: "ask"; readonly draft: QuestionDraft }
  | { readonly type: "flow"; readonly flow: Flow; readonly runs?: true }
  | { readonly type: "invalid"; readonly reason: string };

/**
 * The newest messages stay whole; of the results in the others no more than so many characters stay. `all`: none stays whole, and
 * the model is told how to come by what it has not read.
 */
export type Shortening = { readonly keep: number; readonly most: number; readonly all?: true };

/**
 * What follows a failed request: shorter results, a summary, a reply without tools, the request that it was to make room for, or
 * the end of the exchange.
 */
export type AfterFailure = "shorten" | "compact" | "converse" | "send" | "end";

/**
 * What went wrong with a model: the class of failure, what was said, and what a person can do about it. `partial` is the text
 * that came.
 */
export type ModelFailure = {
  readonly class: string;
  readonly detail: string;
  readonly remedy: string;
  readonly partial: string;
};

/** Tokens, of which `cached` are part of `input`, and money where the prices are known. */
export type Usage = {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly cost?: number;
};

/** `error` is a failed call; a command that ran and exited non-zero is `output` with its code (LOOP-3). */
export type ToolResult = {
  readonly type: "output" | "error";
  readonly text: string;
  readonly exit?: number;
  /** What ended the command, when something did. */
  readonly signal?: string;
  readonly duration_ms?: number;
  /** Where the persistent shell is afterwards. */
  readonly cwd?: string;
  readonly files?: readonly string[];
  readonly more_files?: boolean;
  /** What a change of a file was, for people; the model wrote it. */
  readonly diff?: string;
  readonly seen?: readonly SeenFile[];
  /** A command line of the shell that is to be entered there when it is idle (HAND-1). */
  readonly launch?: string;
};

/** A file as the model last read or wrote it (TERM-8). */
export type SeenFile = { readonly path: string; readonly digest: string };

/** Why a call was not approved: by the policy, by a person's no, or by a question that ended without an answer. */
export type RefusedWhy = "policy" | "person" | Unanswered | "changed";
/** Why a call was passed over. */
export type SkippedWhy = "ending" | "run-opened" | "after-complete" | "cancelled" | "stopped";
/** How a question ends without an answer (ANS-7). */
export type Unanswered = "cancelled" | "aborted" | "expired" | "stopped" | "nobody";

/** How a flow ends while something waits for its answers. */
export type FlowEnd = "confirmed" | Unanswered;

/** Why a person is asked: it decides what every kind of answer means (ANS-7). */
export type Purpose =
  | { readonly type: "question" | "approval" | "terminal-input"; readonly call: string }
  /** Whether the rule is saved by which the call would not be asked about again. */
  | { readonly type: "grant"; readonly call: string; readonly scope: SavedScope }
  /** `place` is the step's key, `@confirm` or `@edit`. */
  | { readonly type: "flow"; readonly call: string; readonly place: string }
  /** The model's final text was a block (TXT-10), or the turn limit is reached. */
  | { readonly type: "final-text" | "turn-limit" };

/** The one terminal transition of an interaction, other than expiry (INT-10, INT-11). */
export type Resolution =
  | {
      readonly state: "answered" | "declined" | "cancelled";
      readonly response: InteractionResponse;
      readonly by: Person;
      readonly shown: string | null;
    }
  | { readonly state: "aborted"; readonly by: Person }
  | ({ readonly state: "withdrawn" } & Withdrawal);

/** Why nobody waits for what a running call asked: it ended, or it wants it no more. */
export type Unasked = "call-ended" | "taken-back";

/** Why a question was taken back. */
export type Withdrawal =
  | { readonly reason: "stopped" | "limit-changed" | Unasked | "secret-lost" }
  | { readonly reason: "nobody"; readonly unattended: Unattended };

/** What to do when nobody can be asked (APPR-9). */
export type Unattended = "deny" | "park" | "abort";
