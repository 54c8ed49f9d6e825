import type { Flow } from "../../core/interaction/index.ts";
import type { Failed, FormEnd, Sample } from "../types.ts";
import { allowsSampling, type Elicited, elicit } from "./elicitation.ts";
import type { Running } from "./running.ts";

/** Questions of a server that wait for the one that is open; what is more is cancelled unseen. */
const mostWaiting = 3;
const nobody: FormEnd = { type: "unanswered", why: "nobody" };

type Ask = (flow: Flow) => Promise<FormEnd>;

/** What a server asks while its calls run: put to the person one after the other, in the session that the call is of. */
export class Questions {
  readonly #server: string;
  readonly #running: ReadonlySet<Running>;
  readonly #mostPerCall: number;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(server: string, running: ReadonlySet<Running>, mostPerCall: number) {
    this.#server = server;
    this.#running = running;
    this.#mostPerCall = mostPerCall;
  }

  elicit(params: unknown): Promise<Elicited> {
    return this.#inTurn((ask) => elicit(this.#server, params, ask), { said: "cancel" });
  }

  /** The person is asked first, whoever has accepted the server. */
  sample(sample: Sample, wanted: { readonly system: string; readonly text: string }): Promise<string | Failed> {
    const declined = { failed: "the person declined" };
    return this.#inTurn<string | Failed>(async (ask, { watch }) => {
      if (!(await allowsSampling(this.#server, wanted, ask))) return declined;
      return await sample({ ...wanted, signal: watch.signal });
    }, declined);
  }

  async #inTurn<T>(use: (ask: Ask, running: Running) => Promise<T>, cancelled: T): Promise<T> {
    const running = this.#asker();
    if (running === null || this.#waiting >= mostWaiting || running.questions >= this.#mostPerCall) return cancelled;
    running.questions += 1;
    this.#waiting += 1;
    const turn = this.#last.then(() =>
      running.ended ? cancelled : this.#standStill(() => use(this.#ask(running), running)),
    );
    this.#last = turn.then(
      () => undefined,
      () => undefined,
    );
    try {
      return await turn;
    } finally {
      this.#waiting -= 1;
    }
  }

  /**
   * The protocol does not say by which call a question came. Where the calls are of several sessions, it cannot be put to
   * anybody: it would be seen in the wrong one.
   */
  #asker(): Running | null {
    const running = [...this.#running];
    const newest = running.at(-1);
    if (newest === undefined) return null;
    return running.every(({ watch }) => watch.session === newest.watch.session) ? newest : null;
  }

  #ask(running: Running): Ask {
    // A call that ended takes its question with it, and the next one does not wait for that.
    const over = running.over.then(() => nobody);
    return async (flow) => (running.ended ? nobody : await Promise.race([running.watch.ask(flow), over]));
  }

  async #standStill<T>(use: () => Promise<T>): Promise<T> {
    for (const each of this.#running) each.pause();
    try {
      return await use();
    } finally {
      for (const each of this.#running) each.resume();
    }
  }
}
