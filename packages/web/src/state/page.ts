import type { ApiClient, ApiLogin, ApiMe, ApiSession, Role } from "../assent.ts";
import type { Drafts } from "../drafts.ts";
import { storeKey } from "../signed-in.ts";
import { failureLine } from "./answers.ts";
import { Inbox } from "./inbox.ts";
import { Store } from "./store.ts";

export type SignedIn =
  | { readonly type: "asking" }
  | { readonly type: "out"; readonly note: string | null }
  | { readonly type: "in"; readonly me: ApiMe };

export type SessionList = {
  readonly sessions: readonly ApiSession[];
  readonly total: number;
  readonly offset: number;
  readonly damage: readonly string[];
  readonly loaded: boolean;
};

export type PageState = {
  readonly signedIn: SignedIn;
  readonly connection: "connecting" | "connected" | "lost";
  readonly list: SessionList;
  /** What a screen reader is told. */
  readonly announced: string;
};

export const sessionsPerPage = 50;
const askAgainMs = 2_000;
const signedOutNote = "You are signed out: sign in again.";
const nothing: SessionList = { sessions: [], total: 0, offset: 0, damage: [], loaded: false };

/** All that the page knows: who is signed in, whether the server is there, the questions and the sessions. */
export class Page {
  readonly client: ApiClient;
  readonly inbox: Inbox;
  readonly state = new Store<PageState>({
    signedIn: { type: "asking" },
    connection: "connecting",
    list: nothing,
    announced: "",
  });
  readonly drafts: Drafts;
  readonly #listeners = new Set<(session: ApiSession | null) => void>();
  #following: AbortController | null = null;

  constructor(client: ApiClient, drafts: Drafts) {
    this.client = client;
    this.drafts = drafts;
    this.inbox = new Inbox({
      ...{ client, drafts },
      now: () => performance.now(),
      announce: (text) => this.announce(text),
      signedOut: () => this.signedOut(),
    });
  }

  /** Finds out who is here; a ticket is tried first. */
  async start(ticket: string | null): Promise<void> {
    if (ticket !== null && (await this.login({ ticket })) === null) return;
    for (;;) {
      const result = await this.client.me();
      if (result.type === "ok") return this.#signedIn(result.value);
      if (result.type === "refused") {
        const used = ticket === null ? null : "This link has been used or is too old. Sign in with a token.";
        return this.signedOut(used);
      }
      this.#set({ connection: "lost" });
      await new Promise((resolve) => setTimeout(resolve, askAgainMs));
    }
  }

  /** What is wrong with it, or nothing. */
  async login(by: ApiLogin): Promise<string | null> {
    const result = await this.client.login({ ...by, bind: true });
    if (result.type === "ok") {
      storeKey(result.value.key ?? null);
      this.#signedIn(result.value);
      return null;
    }
    const isUnknown = result.type === "refused" && result.status === 401;
    return isUnknown ? "The server does not know this token." : failureLine(result);
  }

  async logout(): Promise<void> {
    await this.client.logout();
    storeKey(null);
    this.inbox.forgetAll();
    this.drafts.clear();
    this.signedOut(null);
  }

  signedOut(note: string | null = signedOutNote): void {
    this.#following?.abort();
    this.#following = null;
    // Nothing of what was asked stays to be read, and nobody tries to connect.
    this.#set({ signedIn: { type: "out", note }, list: nothing, connection: "connecting", announced: "" });
  }

  announce(text: string): void {
    // The same words again would be no change, and so not be read.
    const isSame = this.state.value.announced === text;
    this.#set({ announced: isSame ? `${text}\u00a0` : text });
  }

  /** Told of every session that came to a milestone; `null`: some may have been missed. */
  onChange(listener: (session: ApiSession | null) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async listSessions(offset: number): Promise<string | null> {
    const result = await this.client.sessions({ limit: sessionsPerPage, offset });
    if (result.type === "ok") {
      const { sessions, total, damage } = result.value;
      this.#set({ list: { sessions, total, damage, offset, loaded: true } });
      return null;
    }
    if (result.type === "refused" && result.status === 401) this.signedOut();
    return failureLine(result);
  }

  #signedIn(me: ApiMe): void {
    // A token that is taken away signs out without a word from whoever had it: the same one finds again what was begun.
    if (!this.drafts.belongTo(me.name)) this.inbox.forgetAll();
    this.#set({ signedIn: { type: "in", me } });
    this.#following?.abort();
    this.#following = new AbortController();
    void this.#follow(this.#following.signal);
  }

  async #follow(signal: AbortSignal): Promise<void> {
    for await (const change of this.client.changes({ signal })) {
      if (change.type === "ended") return this.signedOut();
      if (change.type === "connection") this.#connection(change.state);
      else if (change.type === "gone") this.#reload();
      else this.#changed(change.session);
    }
  }

  #connection(state: "connected" | "lost"): void {
    const before = this.state.value.connection;
    this.#set({ connection: state });
    if (state === "lost") return;
    if (before === "lost") this.announce("Connected again.");
    this.#reload();
  }

  #reload(): void {
    void this.inbox.load();
    for (const listener of [...this.#listeners]) listener(null);
  }

  #changed(session: ApiSession): void {
    void this.inbox.onSession(session);
    this.#set({ list: withSession(this.state.value.list, session) });
    for (const listener of [...this.#listeners]) listener(session);
  }

  #set(change: Partial<PageState>): void {
    this.state.set({ ...this.state.value, ...change });
  }
}

/** On the first page whatever has changed comes first; on the others nothing moves but what stands there. */
function withSession(list: SessionList, session: ApiSession): SessionList {
  if (!list.loaded) return list;
  const isKnown = list.sessions.some((each) => each.session === session.session);
  if (list.offset > 0) {
    const sessions = list.sessions.map((each) => (each.session === session.session ? session : each));
    return isKnown ? { ...list, sessions } : list;
  }
  const others = list.sessions.filter((each) => each.session !== session.session);
  const sessions = [session, ...others].sort((one, other) => other.changed - one.changed).slice(0, sessionsPerPage);
  return { ...list, sessions, total: Math.max(list.total, sessions.length) };
}

/** What a role may do beside looking. */
export function may(role: Role, what: "answer" | "work"): boolean {
  return role === "admin" || (role === "answerer" && what === "answer");
}
