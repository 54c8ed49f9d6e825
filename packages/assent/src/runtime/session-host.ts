import type {
  AuditRecord,
  InputBody,
  InteractionRequest,
  Limits,
  Refusal,
  Session,
  Unattended,
} from "../core/index.ts";
import type { RecordedEvent } from "../wire/index.ts";
import type { SessionSummary, Standing } from "./outline.ts";
import type { ChainBreak, ChainCheck, Damage, Holder, Lend, Live, Provider } from "./ports.ts";
import type { FoundQuestion, OpenQuestion, Part } from "./questions.ts";

/** What an input came to: what was recorded, and why it was not taken where it was not. */
export type Submitted = { readonly refusal: Refusal | null; readonly events: readonly RecordedEvent[] };

/** All sessions of one journal. Adapters see this and nothing behind it. */
export type SessionHost = {
  /** Makes a session. Nothing is done in it before it has a prompt and somebody holds it. */
  create(creation: Creation): Created;
  /** A new session with the history of this one, in the same folder, with its limits and model; this one stays as it is. */
  fork(session: string): Created;
  /** Any process may submit to any session; what follows is recorded when this returns (SESS-4). */
  submit(session: string, body: InputBody): Submitted;
  /** The session as it is now; one that was never created has the status `new`. */
  view(session: string): Session;
  /** The recorded events after a number, at most so many. */
  events(session: string, part: { readonly after: number; readonly most: number }): readonly RecordedEvent[];
  /** From where on a session's journal cannot be read, if that is so. */
  damage(session: string): Damage | null;
  /**
   * What of a session is not as it was recorded, as far as this host has read it and not recorded it itself: cheap enough to ask
   * before each step, for nothing is looked at twice (SESS-5).
   */
  breaks(session: string): readonly ChainBreak[];
  /** All events after a number, then every new one, and what is live between them. */
  watch(session: string, options?: { readonly after?: number }): Watch;
  /** Works on the session from now on; while another process does, waits until that one has left or died. */
  hold(session: string, options?: HoldOptions): Hold;
  /** The process that works on the session now. */
  holder(session: string): Holder | null;
  /** Removes a session with all that is kept of it; unless a living process works on it, which is returned. */
  remove(session: string): Holder | null;
  /** Every session, with where it stands, the one that changed last at the end; and what of the journal cannot be read. */
  sessions(): { readonly sessions: readonly SessionSummary[]; readonly damage: readonly Damage[] };
  /** Every open question of every session. */
  interactions(): { readonly open: readonly OpenQuestion[]; readonly damage: readonly Damage[] };
  /** Every question of every session that is not closed, the oldest first; a part of them. */
  questions(part: Part): { readonly questions: readonly FoundQuestion[]; readonly total: number };
  /** One question, whatever became of it; `dated` also tells of one that is closed when it was asked, which takes longer. */
  question(interaction: string, options?: { readonly dated?: boolean }): FoundQuestion | null;
  /** The calls of a session: who or what decided on each, and what came of it (SESS-5); `most` takes only its first events. */
  audit(session: string, most?: number): readonly AuditRecord[];
  /** Whether what is recorded is still as it was, of one session or of all with `null` (SESS-5). */
  verify(session: string | null, wanted?: string): readonly ChainCheck[];
  /** Where all sessions stand, kept up as long as somebody listens. */
  overview(): Overview;
  /** Leaves all sessions; the journal stays open, for it was given. */
  close(): Promise<void>;
};

/** What a session is made with. */
export type Creation = {
  /** The folder in which its calls work. */
  readonly cwd: string;
  /** How much it may do; each has a default. */
  readonly limits?: Partial<Limits>;
  /** What its model is called: remembered for whoever goes on with it. */
  readonly model?: string;
};
/** The id of a new session, or why there is none. */
export type Created = { readonly session: string } | { readonly refusal: Refusal };
/** What a watcher is shown: recorded events without gap or repetition, and between them what is live. */
export type Watched =
  /** `newest` when nothing is recorded after it so far. */
  | ({ readonly type: "recorded"; readonly newest: boolean } & RecordedEvent)
  | { readonly type: "live"; readonly live: Live }
  | { readonly type: "dropped"; readonly count: number };

/** A place in a session's journal: iterate it for what follows, `finish` or `close` it when that is enough. */
export type Watch = AsyncIterable<Watched> & {
  /** Ends the watch after all that is recorded by now. */
  finish(): void;
  /** Ends it at once. */
  close(): void;
};

/** Called with a session that has changed: by this process, or by another. */
export type OnSession = (session: string, by: "own" | "other") => void;

/** Where all sessions of a host stand, a few fields each. */
export type Overview = {
  /** In the order in which they were made. */
  readonly sessions: Iterable<Standing>;
  readonly size: number;
  /** What cannot be read. */
  readonly damage: readonly Damage[];
  session(id: string): Standing | null;
  /** From now on, until what it returns is called. */
  listen(listener: OnSession): () => void;
};

/** How a session is worked on here. */
export type HoldOptions = {
  /** What becomes of a question: nothing while someone can be asked here (`null`), otherwise this; without it, it waits (APPR-9). */
  readonly unattended?: (request: InteractionRequest) => Unattended | null;
  /** Whether a person can be asked here while a command runs; without it, nobody can. */
  readonly attended?: () => boolean;
  /** Whether every call that could change something is denied. */
  readonly readOnly?: boolean;
  /** The model of this session, where it is not that of the host. */
  readonly provider?: Provider;
  /** The person's terminal for a command of theirs; only a shell has one to lend. */
  readonly lend?: Lend;
  /** The session cannot be worked on any more; this process has left it. */
  readonly onFailure?: (error: unknown) => void;
  /** It is worked on, though something before what is under way in it is not as it was recorded: told once (SESS-5). */
  readonly onBreaks?: (breaks: readonly ChainBreak[]) => void;
  /** Called when this process gets the lease, at once or after another has left or died. */
  readonly onWork?: () => void;
};
/** A session that this host works on, or waits for. */
export type Hold = {
  /** Whether this process has the lease. */
  readonly works: () => boolean;
  /** Ends what is under way and leaves the session to whoever wants it. */
  readonly release: () => Promise<void>;
};
