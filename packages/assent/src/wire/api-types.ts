import type {
  AuditRecord,
  Grant,
  InteractionRequest,
  InteractionResponse,
  Outcome,
  Person,
  StopMode,
  TurnLimit,
  Usage,
  Waiting,
} from "../core/index.ts";

/** What the bearer of a token may do: look, answer too, or everything. */
export type Role = "viewer" | "answerer" | "admin";

/** Who the caller is to the server. */
export type ApiMe = { readonly name: string; readonly role: Role };

/** By a token, or by a ticket that counts once; `bind`: the cookie is to count only together with a key. */
export type ApiLogin =
  | { readonly token: string; readonly bind?: boolean }
  | { readonly ticket: string; readonly bind?: boolean };

/** Who has signed in. `key` goes into the header `x-assent-key` of every request, where the cookie was bound to one. */
export type ApiSignedIn = { readonly name: string; readonly role: Role; readonly key?: string };

/** A session in a list. */
export type ApiSession = {
  readonly session: string;
  readonly name: string | null;
  readonly cwd: string;
  readonly status: "active" | "aborted";
  readonly created: number;
  /** When it last came to a milestone. */
  readonly changed: number;
  readonly events: number;
  readonly prompt: string | null;
  /** Of the last exchange; `null` while one is open or none was. */
  readonly outcome: Outcome | null;
  /** An exchange is open. */
  readonly open: boolean;
  /** The question that waits for an answer. */
  readonly interaction: string | null;
  /** The process that works on it. */
  readonly holder: { readonly pid: number } | null;
};

/** A part of all sessions, how many there are, and what of the journal cannot be read. */
export type ApiSessions = {
  readonly sessions: readonly ApiSession[];
  readonly total: number;
  readonly damage: readonly string[];
};

/** A session with what goes on in it now. */
export type ApiSessionDetail = ApiSession & {
  readonly model: string | null;
  readonly limits: { readonly turns: TurnLimit; readonly iterations: number };
  /** Turns since the counter was last reset. */
  readonly turns: number;
  readonly usage: Usage;
  readonly exchange: {
    readonly ordinal: number;
    readonly prompt: string;
    readonly by: Person;
    readonly replies: number;
    readonly run: { readonly objective: string; readonly iterations: number } | null;
    /** It is about to end: somebody said stop. */
    readonly stop: StopMode | null;
  } | null;
  readonly waiting: readonly Pick<Waiting, "id" | "type" | "text" | "held">[];
  /** What was granted for this session. */
  readonly grants: readonly Grant[];
};

/** What a session is begun with. `cwd` is where the server was started, unless said; with `prompt` it begins at once. */
export type ApiCreation = {
  readonly cwd?: string;
  readonly model?: string;
  readonly name?: string;
  readonly limits?: { readonly turns?: TurnLimit; readonly iterations?: number };
  readonly prompt?: string;
};

/** The session that was begun. */
export type ApiCreated = { readonly session: string };

/** A prompt. `now` steers an exchange that is open, `next` waits for its end. */
export type ApiPrompt = { readonly text: string; readonly delivery?: "now" | "next" };

/** How to stop what a session does. */
export type ApiStop = { readonly mode?: StopMode };

/** An input was taken: the number of the newest event that followed. */
export type ApiAccepted = { readonly accepted: true; readonly seq: number };

/** How a question ended, and by whom. */
export type ApiResolution = {
  readonly state: string;
  readonly at: number;
  readonly by?: Person;
  readonly response?: InteractionResponse;
  readonly reason?: string;
};

/** A question, whatever became of it. */
export type ApiInteraction = {
  readonly session: string;
  readonly session_name: string | null;
  readonly cwd: string;
  /** When it was asked. */
  readonly at: number;
  /** `waiting`: another question of its session comes first. */
  readonly state: "open" | "waiting" | "answered" | "declined" | "cancelled" | "expired" | "aborted" | "withdrawn";
  readonly request: InteractionRequest;
  /** Invalid answers so far; told of one question, not in a list. */
  readonly attempts?: number;
  /** How it ended. */
  readonly resolution?: ApiResolution;
};

/** A part of all questions, how many there are, and what of the journal cannot be read. */
export type ApiInteractions = {
  readonly interactions: readonly ApiInteraction[];
  readonly total: number;
  readonly damage: readonly string[];
};

/** An answer was taken; `replayed`: it had been before, and changed nothing now. */
export type ApiAnswered = { readonly accepted: true; readonly replayed: boolean; readonly seq: number };

/** A typed line as an answer. */
export type ApiReply = { readonly line: string };

/** The calls of a session, with who or what decided on each, and whether its events are as they were recorded. */
export type ApiAudit = { readonly session: string; readonly records: readonly AuditRecord[]; readonly chain: ApiChain };

/** What the hashes of a session's events say: all is as it was recorded where there are no breaks. */
export type ApiChain = {
  readonly events: number;
  /** So many at the beginning were recorded before there were hashes. */
  readonly before: number;
  /** The hash of the newest event; `null` where that has none. */
  readonly head: string | null;
  /** What is not as it was recorded: the first of them, and how many more there are. */
  readonly breaks: readonly {
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
  }[];
  readonly more: number;
};

/** What is granted, and which of the files cannot be read. */
export type ApiGrants = { readonly grants: readonly Grant[]; readonly damage: readonly string[] };

/** Why the server refused, in one word and in a sentence. */
export type ApiError = {
  readonly error: {
    readonly code: string;
    readonly detail: string;
    /** Which invalid answer this was, and whether it was the last. */
    readonly attempt?: number;
    readonly aborted?: boolean;
    /** Who was faster. */
    readonly winner?: ApiResolution;
  };
};
