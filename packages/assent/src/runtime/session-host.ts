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
import type { Submitted } from "./open-session.ts";
import type { SessionSummary } from "./outline.ts";
import type { Overview } from "./overview.ts";
import type { ChainCheck, Damage, Holder, Lend, Provider } from "./ports.ts";
import type { FoundQuestion, OpenQuestion, Part } from "./questions.ts";
import type { Watcher } from "./watch.ts";

/** All sessions of one journal. Adapters see this and nothing behind it. */
export type SessionHost = {
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
  /** All events after a number, then every new one, and what is live between them. */
  watch(session: string, options: { readonly after: number }): Watch;
  /** Works on the session from now on; while another process does, waits until that one has left or died. */
  hold(session: string, options: HoldOptions): Hold;
  holder(session: string): Holder | null;
  /** Removes a session with all that is kept of it; unless a living process works on it, which is returned. */
  remove(session: string): Holder | null;
  sessions(): { readonly sessions: readonly SessionSummary[]; readonly damage: readonly Damage[] };
  /** Every open question of every session. */
  interactions(): { readonly open: readonly OpenQuestion[]; readonly damage: readonly Damage[] };
  /** Every question of every session that is not closed, the oldest first; a part of them. */
  questions(part: Part): { readonly questions: readonly FoundQuestion[]; readonly total: number };
  /** One question, whatever became of it; `dated` also tells of one that is closed when it was asked, which takes longer. */
  question(interaction: string, options?: { readonly dated?: boolean }): FoundQuestion | null;
  /** The calls of a session: who or what decided on each, and what came of it (SESS-5). */
  audit(session: string): readonly AuditRecord[];
  /** Whether what is recorded is still as it was, of one session or of all with `null` (SESS-5). */
  verify(session: string | null, wanted?: string): readonly ChainCheck[];
  /** Where all sessions stand, kept up as long as somebody listens. */
  overview(): Overview;
  /** Leaves all sessions; the journal stays open, for it was given. */
  close(): Promise<void>;
};

export type Creation = { readonly cwd: string; readonly limits: Partial<Limits>; readonly model?: string };
export type Created = { readonly session: string } | { readonly refusal: Refusal };
export type Watch = Pick<Watcher, typeof Symbol.asyncIterator | "finish" | "close">;

export type HoldOptions = {
  /** What becomes of a question: nothing while someone can be asked here, otherwise this (APPR-9). */
  readonly unattended: (request: InteractionRequest) => Unattended | null;
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
  /** Called when this process gets the lease, at once or after another has left or died. */
  readonly onWork?: () => void;
};
export type Hold = {
  /** Whether this process has the lease. */
  readonly works: () => boolean;
  /** Ends what is under way and leaves the session to whoever wants it. */
  readonly release: () => Promise<void>;
};
