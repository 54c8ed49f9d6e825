import type { Session } from "../../core/index.ts";
import type { Editing } from "./editing.ts";
import type { Line } from "./line.ts";

/** How long a command that the model has prepared is seen before it is sent. */
const seenMs = 400;

export type LaunchPorts = {
  readonly line: Line;
  readonly view: () => Session;
  /** Whether something else is going on here that a line would get into. */
  readonly isBusy: () => boolean;
  /** It is the person's now, or sent: it is not prepared again. */
  readonly taken: (call: string) => void;
  readonly send: (command: string) => void;
  /** Somebody has taken it out of the line: it is not entered. */
  readonly dropped: (command: string) => void;
};

/**
 * What the model has prepared is entered through the line when nothing else is going on, never over what is being typed; what
 * somebody has changed in the meantime is theirs (HAND-2). Until it is taken it stays in the session, whatever happens here.
 */
export class Launching {
  readonly #ports: LaunchPorts;
  /** What stands in the line to be seen before it is sent. */
  #prepared: Prepared | null = null;

  constructor(ports: LaunchPorts) {
    this.#ports = ports;
  }

  look(): void {
    const { line } = this.#ports;
    const next = this.#next();
    if (next === undefined || this.#prepared !== null || line.text !== "") return;
    // Who was just about to type something else has not taken it: it waits for their line to be done.
    line.offer(next.command, () => this.#typeOver());
    const timer = setTimeout(() => this.#seen(), seenMs);
    this.#prepared = { ...next, timer, editing: line.editing, isTypedOver: false };
  }

  /** The person sends a line: where the command stood in it, as it was or changed, this was it, and it comes no more. */
  sent(): void {
    const prepared = this.#prepared;
    if (prepared === null || prepared.isTypedOver) return;
    clearTimeout(prepared.timer);
    this.#prepared = null;
    this.#ports.taken(prepared.call);
  }

  /** The first that waits, where it could be entered now. */
  #next(): Session["launches"][number] | undefined {
    const { line, view, isBusy } = this.#ports;
    const { exchange, launches } = view();
    return exchange === null && line.asked === null && !isBusy() ? launches[0] : undefined;
  }

  #typeOver(): void {
    if (this.#prepared !== null) this.#prepared = { ...this.#prepared, isTypedOver: true };
  }

  #seen(): void {
    const prepared = this.#prepared;
    this.#prepared = null;
    if (prepared === null) return;
    if (prepared.isTypedOver) this.look();
    else this.#enter(prepared);
  }

  #enter({ call, command, editing }: Prepared): void {
    const { line, taken, send, dropped } = this.#ports;
    const isNext = this.#next()?.call === call;
    if (isNext) taken(call);
    if (line.editing !== editing) {
      if (isNext && line.text === "") dropped(command);
      return;
    }
    line.set("");
    if (isNext) send(command);
  }
}

type Prepared = Session["launches"][number] & {
  readonly timer: NodeJS.Timeout;
  readonly editing: Editing;
  readonly isTypedOver: boolean;
};
