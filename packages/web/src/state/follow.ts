import type { ApiSessionDetail, RecordedEvent, Watched } from "../assent.ts";
import { visibleLine } from "../assent.ts";
import { failureLine } from "./answers.ts";
import { afterEvent, type LiveState, noLive, withLive } from "./live.ts";
import type { Page } from "./page.ts";
import { seen, whileSeen } from "./seen.ts";
import { Store } from "./store.ts";
import { type Row, Timeline } from "./timeline.ts";

export type FollowState = {
  readonly detail: ApiSessionDetail | null;
  /** Why there is nothing to see. */
  readonly missing: string | null;
  readonly rows: readonly Row[];
  /** How many rows are drawn: the newest. */
  readonly drawn: number;
  /** Events before the first one that is here. */
  readonly earlier: number;
  readonly fetching: boolean;
  readonly live: LiveState;
  readonly connection: "connecting" | "connected" | "lost";
  /** When the exchange that is open began. */
  readonly began: number | null;
  readonly caughtUp: boolean;
};

/** So many events are fetched at a time, and so many rows are drawn. */
const stretch = 500;
/** What comes in between is drawn together. */
const drawEveryMs = 40;
const detailEveryMs = 250;

const nothing: FollowState = {
  detail: null,
  missing: null,
  rows: [],
  drawn: stretch,
  earlier: 0,
  fetching: false,
  live: noLive,
  connection: "connecting",
  began: null,
  caughtUp: false,
};

/** One session as it is watched: its newest events first, then whatever comes. */
export class Follow {
  readonly state = new Store<FollowState>(nothing);
  readonly #page: Page;
  readonly #session: string;
  readonly #leaving = new AbortController();
  #events: RecordedEvent[] = [];
  #timeline: Timeline;
  /** What has come and is not drawn yet. */
  #coming: FollowState = nothing;
  #drawing: ReturnType<typeof setTimeout> | null = null;
  #detailDue: ReturnType<typeof setTimeout> | null = null;
  readonly #unlisten: () => void;

  constructor(page: Page, session: string) {
    this.#page = page;
    this.#session = session;
    this.#timeline = new Timeline(session);
    this.#unlisten = page.onChange((changed) => {
      if (changed === null || changed.session === session) this.#fetchDetailSoon();
    });
    void this.#run();
  }

  close(): void {
    this.#leaving.abort();
    this.#unlisten();
    if (this.#drawing !== null) clearTimeout(this.#drawing);
    if (this.#detailDue !== null) clearTimeout(this.#detailDue);
  }

  /** More rows: those that are here, then earlier events. */
  async showEarlier(): Promise<void> {
    const { rows, drawn, earlier, fetching } = this.#coming;
    if (rows.length > drawn) return this.#draw({ drawn: drawn + stretch });
    if (earlier === 0 || fetching) return;
    this.#draw({ fetching: true });
    const after = Math.max(0, earlier - stretch);
    const result = await this.#page.client.events(this.#session, { after, limit: earlier - after });
    if (this.#leaving.signal.aborted) return;
    if (result.type !== "ok") return this.#draw({ fetching: false });
    this.#events = [...result.value.events, ...this.#events];
    this.#timeline = new Timeline(this.#session);
    for (const event of this.#events) this.#timeline.add(event);
    this.#draw({ fetching: false, earlier: after, drawn: drawn + stretch, rows: [...this.#timeline.rows] });
  }

  async #run(): Promise<void> {
    const detail = await this.#fetchDetail();
    if (detail === null) return;
    const first = Math.max(0, detail.events - stretch);
    this.#draw({ earlier: first });
    while (!this.#leaving.signal.aborted && this.#coming.missing === null) {
      const after = this.#events.at(-1)?.seq ?? first;
      const signal = whileSeen(this.#leaving.signal);
      for await (const watched of this.#page.client.watch(this.#session, { after, signal })) this.#take(watched);
      await seen(this.#leaving.signal);
    }
  }

  #take(watched: Watched): void {
    switch (watched.type) {
      case "event":
        this.#record(watched);
        break;
      case "live":
        this.#drawSoon({ live: withLive(this.#coming.live, watched.live) });
        break;
      case "caught-up":
        this.#drawSoon({ caughtUp: true });
        break;
      case "dropped":
        break;
      case "connection":
        if (watched.state === "connected") this.#fetchDetailSoon();
        // What was live when it broke is either recorded by now, or comes again.
        this.#draw({ connection: watched.state, ...(watched.state === "lost" ? { live: noLive } : {}) });
        break;
      case "ended":
        if (watched.status === 401) this.#page.signedOut();
        this.#draw({ missing: visibleLine(watched.error.detail) });
        break;
      default:
        watched satisfies never;
    }
  }

  #record(recorded: RecordedEvent): void {
    this.#events.push(recorded);
    this.#timeline.add(recorded);
    const { event } = recorded;
    const began =
      event.type === "exchange.started" ? event.at : event.type === "exchange.ended" ? null : this.#coming.began;
    this.#drawSoon({ began, live: afterEvent(this.#coming.live, event) });
    if (this.#coming.caughtUp) this.#fetchDetailSoon();
  }

  #drawSoon(change: Partial<FollowState>): void {
    this.#coming = { ...this.#coming, ...change };
    this.#drawing ??= setTimeout(() => this.#draw({}), drawEveryMs);
  }

  #draw(change: Partial<FollowState>): void {
    if (this.#drawing !== null) clearTimeout(this.#drawing);
    this.#drawing = null;
    const { rows } = this.#coming;
    const isSame = rows.length === this.#timeline.rows.length && change.rows === undefined;
    this.#coming = { ...this.#coming, ...(isSame ? {} : { rows: [...this.#timeline.rows] }), ...change };
    this.state.set(this.#coming);
  }

  #fetchDetailSoon(): void {
    this.#detailDue ??= setTimeout(() => {
      this.#detailDue = null;
      void this.#fetchDetail();
    }, detailEveryMs);
  }

  async #fetchDetail(): Promise<ApiSessionDetail | null> {
    for (;;) {
      const result = await this.#page.client.session(this.#session);
      if (this.#leaving.signal.aborted) return null;
      if (result.type === "ok") {
        this.#draw({ detail: result.value });
        const { interaction } = result.value;
        if (interaction !== null) void this.#page.inbox.ensure(this.#session, interaction);
        return result.value;
      }
      if (result.type === "refused") {
        if (result.status === 401) this.#page.signedOut();
        this.#draw({ missing: failureLine(result) });
        return null;
      }
      // Once it was there, the next change fetches it again.
      if (this.#coming.detail !== null) return null;
      await new Promise((resolve) => setTimeout(resolve, 2_000));
    }
  }
}
