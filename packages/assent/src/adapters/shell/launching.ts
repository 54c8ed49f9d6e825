import type { Session } from "../../core/index.ts";
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
};

/**
 * What the model has prepared is entered through the line when nothing else is going on, never over what is being typed; what
 * somebody has changed in the meantime is theirs (HAND-2). Until it is taken it stays in the session, whatever happens here.
 */
export class Launching {
  readonly #ports: LaunchPorts;
  #prepared: string | null = null;

  constructor(ports: LaunchPorts) {
    this.#ports = ports;
  }

  look(): void {
    const { line } = this.#ports;
    const next = this.#next();
    if (next === undefined || this.#prepared !== null || line.text !== "") return;
    // Who was just about to type something else has not taken it: it waits for their line to be done.
    let isTypedOver = false;
    line.offer(next.command, () => {
      isTypedOver = true;
    });
    const { editing } = line;
    this.#prepared = next.call;
    setTimeout(() => {
      this.#prepared = null;
      if (isTypedOver) this.look();
      else this.#send(next, line.editing === editing);
    }, seenMs);
  }

  /** The first that waits, where it could be entered now. */
  #next(): Session["launches"][number] | undefined {
    const { line, view, isBusy } = this.#ports;
    const { exchange, launches } = view();
    return exchange === null && line.asked === null && !isBusy() ? launches[0] : undefined;
  }

  #send({ call, command }: Session["launches"][number], isUntouched: boolean): void {
    const { line, taken, send } = this.#ports;
    const isNext = this.#next()?.call === call;
    if (isNext) taken(call);
    if (!isUntouched) return;
    line.set("");
    if (isNext) send(command);
  }
}
