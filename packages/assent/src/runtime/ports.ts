import type {
  Asks,
  BackgroundProcess,
  Flow,
  Grant,
  InputBody,
  InputDraft,
  Json,
  ModelAddress,
  ModelFailure,
  ModelRequest,
  OpenFlow,
  Reasoning,
  Secret,
  Session,
  SessionEvent,
  SoftOffers,
  ToolResult,
  Usage,
} from "../core/index.ts";
import type { Plan, Policy } from "../policy/index.ts";
import type { RecordedEvent } from "../wire/index.ts";

export type { Plan, ShellFacts } from "../policy/index.ts";
export { Countdown } from "./countdown.ts";

/**
 * What the runtime needs from outside, and all that it needs: every read, write, wait and start goes through one of
 * these. So whoever wraps them sees, delays or fails everything a session does.
 */
export type Ports = {
  readonly journal: Journal;
  readonly secrets: Secrets;
  readonly grants: Grants;
  readonly provider: Provider;
  readonly tools: readonly Tool[];
  /** Those that come and go, such as the tools of outside servers: as they are now, the same list while none changed. */
  readonly joined?: () => readonly Tool[];
  /** Whether a process that a session left in the background still runs, and is not another that got its id. */
  readonly runs: (process: BackgroundProcess) => boolean;
  /** May come later, as the hands of tools do: nothing is judged before they are needed. */
  readonly policy: Policy | (() => Promise<Policy>);
  /** Rules that people have written, for work in that folder; what cannot be read asks about everything. */
  readonly rules?: (cwd: string) => NonNullable<Plan["rules"]>;
  /** The ports and sockets at which Assent listens on this machine now: the agent must not speak for a person there (APPR-10). */
  readonly served?: () => readonly string[];
  /** Files and folders of the host itself, beside what its journal, secrets and grants are kept in (APPR-10). */
  readonly own?: readonly string[];
  /** What else is to be left when the host is closed, after all sessions. */
  readonly closing?: () => Promise<void>;
  readonly clock: Clock;
  /** Who this process is among those that share the journal. */
  readonly holder: Holder;
  readonly newId: () => string;
  /** How long the model's questions and the approvals stay open; `null` is as long as it takes (INT-8). */
  readonly expiryMs: number | null;
  /** What becomes of a final text that asks or offers in prose (TXT-5). */
  readonly softOffers: SoftOffers;
  /** The facts of the per-turn context (SEL-6). */
  readonly context: (place: Place) => string;
  /** The values that must never be seen; the same list as long as they are the same (INTG-4). */
  readonly hidden?: () => readonly string[];
};

/**
 * Where sensitive answers are, and nowhere else, until what needs them has ended (INT-2). A name begins with the id of its
 * session; a value that is not there is `null`.
 */
export type Secrets = {
  /** The folders and files that it keeps them in, if any: no agent touches those without a person. */
  readonly places?: readonly string[];
  /** Durable when it returns. */
  put(secret: Secret): void;
  read(name: string): string | null;
  remove(name: string): void;
  /** Those that begin so and were put longer ago than this. */
  names(beginning: string, olderThanMs: number): readonly string[];
};

/** The run marker: the variable by which everything that a session's calls start is known, `<session>/<call>`. */
export const markerName = "ASSENT_RUN";
/** The variable by which everything is known that an outside server starts. */
export const serverMarkerName = "ASSENT_SERVER";

/** Where the rules are that outlive a session, for all processes of a person (APPR-7). */
export type Grants = {
  /** The folders and files that it keeps them in, if any: no agent touches those without a person. */
  readonly places?: readonly string[];
  /** Those that can be read, also such as do not count any more. One that this call has used already still counts for it. */
  list(call?: string): readonly Grant[];
  /** What cannot be read, each with where it is: it grants nothing. */
  damage(): readonly string[];
  /** Durable when it returns; the same one again changes nothing. */
  put(grant: Grant): void;
  /** Whether there was one. */
  remove(id: string): boolean;
  /** Takes one of the uses of a grant that has a number of them, once for each call; false when none is left. */
  use(id: string, call: string): boolean;
};

/** A grant could not be saved or removed; the message names where. */
export class GrantsError extends Error {
  override readonly name = "GrantsError";
}

/** What stands for a secret that was typed, wherever it would be seen. */
export const secretMark = "[secret]";
/** Shorter ones are keys rather than secrets: to hide them would make every text unreadable. */
export const leastHidden = 4;

/** Where a call is made: in which session, and what that knows of the world. */
export type Place = { readonly session: string } & Pick<Session, "cwd" | "terminal" | "seen"> & {
    /** What a person has filled in for this call; of a secret the name under which the store has it. */
    readonly flow?: Pick<OpenFlow, "flow" | "state"> | null;
    /** Files and folders of the host itself (APPR-10). */
    readonly own?: readonly string[];
  };

/** Where sessions are kept. Synchronous: an append is a fraction of a millisecond, and what follows must wait for it. */
export type Journal = {
  /** The folders and files that it keeps them in, if any: no agent touches those without a person. */
  readonly places?: readonly string[];
  /** All of the events or none; durable when it returns `appended`. A sequence that is not the newest is refused. */
  append(session: string, expected: number, events: readonly SessionEvent[]): Appended;
  /** The events after that sequence number, in order, at most `most`; of a damaged store those before the damage. */
  read(session: string, after: number, most?: number): Reading;
  /** Every session with the events that say where it stands: it, its exchanges, its questions. */
  outline(): Outline;
  /** The number of the newest event of every session: cheap enough to see which have changed. */
  heads(): ReadonlyMap<string, number>;
  /** Differs from before when another process may have written since. */
  revision(): number;
  /** Takes the session's lease unless a living process has it; the one who has it afterwards is returned (SESS-4). */
  takeLease(session: string, holder: Holder): Holder;
  releaseLease(session: string, holder: Holder): void;
  /** Who has the lease and is alive. */
  leaseHolder(session: string): Holder | null;
  /** Nothing is left of the session afterwards; unless a living process works on it, which is returned. */
  remove(session: string): Holder | null;
  /**
   * What the hashes say of the events of one session, or of all with `null`; `wanted` is a hash that is looked for (SESS-5). Of one
   * session with `after` only of those that follow that event, which is known to be as it was recorded.
   */
  verify(session: string | null, wanted?: string, after?: ChainPlace): readonly ChainCheck[];
  close(): void;
};

/** Whether events were appended; `stale`: another was faster, and the newest number is this. */
export type Appended = { readonly type: "appended" } | { readonly type: "stale"; readonly newest: number };
/** Events as they were read, and from where on nothing more can be. */
export type Reading = { readonly events: readonly RecordedEvent[]; readonly damage: Damage | null };
/** From this event on, a session cannot be read. */
export type Damage = { readonly session: string; readonly seq: number; readonly reason: string };
export function describeDamage({ session, seq, reason }: Damage): string {
  return `session ${session}: event ${seq} cannot be read: ${reason}; the ${seq - 1} before it are kept`;
}

/** Every session with its milestones. */
export type Outline = { readonly sessions: readonly SessionOutline[]; readonly damage: readonly Damage[] };
/** A session with its milestones. */
export type SessionOutline = {
  readonly session: string;
  readonly newest: number;
  readonly milestones: readonly RecordedEvent[];
};

/** Each event's hash covers its text, its place and, by the hash of the one before it, all that came before. */
export type ChainCheck = {
  readonly session: string;
  readonly events: number;
  /** So many at the beginning were recorded before there were hashes. */
  readonly before: number;
  /** The hash of the newest event; `null` where that has none. */
  readonly head: string | null;
  /** The event that has the hash which was looked for, where all up to it is as it was recorded. */
  readonly found: number | null;
  /** What is not as it was recorded: the first of them, and how many more there are. */
  readonly breaks: readonly ChainBreak[];
  readonly more: number;
};
/** One place at which a session is not as it was recorded. */
export type ChainBreak = {
  readonly seq: number;
  readonly what:
    | "changed"
    | "hash"
    | "misplaced"
    | "missing"
    | "unhashed"
    | "unreadable"
    | "cut"
    | "noted"
    | "unlisted";
  readonly reason: string;
  /** What the event is and which call it is about, as far as its text still says so. */
  readonly type: string | null;
  readonly call: string | null;
};

/** An event and its hash. */
export type ChainPlace = { readonly seq: number; readonly hash: string };

/** The types of event that an outline holds. */
export const milestones: readonly string[] = [
  "session.created",
  "session.renamed",
  "session.aborted",
  "exchange.started",
  "exchange.ended",
  "interaction.requested",
  "interaction.resolved",
  "interaction.expired",
] satisfies readonly SessionEvent["type"][];

/**
 * Who works on a session: a process by its id and when it started, for an id alone comes to name another one. `boot` tells
 * apart machine starts, and places that count processes for themselves; `host` tells apart hosts of one process.
 */
export type Holder = { readonly pid: number; readonly started: string; readonly boot: string; readonly host: string };

/** The journal could not do what it must: the work stops here, and nothing that was recorded is lost. */
export class JournalError extends Error {
  readonly code: "damaged" | "not_as_recorded" | "full" | "unwritable" | "busy" | "newer" | "io";
  /** The one that it is about, where that is known. */
  readonly session: string | null;
  constructor(code: JournalError["code"], message: string, session: string | null = null) {
    super(message);
    this.name = "JournalError";
    this.code = code;
    this.session = session;
  }
}

/** A language model behind any wire. Failures are results; it throws only when it is broken. */
export type Provider = {
  ask(question: ModelQuestion, watched: WatchedRequest): Promise<ModelAnswer>;
  /** How many tokens a request and its reply may have together; `null` where nobody knows. */
  readonly window?: number | null;
  /** Where requests go; `null` where they do not leave this process. A session remembers it, and is not sent elsewhere unasked. */
  readonly address?: ModelAddress | null;
};

/** What a provider is asked: one request of a session. */
export type ModelQuestion = {
  readonly session: string;
  readonly number: number;
  readonly wanted: "reply" | "summary";
  /** The same in every request, before all messages. */
  readonly system: string;
  /** All that the session has, in their order, also where the request lets none be called. */
  readonly tools: readonly OfferedTool[];
  readonly request: ModelRequest;
};

/** A tool as a model is told of it: the only ground on which it chooses (SEL-2). */
export type OfferedTool = {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of its arguments. */
  readonly parameters: Json;
};

/** How a request is followed and given up. */
export type WatchedRequest = {
  readonly signal: AbortSignal;
  /** Aborted when what is on its way is still wanted, and nothing after it: it is not sent again (STOP-1). */
  readonly stopping?: AbortSignal;
  readonly onText: (text: string) => void;
  /** The request is on its way: until something comes back there is time for other things. */
  readonly onSent?: () => void;
  /** The request failed and is sent again after a while. */
  readonly onRetry: (retry: Retry) => void;
};

/** A request that failed and is sent again. */
export type Retry = {
  /** Which try comes next, of how many. */
  readonly attempt: number;
  readonly most: number;
  readonly delay_ms: number;
  readonly failure: ModelFailure;
};

/** What came back from a model. Whatever goes wrong is an answer, too. */
export type ModelAnswer =
  | {
      readonly type: "replied";
      readonly text: string;
      readonly calls: readonly RawCall[];
      readonly usage: Usage;
      readonly reasoning?: Reasoning;
      /** The model's output limit ended it. */
      readonly cut?: true;
      /** The wire says that the model refused: its text is shown unchecked (PRI-1). */
      readonly refusal?: true;
    }
  | { readonly type: "failed"; readonly failure: ModelFailure }
  | { readonly type: "overflow"; readonly detail: string }
  /** Given up because the signal said so. */
  | { readonly type: "abandoned"; readonly partial?: string };

/** A call as the wire brought it: its id may be missing or used before, its arguments may be anything. */
export type RawCall = {
  readonly id: string;
  readonly tool: string;
  readonly arguments: string;
  /** What is wrong with how it came: the model is told, and it is not run (SEL-3). */
  readonly flaw?: string;
};

/** Something a model can call. `read` runs when the reply arrives; a tool that acts also plans and runs. */
export type Tool = {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of its arguments. */
  readonly parameters: Json;
  /** Whether a call of it can change something. */
  readonly tier: "safe" | "elevated";
  /** After so long a call is told to end, the time in which it asks people left out; a tool that does not say keeps its own. */
  readonly timeoutMs?: number;
  /** Whether it is offered in this session now; always, where it does not say. */
  available?(session: Session): boolean;
  /** Reads the model's arguments, once, at the edge; what is wrong with them is `invalid`, never an exception. */
  read(given: string): Asks;
  /** May come later: a start must not pay for what the first request to the model does not need. */
  readonly hands?: Hands | (() => Promise<Hands>);
};

/** What a tool does. `plan` says it, `run` does exactly that, once it is allowed. */
export type Hands = {
  /** Exactly what would be done, as data: this is judged, shown, hashed, and then run; unless it says that it fails. */
  plan(given: string, place: Place): Plan;
  run(plan: Plan, watched: WatchedCall): Promise<ToolResult>;
  /** Where these really are, seen from the plan's folder; without those of which it cannot be told. */
  realPlaces?(paths: readonly string[], plan: Plan): Readonly<Record<string, string>>;
  /** The session is closed: ends whatever its calls have left running, but for the processes that a person keeps. */
  close?(session: string, kept: readonly string[]): Promise<void>;
  /** A session is taken over that was not left in order. Told before anything is planned in it. */
  adopt?(left: LeftBehind): void;
};

/** What is left of a session that another process had to leave. */
export type LeftBehind = {
  readonly session: string;
  /** Those in the background that ran when the session was taken over. */
  readonly processes: readonly BackgroundProcess[];
  readonly tell: (fact: Fact) => void;
};

/** What happens beside calls: the persistent shell opens or closes, processes start and end. */
export type Fact = Extract<InputBody, { readonly type: "terminal" | "process" }>;

/** What a running call has to do with the session: its end, its output, a person. */
export type WatchedCall = {
  readonly session: string;
  readonly call: string;
  readonly signal: AbortSignal;
  readonly onOutput: (stream: "stdout" | "stderr", text: string) => void;
  /** Whether a person can be asked while it runs. */
  readonly attended: boolean;
  /** Also after the end of the call, for as long as the session is open here. */
  readonly tell: (fact: Fact) => void;
  /** Asks a person for input; `null` when there will be none. */
  readonly ask: (draft: InputDraft) => Promise<Typed | null>;
  /** Puts a flow to a person: one step is one question, several are a form with a summary. One at a time (BRG-1). Taken back, its question is withdrawn. */
  readonly form: (flow: Flow, takenBack?: AbortSignal) => Promise<FormEnd>;
  /** `null`: there is no terminal of a person here. */
  readonly lend: Lend | null;
};

/** Gives the person's terminal away for as long as `use` takes; its modes are the lender's to restore. */
export type Lend = <T>(use: () => Promise<T>) => Promise<T>;

/** What a person typed for a running command. */
export type Typed = { readonly text: string; readonly secret: boolean };

/** How a flow that a running call put to a person ended. */
export type FormEnd =
  | { readonly type: "filled"; readonly answers: Readonly<Record<string, FormAnswer>> }
  /** They said neither yes nor no, or nobody could be asked. */
  | { readonly type: "unanswered"; readonly why: "cancelled" | "aborted" | "expired" | "stopped" | "nobody" };
/** The ids of the options that were chosen, or the text that was typed. */
export type FormAnswer = { readonly options: readonly string[] } | { readonly text: string };

/** Time, as the runtime knows it: a test may have its own. */
export type Clock = {
  now(): number;
  /** Calls back once, after that many milliseconds, unless cancelled. */
  after(ms: number, then: () => void): () => void;
};

/** What is seen while it happens, never stored and dropped for whoever is slow. */
export type Live =
  /** Text that may still be discarded is not shown; that it comes is (TXT-4). */
  | { readonly type: "progress"; readonly request: number; readonly characters: number }
  | { readonly type: "text"; readonly request: number; readonly text: string }
  | ({ readonly type: "retry"; readonly request: number } & Retry)
  | { readonly type: "output"; readonly call: string; readonly stream: "stdout" | "stderr"; readonly text: string };
