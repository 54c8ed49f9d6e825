import type { Flow } from "../../core/interaction/index.ts";
import type { Failed, FormEnd, McpServer, Sample, ServerAddress } from "../types.ts";
import { allowsSampling, type Elicited, elicit, type Wanted, wholeOf } from "./elicitation.ts";
import type { Running } from "./running.ts";

/** Questions of a server that wait for the one that is open; what is more is cancelled unseen. */
const mostWaiting = 3;
const nobody: FormEnd = { type: "unanswered", why: "nobody" };

type Ask = (flow: Flow) => Promise<FormEnd>;

/** What a server asks while its calls run: put to the person one after the other, in the session that the call is of. */
export class Questions {
  readonly #server: string;
  /** What the server knows and nobody else should. */
  readonly #known: Set<string>;
  readonly #running: ReadonlySet<Running>;
  readonly #mostPerCall: number;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(
    { name, address }: Pick<McpServer, "name" | "address">,
    running: ReadonlySet<Running>,
    mostPerCall: number,
  ) {
    this.#server = name;
    this.#known = new Set(valuesIn(address));
    this.#running = running;
    this.#mostPerCall = mostPerCall;
  }

  /** A question that the server takes back is over. */
  elicit(params: unknown, signal: AbortSignal): Promise<Elicited> {
    const from = { server: this.#server, known: this.#known };
    return this.#inTurn<Elicited>(signal, { said: "cancel" }, (ask) => elicit(from, params, ask));
  }

  /** The person is asked first, whoever has accepted the server; and about nothing that they do not see all of. */
  sample(sample: Sample, wanted: Wanted, signal: AbortSignal): Promise<string | Failed> {
    const declined = { failed: "the person declined" };
    return this.#inTurn<string | Failed>(signal, declined, async (ask, running) => {
      const whole = wholeOf(wanted);
      if (whole === null) {
        running.tell(`${this.#server} wanted your model to answer more than can be shown to you: declined`);
        return { failed: "it is more than a person is shown, and was declined" };
      }
      if (!(await allowsSampling(this.#server, whole, ask))) return declined;
      return await sample({ ...whole, signal: AbortSignal.any([running.watch.signal, signal]) });
    });
  }

  async #inTurn<T>(signal: AbortSignal, cancelled: T, use: (ask: Ask, running: Running) => Promise<T>): Promise<T> {
    const running = this.#asker();
    if (running === null || this.#waiting >= mostWaiting || running.questions >= this.#mostPerCall) return cancelled;
    running.questions += 1;
    this.#waiting += 1;
    const turn = this.#last.then(() =>
      running.ended || signal.aborted ? cancelled : this.#standStill(() => use(this.#ask(running, signal), running)),
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

  #ask(running: Running, signal: AbortSignal): Ask {
    // A call that ended takes its question with it, and the next one does not wait for that.
    const over = Promise.race([running.over, aborted(signal)]).then(() => nobody);
    return async (flow) =>
      running.ended || signal.aborted ? nobody : await Promise.race([running.watch.ask(flow, signal), over]);
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

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** Everything that it is started or reached with; a token is among it, alone or after a word such as `Bearer` or `--token=`. */
function valuesIn(address: ServerAddress): readonly string[] {
  const given =
    address.type === "url"
      ? [address.url, ...Object.values(address.headers)]
      : [...address.command.slice(1), ...Object.values(address.env)];
  return given.flatMap((value) => [value, ...value.split(/[\s=&?]+/)]);
}
