import type {
  Asks,
  EnteredCall,
  ModelFailure,
  Person,
  Reasoning,
  Resolution,
  StopMode,
  ToolResult,
  Unattended,
  Usage,
} from "./events.ts";
import type { GrantRule, GrantUsed } from "./grant.ts";
import type { ApprovalDraft, Flow, InteractionResponse, ShownDraft, SoftOffers } from "./interaction/index.ts";
import type { Json } from "./json.ts";
import type { Limits } from "./limits.ts";
import type { HistoryMessage } from "./state.ts";

/** What reaches a session from outside: nouns. Ids, times and digests come with them; the core makes none. */
export type InputData = {
  creation: {
    readonly session: string;
    readonly cwd: string;
    readonly limits: Partial<Limits>;
    readonly model?: string;
    readonly forks?: Forked;
  };
  name: { readonly name: string } & Acted;
  limit: { readonly turns?: unknown; readonly iterations?: unknown } & Acted;
  /** The facts of the per-turn context and of the model; recorded only when they changed. */
  context: { readonly text: string; readonly window?: number | null; readonly address?: ModelAddress | null };

  /** `now` steers a running exchange, `next` waits for the one after. Only what was typed is scanned for "stop". */
  prompt: {
    readonly text: string;
    readonly delivery: "now" | "next";
    readonly entry: "typed" | "submitted";
  } & Acted;
  /** A call that a person makes, in their words `text`: an exchange of its own without a model (SEL-5). */
  command: { readonly text: string } & EnteredCall & Acted;
  /** A command of the shell was typed: recorded, and nothing else (SEL-5). */
  entry: { readonly command: string } & Acted;
  /** A person wants the history summarised now. */
  compaction: Acted;
  /** Goes on with the exchange that the model's failure ended, or that outgrew the model. */
  resumption: Acted;
  withdrawal: { readonly waiting: string } & Acted;
  /** A person sends a text that stayed waiting. */
  release: { readonly waiting: string } & Acted;
  /** `exchange` guards against stopping the next one when the one that was meant has just ended. */
  stop: { readonly mode: StopMode; readonly exchange?: number } & Acted;

  /**
   * A flow that no model asked for: an exchange of its own (FLOW-5). `name` is what it is called in the history; once it is
   * confirmed, the hands of `tool` make something of the answers.
   */
  flow: { readonly flow: Flow; readonly name: string; readonly arguments: string; readonly tool?: string } & Acted;

  reply: { readonly interaction: string; readonly line: string; readonly shown: string | null } & Acted & Kept;
  response: { readonly response: InteractionResponse; readonly shown: string | null } & Acted & Kept;
  /** Nobody can be asked; `park` leaves the question open (APPR-9). */
  nobody: { readonly interaction: string; readonly unattended: Unattended };

  /** `soft_offers` is what becomes of a final text that asks in prose, `timeout_ms` how long a question in it stays open. */
  "model-result": {
    readonly request: number;
    readonly result: ModelResult;
    readonly soft_offers?: SoftOffers;
    readonly timeout_ms?: number;
  };
  verdicts: { readonly verdicts: readonly JudgedCall[] };
  /** A rule was saved, or could not be, and why. */
  "grant-result": { readonly call: string; readonly failure?: string };
  /** A person takes back what was granted for this session; what is saved is removed where it is saved. */
  "grant-revocation": { readonly grant: string } & Acted;
  "tool-start": { readonly call: string; readonly digest: string };
  "tool-result": { readonly call: string; readonly result: ToolResult };
  /** A running command waits for a person's input on its terminal (TERM-6). */
  "input-request": { readonly call: string; readonly draft: InputDraft };
  /** A running call puts a flow to a person and goes on with how that ends (BRG-1). */
  "form-request": { readonly call: string; readonly flow: Flow };
  /** It wants the answer no more, such as where a server has taken back its question; the call goes on. */
  "form-withdrawal": { readonly call: string };
  terminal: { readonly state: "opened" | "closed" | "lost"; readonly cwd: string };
  process:
    | {
        readonly state: "started";
        readonly process: string;
        readonly pid: number;
        readonly since: number;
        readonly command: string;
      }
    | { readonly state: "ended"; readonly process: string; readonly exit?: number };

  /** A background process, by its id or its pid, is not ended when the session is closed. */
  keeping: { readonly process: string } & Acted;
  /** The shell has entered the command that this call asked for (HAND-1). */
  launch: { readonly call: string } & Acted;

  /** Time has passed. */
  clock: Record<never, never>;
  /**
   * A process has taken the session over: no call of before runs on, and of the background processes only these. `lost`
   * are the secrets that are not in their store any more.
   */
  recovery: { readonly alive: readonly string[]; readonly lost?: readonly string[] };
};

/** Where the requests to a model go. */
export type ModelAddress = {
  /** Scheme, host and port, and nothing else: it is recorded. */
  readonly origin: string;
  /** A session whose history went elsewhere may go there, too: a person has named the model for it, or it is on this machine. */
  readonly named: boolean;
};

/** `subject` is what the command has shown on its terminal; `response_schema` says that an empty line is an answer. */
export type InputDraft = ShownDraft;

/** Where a new session comes from, and what was said there until then. */
export type Forked = {
  readonly session: string;
  readonly seq: number;
  /** What that session was called. */
  readonly name: string | null;
  readonly history: readonly HistoryMessage[];
  /** Where that went. */
  readonly addresses?: readonly string[];
  /** There is no more in it than prompts. */
  readonly unworked?: true;
};

/** What the secret store says of a sensitive answer: the name to keep it under, and whether it is the one that is kept already. */
export type Kept = { readonly secret?: string; readonly repeats?: boolean };

/** Who brings an input and what their transport lets them do; the core checks, the transport vouches (INT-12). */
export type Acted = { readonly by: Person; readonly authority: "act" | "view" };

/** The type of an input, such as `prompt`. */
export type InputType = keyof InputData;
/** An input of one type, or of several. */
export type InputOf<T extends InputType> = { [K in T]: { readonly type: K; readonly at: number } & InputData[K] }[T];
/** An input with the time of its arrival. */
export type SessionInput = InputOf<InputType>;
/** An input before it is stamped with the time of its arrival. */
export type InputBody = { [K in InputType]: { readonly type: K } & InputData[K] }[InputType];

/** What came of a request to the model. */
export type ModelResult =
  | {
      readonly type: "replied";
      readonly text: string;
      readonly calls: readonly ReceivedCall[];
      readonly usage: Usage;
      readonly reasoning?: Reasoning;
      readonly cut?: true;
      /** The provider says that the model refused: the text is shown unchecked (PRI-1). */
      readonly refusal?: true;
    }
  | { readonly type: "failed"; readonly failure: ModelFailure }
  | { readonly type: "overflow"; readonly detail: string }
  | { readonly type: "summarised"; readonly summary: string; readonly usage: Usage }
  /** The request was never sent, or given up at a stop. */
  | { readonly type: "abandoned"; readonly partial?: string };

/** A call as the provider delivered it; its id may be missing or used before. */
export type ReceivedCall = {
  readonly id: string;
  readonly tool: string;
  readonly arguments: string;
  readonly asks: Asks;
};

/**
 * The policy's word on one call. At `ask`, `approval` is what to show, and `grant` the rule by which a person could allow it
 * for longer, if there is one; at `allow`, `granted` names the grant that allows it.
 */
export type JudgedCall = {
  readonly call: string;
  readonly rule: string;
  readonly reason: string;
  readonly digest: string;
  readonly facts: Json;
} & (
  | { readonly verdict: "allow"; readonly granted?: GrantUsed }
  | { readonly verdict: "deny" }
  | { readonly verdict: "ask"; readonly approval: ApprovalDraft; readonly grant?: GrantRule | null }
);

/** Why an input changed nothing, or was recorded as an invalid answer (INT-4). */
export type Refusal = {
  readonly code: RefusalCode;
  readonly detail: string;
  /** Which attempt an invalid answer cost; a malformed or unauthorised one costs none. */
  readonly attempt?: number;
  /** That attempt was the last: the interaction is aborted. */
  readonly aborted?: true;
  /** With `already_resolved`: how, by whom and when. */
  readonly winner?: Resolution & { readonly at: number };
};

/** Why an input was not taken, in one word. */
export type RefusalCode =
  | "unknown_interaction"
  | "already_resolved"
  | "expired"
  | "invalid_option"
  | "free_text_not_allowed"
  | "cancel_not_allowed"
  | "invalid_response"
  | "not_authorized"
  | "not_as_recorded"
  | "invalid_flow"
  | "flow_open"
  | "invalid_command"
  | "no_session"
  | "session_exists"
  | "session_aborted"
  | "invalid_limit"
  | "invalid_name"
  | "blank_prompt"
  | "unknown_waiting"
  | "already_sent"
  | "exchange_open"
  | "nothing_to_stop"
  | "nothing_to_resume"
  | "nothing_to_compact"
  | "stale_result"
  | "unknown_call"
  | "unknown_grant"
  | "unknown_process";
