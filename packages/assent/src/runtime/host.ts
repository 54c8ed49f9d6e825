import {
  type AuditRecord,
  auditOf,
  type Forked,
  forkedFrom,
  type InputBody,
  nextDeadline,
  type Session,
} from "../core/index.ts";
import { checkCreation, checkHold, checkInput } from "./check-options.ts";
import { Driver } from "./driver.ts";
import { ToolHands } from "./hands.ts";
import { type HostOptions, portsOf } from "./host-options.ts";
import { forgetSecrets, type NeededSecrets, sweepLeftSecrets, sweepSecrets } from "./kept-secrets.ts";
import { OpenSession } from "./open-session.ts";
import { byLastChange, describeSession } from "./outline.ts";
import { KeptOverview } from "./overview.ts";
import {
  type ChainBreak,
  type ChainCheck,
  type Damage,
  type Holder,
  JournalError,
  type Live,
  type Ports,
} from "./ports.ts";
import { askedQuestions, type FoundQuestion, openQuestion, type Part, questionIn } from "./questions.ts";
import type { Redacting } from "./redacting.ts";
import { openRedacting } from "./redaction.ts";
import { Schedule } from "./schedule.ts";
import type { Created, Creation, Hold, HoldOptions, Overview, SessionHost, Submitted, Watch } from "./session-host.ts";
import { Watcher } from "./watch.ts";

/** So many sessions that nobody holds or watches stay folded, for whoever asks again. */
const mostIdle = 64;
/** So many ids that are taken, one after another, are no coincidence. */
const mostIds = 100;

/**
 * Opens all sessions of a journal, for adapters and programs. It works on none before it is told to `hold` one, and keeps nothing that
 * is not in the journal: any number of hosts, in any number of processes, may be open on the same one.
 */
export function openHost(options: HostOptions): SessionHost {
  return new Host(portsOf(options));
}

type Entry = {
  readonly session: OpenSession;
  readonly watchers: Set<Watcher>;
  /** The journal's revision up to which the session is known. */
  revision: number;
  needs: NeededSecrets;
  held: Held | null;
};
type Held = { driver: Driver | null; readonly options: HoldOptions };

class Host implements SessionHost {
  readonly #ports: Ports;
  readonly #hands: ToolHands;
  readonly #entries = new Map<string, Entry>();
  readonly #schedule: Schedule;
  readonly #redacting: Redacting;
  #overview: KeptOverview | null = null;
  /** Once is enough: what a process that dies now leaves is for the next. */
  #swept = false;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#redacting = openRedacting(ports.hidden ?? (() => []));
    this.#hands = new ToolHands(ports);
    this.#schedule = new Schedule(ports.clock, () => this.#look());
  }

  create(given: Creation): Created {
    checkCreation(given);
    const { limits = {}, ...creation } = given;
    return this.#create({ ...creation, limits });
  }

  fork(session: string): Created {
    const origin = this.view(session);
    if (origin.status === "new") {
      return { refusal: { code: "no_session", detail: `there is no session ${session} to fork` } };
    }
    const { cwd, limits, model } = origin;
    return this.#create({ cwd, limits, ...(model === null ? {} : { model }), forks: forkedFrom(origin) });
  }

  #create(creation: Required<Pick<Creation, "limits">> & Creation & { readonly forks?: Forked }): Created {
    for (let tries = 0; tries < mostIds; tries++) {
      const session = this.#ports.newId();
      const { refusal } = this.submit(session, { type: "creation", session, ...creation });
      if (refusal === null) return { session };
      if (refusal.code !== "session_exists") return { refusal };
    }
    throw new Error(`newId: expected an id that no session has, found ${mostIds} taken ones in a row`);
  }

  submit(session: string, body: InputBody): Submitted {
    checkInput(body);
    const entry = this.#entry(session);
    // What would change nothing is never checked by an append: it must be decided on what is newest.
    this.#refresh(entry);
    const submitted = entry.session.submit(body);
    if (submitted.refusal?.code !== "no_session") return submitted;
    return { ...submitted, refusal: { code: "no_session", detail: `there is no session ${session}` } };
  }

  view(session: string): Session {
    const entry = this.#entry(session);
    this.#refresh(entry);
    return entry.session.state;
  }

  events(session: string, { after, most }: { readonly after: number; readonly most: number }) {
    return this.#ports.journal.read(session, after, most).events;
  }

  damage(session: string): Damage | null {
    return this.#entry(session).session.damage;
  }

  breaks(session: string): readonly ChainBreak[] {
    this.view(session);
    return this.#entry(session).session.breaks();
  }

  watch(session: string, { after = 0 }: { readonly after?: number } = {}): Watch {
    const entry = this.#entry(session);
    const watcher = new Watcher(entry.session, {
      after,
      onClose: () => {
        entry.watchers.delete(watcher);
        this.#keepLooking();
      },
    });
    entry.watchers.add(watcher);
    this.#keepLooking();
    return watcher;
  }

  hold(session: string, options: HoldOptions = {}): Hold {
    checkHold(options);
    const entry = this.#entry(session);
    if (entry.held !== null) throw new Error(`session ${session} is held by this host already`);
    const held: Held = { driver: null, options };
    entry.held = held;
    this.#keepLooking();
    try {
      this.#takeOver(entry, held);
    } catch (error) {
      entry.held = null;
      this.#keepLooking();
      // Whoever cannot work on it must not keep others from it; why is told already.
      this.#leave(entry, held).catch(() => {});
      this.#freeLease(session);
      throw error;
    }
    return {
      works: () => held.driver !== null,
      release: async () => {
        if (entry.held === held) await this.#release(entry, held);
      },
    };
  }

  holder(session: string): Holder | null {
    return this.#ports.journal.leaseHolder(session);
  }

  remove(session: string): Holder | null {
    const { journal, secrets } = this.#ports;
    const holder = journal.leaseHolder(session);
    if (holder !== null) return holder;
    // First what nobody would look for without the session.
    for (const name of secrets.names(`${session}-`, 0)) secrets.remove(name);
    this.#entries.delete(session);
    return journal.remove(session);
  }

  sessions() {
    const { sessions, damage } = this.#ports.journal.outline();
    const now = this.#ports.clock.now();
    const described = sessions.map((each) => describeSession(each, { holder: this.holder(each.session), now }));
    return { sessions: byLastChange(described), damage };
  }

  interactions() {
    const { sessions, damage } = this.#ports.journal.outline();
    const now = this.#ports.clock.now();
    // The fold says more exactly whether its time has passed.
    const asking = sessions.filter((each) => describeSession(each, { holder: null, now: 0 }).asks);
    const open = asking.flatMap(({ session }) =>
      openQuestion(this.view(session), { now, isHeld: () => this.holder(session) !== null }),
    );
    return { open, damage };
  }

  questions(part: Part) {
    const { journal, clock } = this.#ports;
    return askedQuestions(this.overview(), journal, { ...part, now: clock.now() });
  }

  question(interaction: string, { dated = false } = {}): FoundQuestion | null {
    const session = this.view(interaction.slice(0, Math.max(0, interaction.lastIndexOf("-"))));
    if (session.status === "new") return null;
    const { asked = [] } = this.#overview?.session(session.id) ?? {};
    return questionIn(session, interaction, { journal: dated ? this.#ports.journal : null, asked });
  }

  audit(session: string, most?: number): readonly AuditRecord[] {
    return auditOf(this.#ports.journal.read(session, 0, most).events.map(({ event }) => event));
  }

  verify(session: string | null, wanted?: string): readonly ChainCheck[] {
    return this.#ports.journal.verify(session, wanted);
  }

  overview(): Overview {
    this.#overview ??= new KeptOverview(this.#ports.journal, {
      onFollowed: () => this.#keepLooking(),
      onForgotten: (session) => this.#forget(session),
    });
    // While somebody listens, it is kept up.
    if (!this.#overview.followed) this.#overview.refresh(this.#ports.clock.now());
    return this.#overview;
  }

  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (const entry of this.#entries.values()) {
      for (const watcher of entry.watchers) watcher.close();
      // What one cannot end must not keep the others from being left.
      if (entry.held !== null) await this.#release(entry, entry.held).catch((error) => failures.push(error));
    }
    this.#schedule.stop();
    await this.#ports.closing?.();
    if (failures.length > 0) throw failures[0];
  }

  #entry(id: string): Entry {
    const known = this.#entries.get(id);
    if (known !== undefined) return this.#remember(id, known);
    const { journal, secrets, clock, newId } = this.#ports;
    const ways = { redacting: this.#redacting, onChange: () => this.#changed(entry) };
    const entry: Entry = {
      session: new OpenSession(id, { journal, secrets, clock, newId, ...ways }),
      needs: { names: [], asked: null },
      watchers: new Set(),
      revision: journal.revision(),
      held: null,
    };
    entry.session.refresh();
    return this.#remember(id, entry);
  }

  /** The one that was used last stands last. Of those that nobody uses any more the first are forgotten: they are in the journal. */
  #remember(id: string, entry: Entry): Entry {
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    if (this.#entries.size <= mostIdle) return entry;
    // What was typed unseen in a session is hidden in it as long as this process lives.
    const idle = [...this.#entries].filter(
      ([, each]) => each.held === null && each.watchers.size === 0 && !each.session.hides,
    );
    for (const [each] of idle.slice(0, -mostIdle)) this.#entries.delete(each);
    return entry;
  }

  #changed(entry: Entry): void {
    entry.needs = forgetSecrets(entry.session.state, entry.needs, this.#ports.secrets);
    for (const watcher of entry.watchers) watcher.wake();
    entry.held?.driver?.move();
    const { session } = entry;
    this.#overview?.take(session.id, (after) => session.recorded(after, Number.MAX_SAFE_INTEGER));
  }

  /** What other processes did, what time has brought, and sessions whose process has left or died. */
  #look(): void {
    this.#lookAtAll();
    const wanted = [...this.#entries.values()].filter(({ held, watchers }) => held !== null || watchers.size > 0);
    for (const entry of wanted) {
      try {
        this.#lookAt(entry);
      } catch (error) {
        this.#fail(entry, error);
      }
    }
  }

  /** What cannot be read now is looked for again; who needs it is told when they ask. */
  #lookAtAll(): void {
    try {
      if (this.#overview?.followed) this.#overview.look(this.#ports.clock.now());
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
    }
  }

  /** It was deleted elsewhere. */
  #forget(session: string): void {
    const entry = this.#entries.get(session);
    for (const watcher of entry?.watchers ?? []) watcher.finish();
    if (entry?.held === null) this.#entries.delete(session);
  }

  #lookAt(entry: Entry): void {
    const { clock } = this.#ports;
    const { session, held } = entry;
    this.#refresh(entry);
    if (held === null) return;
    if (held.driver === null) this.#takeOver(entry, held);
    const deadline = nextDeadline(session.state);
    if (held.driver !== null && deadline !== null && deadline <= clock.now()) session.submit({ type: "clock" });
  }

  #refresh(entry: Entry): void {
    const revision = this.#ports.journal.revision();
    if (revision !== entry.revision) entry.session.refresh();
    entry.revision = revision;
  }

  #takeOver(entry: Entry, held: Held): void {
    const { journal, secrets, holder } = this.#ports;
    const { session } = entry;
    const other = journal.leaseHolder(session.id) ?? journal.takeLease(session.id, holder);
    if (other.host !== holder.host) return;
    session.refresh();
    const breaks = session.check();
    held.driver = new Driver({
      ...this.#ports,
      ...{ session, hands: this.#hands },
      provider: held.options.provider ?? this.#ports.provider,
      unattended: held.options.unattended ?? (() => null),
      attended: held.options.attended ?? (() => false),
      readOnly: held.options.readOnly ?? false,
      lend: held.options.lend ?? null,
      onLive: (live) => this.#showLive(entry, live),
      onFailure: (error) => this.#fail(entry, error),
    });
    if (breaks.length > 0) held.options.onBreaks?.(breaks);
    held.options.onWork?.();
    if (!this.#swept) sweepLeftSecrets(journal, secrets);
    this.#swept = true;
    const lost = sweepSecrets(session.state, secrets);
    if (session.state.status !== "new") session.submit({ type: "recovery", alive: held.driver.adopt(), lost });
    held.driver.move();
  }

  async #release(entry: Entry, held: Held): Promise<void> {
    try {
      await this.#leave(entry, held);
    } finally {
      entry.held = null;
      this.#keepLooking();
    }
  }

  /** Nothing of the session runs here any more, then whoever wants may have it. */
  async #leave({ session }: Entry, held: Held): Promise<void> {
    const { driver } = held;
    if (driver === null) return;
    try {
      await driver.close();
    } finally {
      held.driver = null;
      this.#freeLease(session.id);
    }
  }

  #freeLease(session: string): void {
    try {
      this.#ports.journal.releaseLease(session, this.#ports.holder);
    } catch {
      // It is free as soon as this process has ended; what made it fail is told where something must be recorded.
    }
  }

  #showLive(entry: Entry, live: Live): void {
    for (const watcher of entry.watchers) watcher.show(live);
  }

  /** The journal failed, or a tool's hands: nothing may go on in this session, and everyone who watches is told. */
  #fail(entry: Entry, error: unknown): void {
    const { held } = entry;
    entry.held = null;
    // Why is told already; that there is more amiss would only hide it.
    if (held !== null) this.#leave(entry, held).catch(() => {});
    // It may have been just taken.
    if (held?.driver === null) this.#freeLease(entry.session.id);
    for (const watcher of entry.watchers) watcher.fail(error);
    held?.options.onFailure?.(error);
  }

  #keepLooking(): void {
    const isUsed = [...this.#entries.values()].some(({ held, watchers }) => held !== null || watchers.size > 0);
    if (isUsed || this.#overview?.followed) this.#schedule.run();
    else this.#schedule.stop();
  }
}
