import {
  type ApiClient,
  type ApiInteraction,
  type ApiSession,
  type GivenAnswer,
  newAnswerId,
  type Result,
  visibleLine,
} from "../assent.ts";
import type { Drafts } from "../drafts.ts";
import { endLine, notTaken } from "./answers.ts";
import type { Chosen } from "./choosing.ts";
import { Store } from "./store.ts";

/** One open question, and what a person has begun to answer. */
export type Question = {
  readonly interaction: ApiInteraction;
  readonly draft: string;
  readonly picked: readonly string[];
  /** What was sent and is not confirmed yet. */
  readonly sending: string | null;
  readonly notice: string | null;
  /** What was sent and got no answer: sent once more it must be the same answer, not a second one. */
  readonly tried: { readonly body: string; readonly id: string } | null;
  /** How that is told, while it is kept to be sent again. */
  readonly kept: string | null;
};

/** The place of a session among the questions: its next one comes where the one before was. */
export type Slot = {
  readonly session: string;
  readonly question: Question | null;
  readonly last: string | null;
  /** Of which question that tells: where some were missed it is not the one before. */
  readonly lastOf: string | null;
};

export type InboxState = {
  readonly slots: readonly Slot[];
  readonly loaded: boolean;
  readonly damage: readonly string[];
  /** Whose question number keys answer. */
  readonly active: string | null;
  /** Which questions stand on the screen: all, those of one session, or none. Others are not answered by keys. */
  readonly onView: "all" | "none" | { readonly session: string };
};

export type InboxPorts = {
  readonly client: ApiClient;
  readonly drafts: Drafts;
  readonly announce: (text: string) => void;
  readonly signedOut: () => void;
  readonly now: () => number;
};

/** A key or a click that comes sooner was meant for what stood there before (ANS-6). */
const guardMs = 250;
/** So long after the pointer has moved, somebody may still be about to click. */
const aimMs = 2_000;
const ownEndMs = 3_000;
const foreignEndMs = 10_000;
const pageOf = 100;
const mostPages = 20;

/** Every open question of every session, live. */
export class Inbox {
  readonly state = new Store<InboxState>({ slots: [], loaded: false, damage: [], active: null, onView: "none" });
  readonly #ports: InboxPorts;
  /** Since when each question stands where it stands; before that it is on no screen. */
  readonly #shownAt = new Map<string, number>();
  /** Questions that came while an answer to the one before was on its way: its own end is told first. */
  readonly #later = new Map<string, string>();
  #activeSince = 0;
  #pointedAt = Number.NEGATIVE_INFINITY;
  /** When each question last moved on the screen: a click may have been meant for what stood there before. */
  readonly #movedAt = new Map<string, number>();

  constructor(ports: InboxPorts) {
    this.#ports = ports;
  }

  /** Fetches all that is open: at the start, and after each time the connection was lost. */
  async load(): Promise<void> {
    const open: ApiInteraction[] = [];
    let damage: readonly string[] = [];
    for (let page = 0; page < mostPages; page++) {
      const result = await this.#ports.client.interactions({ limit: pageOf, offset: page * pageOf });
      if (result.type !== "ok") return;
      open.push(...result.value.interactions);
      damage = result.value.damage;
      if (open.length >= result.value.total || result.value.interactions.length === 0) break;
    }
    this.#set({ loaded: true, damage });
    const ids = new Set(open.map(({ request }) => request.interaction_id));
    const over = this.state.value.slots.flatMap(({ question }) =>
      question === null || ids.has(idOf(question)) ? [] : [question.interaction],
    );
    const isTakingOver = ({ session }: ApiInteraction): boolean => over.some((each) => each.session === session);
    for (const interaction of open) if (!isTakingOver(interaction)) this.#put(interaction, false);
    await Promise.all(over.map((interaction) => this.#look(interaction)));
    // What came while that was asked may have ended as well.
    const next = open.filter(isTakingOver);
    await Promise.all(next.map(({ session, request }) => this.ensure(session, request.interaction_id)));
    for (const id of this.#ports.drafts.questionsBeside(ids)) await this.#tellBegun(id);
  }

  /** A session came to a milestone: maybe it asks now, or asks no more. */
  async onSession({ session, interaction }: ApiSession): Promise<void> {
    if (interaction !== null) return this.ensure(session, interaction);
    const question = this.slot(session)?.question ?? null;
    if (question !== null) await this.#look(question.interaction);
  }

  /** That question is open, somebody said: it is shown if it still is. */
  async ensure(session: string, interaction: string): Promise<void> {
    const question = this.slot(session)?.question ?? null;
    if (question !== null && idOf(question) === interaction) return;
    // First how the old one ended, then the new one: it takes its place.
    if (question !== null) await this.#look(question.interaction);
    const result = await this.#ports.client.interaction(interaction);
    if (result.type === "ok") this.#put(result.value, true);
  }

  /** Somebody else may sign in next. */
  forgetAll(): void {
    this.#later.clear();
    this.#shownAt.clear();
    this.#movedAt.clear();
    this.#set({ slots: [], active: null, loaded: false, damage: [] });
  }

  slot(session: string): Slot | undefined {
    return this.state.value.slots.find((slot) => slot.session === session);
  }

  setView(onView: InboxState["onView"]): void {
    this.#set({ onView });
    this.#settleActive();
  }

  /** The slots that are on the screen. */
  shownSlots(): readonly Slot[] {
    const { slots, onView } = this.state.value;
    if (onView === "none") return [];
    return onView === "all" ? slots : slots.filter(({ session }) => session === onView.session);
  }

  type(session: string, draft: string): void {
    const { interaction } = this.slot(session)?.question ?? {};
    // What is hidden as it is typed is written nowhere.
    if (interaction !== undefined && !interaction.request.sensitive) {
      this.#ports.drafts.set(`question/${interaction.request.interaction_id}`, draft);
    }
    this.#change(session, (question) => ({ ...question, draft }));
  }

  /** Chooses one of several, or takes it back. */
  pick(session: string, option: string): void {
    this.#change(session, (question) => {
      const { picked } = question;
      const left = picked.filter((id) => id !== option);
      return { ...question, picked: left.length < picked.length ? left : [...picked, option], notice: null };
    });
  }

  notice(session: string, notice: string): void {
    this.#change(session, (question) => ({ ...question, notice }));
    this.#ports.announce(notice);
  }

  /** The view says that a question stands on the screen now. */
  shown(interaction: string): void {
    this.#shownAt.set(interaction, this.#ports.now());
  }

  /** A person moves the pointer: maybe they aim at something. */
  pointed(): void {
    this.#pointedAt = this.#ports.now();
  }

  /** The view says that it stands elsewhere now, though nobody has scrolled. */
  moved(session: string): void {
    this.#movedAt.set(session, this.#ports.now());
  }

  /** Whether a key or a click can have been meant for what stands there. */
  isArmed(session: string): boolean {
    const question = this.slot(session)?.question ?? null;
    if (question === null || question.sending !== null) return false;
    const since = this.#shownAt.get(idOf(question));
    if (since === undefined || this.#ports.now() - since < guardMs) return false;
    return session !== this.state.value.active || this.#ports.now() - this.#activeSince >= guardMs;
  }

  /** A person went to it. */
  activate(session: string): void {
    if (this.state.value.active !== session) this.#set({ active: session });
  }

  /** To the next or the one before; whose it is, or nothing where there is no other. */
  move(by: 1 | -1): string | null {
    const asking = this.shownSlots().filter(({ question }) => question !== null);
    const at = asking.findIndex(({ session }) => session === this.state.value.active);
    const next = asking[Math.max(0, at + by)];
    if (next === undefined || next.session === this.state.value.active) return null;
    this.activate(next.session);
    return next.session;
  }

  /** A person has chosen: it is sent, unless it was meant for what stood there before. */
  choose(session: string, { given, said, wrong }: Chosen, by: "key" | "click"): void {
    const isMoving = by === "click" && this.#ports.now() - (this.#movedAt.get(session) ?? -guardMs) < guardMs;
    if (isMoving || !this.isArmed(session)) this.tooSoon(session);
    else if (wrong !== undefined) this.notice(session, wrong);
    else void this.answer(session, given, said);
  }

  tooSoon(session: string): void {
    if (this.slot(session)?.question?.sending === null)
      this.notice(
        session,
        "This question had only just come to stand here, so nothing was sent. Look at it, then answer.",
      );
  }

  /** Sends an answer; `said` is how it is told. */
  async answer(session: string, given: GivenAnswer, said: string): Promise<void> {
    const question = this.slot(session)?.question ?? null;
    if (question === null || question.sending !== null) return;
    const { request } = question.interaction;
    const body = JSON.stringify(given);
    const id = question.tried?.body === body ? question.tried.id : newAnswerId();
    this.#change(session, (each) => ({ ...each, sending: said, notice: null, tried: { body, id }, kept: null }));
    const result = await this.#ports.client.respond(request.interaction_id, { ...given, answer_id: id });
    this.#settle(question, given, { said, result });
    const later = this.#later.get(session);
    if (later === undefined) return;
    this.#later.delete(session);
    await this.ensure(session, later);
  }

  #settle(question: Question, given: GivenAnswer, sent: { said: string; result: Result<unknown> }): void {
    const { interaction } = question;
    const { said, result } = sent;
    if (result.type === "ok") {
      this.#end(interaction, `Sent: ${said}`, ownEndMs);
      if (!expectsMore(question, given)) this.#goOn(interaction.session);
      return;
    }
    if (result.type === "unreachable") {
      const told =
        "The server could not be reached. Your answer is kept here: send it again when the connection is back.";
      this.#change(interaction.session, (each) => ({ ...each, kept: said }));
      this.#refuse(interaction, { over: false, told });
      return;
    }
    if (result.status === 401) this.#ports.signedOut();
    const { over, told } = notTaken(interaction.request, result.status, result.error);
    const stop = result.error.code === "not_as_recorded" ? "; on the page of its session, Stop ends what is open" : "";
    this.#refuse(interaction, { over, told: `${told}${stop}` }, result.error.attempt);
  }

  #refuse(interaction: ApiInteraction, { over, told }: { over: boolean; told: string }, attempts?: number): void {
    if (over) {
      this.#end(interaction, told, foreignEndMs);
      return;
    }
    this.#change(interaction.session, (question) => ({
      ...question,
      sending: null,
      notice: told,
      ...(attempts === undefined ? {} : { interaction: { ...question.interaction, attempts } }),
    }));
    this.#ports.announce(told);
  }

  /** A question that may have ended elsewhere: who ended it is told. What is being sent here gets its own word. */
  async #look({ session, request }: ApiInteraction): Promise<void> {
    const result = await this.#ports.client.interaction(request.interaction_id);
    const question = this.slot(session)?.question ?? null;
    if (question === null || idOf(question) !== request.interaction_id || question.sending !== null) return;
    const begun = request.sensitive ? "" : begunWords(question.draft);
    if (result.type === "refused" && result.status === 404)
      this.#end(question.interaction, `It is gone.${begun}`, foreignEndMs);
    if (result.type !== "ok" || result.value.state === "open") return;
    const { request: asked, resolution } = result.value;
    const { kept, tried } = question;
    // It had arrived, and only the word of that was lost.
    if (kept !== null && tried !== null && resolution?.response?.answer_id === tried.id) {
      this.#end(result.value, `Sent: ${kept}`, ownEndMs);
      return;
    }
    const late = kept === null ? "" : "Your answer came too late. ";
    this.#end(result.value, `${late}${endLine(asked, resolution)}${begun}`, foreignEndMs);
  }

  /** What was begun before a reload for a question that is not shown: if that is over it is told, once. */
  async #tellBegun(id: string): Promise<void> {
    if (this.state.value.slots.some(({ question }) => question !== null && idOf(question) === id)) return;
    const { drafts } = this.#ports;
    const result = await this.#ports.client.interaction(id);
    const begun = begunWords(drafts.get(`question/${id}`));
    const isUnknown = result.type === "refused" && result.status === 404;
    const isOver = result.type === "ok" && result.value.state !== "open" && result.value.state !== "waiting";
    if (begun === "" || !(isUnknown || isOver)) return;
    drafts.set(`question/${id}`, "");
    // Nobody knows whose question that was.
    if (result.type !== "ok") return;
    const { session, request, resolution, at } = result.value;
    const last = `${endLine(request, resolution)}${begun}`;
    const { slots } = this.state.value;
    const old = slots.find((slot) => slot.session === session);
    const slot: Slot = { session, question: old?.question ?? null, last, lastOf: id };
    this.#set({
      slots: old === undefined ? inserted(slots, slot, at) : slots.map((each) => (each === old ? slot : each)),
    });
    // The ways to answer the next one stand lower now.
    this.moved(session);
    this.#ports.announce(last);
    setTimeout(() => this.#forget(session, last), foreignEndMs);
  }

  /** Shows an open question; one that waits for another of its session comes when that has ended. */
  #put(interaction: ApiInteraction, isNews: boolean): void {
    if (interaction.state !== "open") return;
    const { slots } = this.state.value;
    const old = slots.find(({ session }) => session === interaction.session);
    const known = old?.question ?? null;
    if (known !== null && idOf(known) === interaction.request.interaction_id) {
      this.#change(interaction.session, (question) => ({ ...question, interaction }));
      return;
    }
    if (known !== null && known.sending !== null) {
      this.#later.set(interaction.session, interaction.request.interaction_id);
      return;
    }
    const { interaction_id: id, sensitive } = interaction.request;
    const draft = sensitive ? "" : this.#ports.drafts.get(`question/${id}`);
    const fresh = { picked: [], sending: null, notice: null, tried: null, kept: null };
    const question: Question = { interaction, draft, ...fresh };
    // Where something was missed, what stands there may be told of an older one.
    const isTold = old !== undefined && known === null && (isNews || isBefore(old.lastOf, id));
    const [last, lastOf] = isTold ? [old.last, old.lastOf] : [null, null];
    const slot: Slot = { session: interaction.session, question, last, lastOf };
    if (old !== undefined) this.#set({ slots: slots.map((each) => (each === old ? slot : each)) });
    else this.#set({ slots: inserted(slots, slot, interaction.at) });
    this.#settleActive();
    if (isNews) this.#ports.announce(`Question in ${nameOf(interaction)}: ${shortened(interaction.request.question)}`);
  }

  /** It is over: what became of it stays for a while, unless the next question comes. */
  #end(interaction: ApiInteraction, last: string, stays: number): void {
    const { session } = interaction;
    const id = interaction.request.interaction_id;
    const isThis = ({ question }: Slot): boolean => question !== null && idOf(question) === id;
    if (!this.state.value.slots.some(isThis)) return;
    this.#ports.drafts.set(`question/${id}`, "");
    this.#shownAt.delete(id);
    const over: Slot = { session, question: null, last, lastOf: id };
    this.#set({ slots: this.state.value.slots.map((slot) => (isThis(slot) ? over : slot)) });
    this.#ports.announce(last);
    setTimeout(() => this.#forget(session, last), stays);
  }

  /** Nothing vanishes above a question that a person aims at; where the next one has come it stays as long as that. */
  #forget(session: string, last: string): void {
    if (this.#ports.now() - this.#pointedAt < aimMs) {
      setTimeout(() => this.#forget(session, last), aimMs);
      return;
    }
    const isOver = (slot: Slot): boolean => slot.session === session && slot.last === last && slot.question === null;
    this.#set({ slots: this.state.value.slots.filter((slot) => !isOver(slot)) });
    this.#settleActive();
  }

  /** After an answer: to the next question on the screen, or the first. */
  #goOn(from: string): void {
    const slots = this.shownSlots();
    const at = slots.findIndex(({ session }) => session === from);
    const next = [...slots.slice(at + 1), ...slots.slice(0, at)].find(({ question }) => question !== null);
    if (next !== undefined) this.#setActive(next.session);
  }

  /** Somebody must be first: where the active one has left, another takes its place. */
  #settleActive(): void {
    const slots = this.shownSlots();
    const { active } = this.state.value;
    if (slots.some(({ session }) => session === active)) return;
    this.#setActive(slots.find(({ question }) => question !== null)?.session ?? null);
  }

  /** Not by a person: from here on keys are meant for another question, which must be seen first. */
  #setActive(active: string | null): void {
    if (active === this.state.value.active) return;
    this.#activeSince = this.#ports.now();
    this.#set({ active });
  }

  #change(session: string, change: (question: Question) => Question): void {
    const { slots } = this.state.value;
    this.#set({
      slots: slots.map((slot) =>
        slot.session === session && slot.question !== null ? { ...slot, question: change(slot.question) } : slot,
      ),
    });
  }

  #set(change: Partial<InboxState>): void {
    this.state.set({ ...this.state.value, ...change });
  }
}

export function idOf({ interaction }: Question): string {
  return interaction.request.interaction_id;
}

/** Whether one is the question right before the other: those of a session are numbered. */
export function isBefore(one: string | null, other: string): boolean {
  const [, session = "", number = ""] = /^(.*-)(\d+)$/.exec(other) ?? [];
  return one === `${session}${Number(number) - 1}`;
}

function begunWords(draft: string): string {
  return draft === "" ? "" : `; you had begun to write: ${visibleLine(draft)}`;
}

export function nameOf({ session, session_name: name }: ApiInteraction): string {
  return visibleLine(name ?? session);
}

/** The oldest first; what stands there already does not move. */
function inserted(slots: readonly Slot[], slot: Slot, at: number): readonly Slot[] {
  const later = slots.findIndex(({ question }) => question !== null && question.interaction.at > at);
  return later === -1 ? [...slots, slot] : slots.toSpliced(later, 0, slot);
}

/** The next step of a flow, or the rule that would be saved, comes right after it. */
function expectsMore({ interaction }: Question, { selected_option_id: option, cancelled }: GivenAnswer): boolean {
  if (cancelled) return false;
  return interaction.request.continuation_id !== undefined || option === "project" || option === "user";
}

function shortened(question: string): string {
  const line = visibleLine(question);
  return line.length <= 200 ? line : `${line.slice(0, 200)} …`;
}
