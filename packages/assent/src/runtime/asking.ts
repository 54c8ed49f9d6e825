import {
  type Flow,
  type GivenInput,
  givenInput,
  type InputBody,
  type InputDraft,
  type ReturnedFlow,
  type Session,
  type StepAnswer,
} from "../core/index.ts";
import { expiry } from "./judging.ts";
import type { OpenSession } from "./open-session.ts";
import type { FormAnswer, FormEnd, Ports, Typed } from "./ports.ts";
import type { Submitted } from "./session-host.ts";
import { soundDraft, soundFlow } from "./sound.ts";

export type AskingPorts = Pick<Ports, "secrets" | "expiryMs"> & {
  readonly session: OpenSession;
  /** Records, undisturbed; `null` when nothing can be recorded any more. */
  readonly record: (body: InputBody) => Submitted | null;
  /** Goes on with what follows from it. */
  readonly move: () => void;
};

type Form = {
  readonly call: string;
  readonly flow: Flow;
  readonly resolve: (end: FormEnd) => void;
  readonly reject: (error: Error) => void;
  /** It has been put to a person; those behind it wait. */
  begun: boolean;
};

/** When nobody waits for an answer any more: the call is told to end, or who asked wants it no more. */
type Until = { readonly ends: AbortSignal; readonly takenBack?: AbortSignal | undefined };

const stopped: FormEnd = { type: "unanswered", why: "stopped" };

/** What calls that run ask of people: each promise lives no longer than its call does (TERM-6, BRG-1). */
export class Asking {
  readonly #ports: AskingPorts;
  /** Who waits for an answer, by the question. */
  readonly #inputs = new Map<string, (typed: Typed | null) => void>();
  readonly #forms: Form[] = [];

  constructor(ports: AskingPorts) {
    this.#ports = ports;
  }

  /** A line for a command that reads its terminal. Rejected when what was given is no question. */
  async input(call: string, given: InputDraft): Promise<Typed | null> {
    const draft = { ...expiry(this.#ports), ...soundDraft(given) };
    const asked = this.#ports.record({ type: "input-request", call, draft });
    const requested = asked?.events.find(({ event }) => event.type === "interaction.requested")?.event;
    if (requested?.type !== "interaction.requested") return null;
    return new Promise((resolve) => {
      this.#inputs.set(requested.request.interaction_id, resolve);
      this.#ports.move();
    });
  }

  /** Rejected when what was given is no flow: that is a fault of who gave it. A call that is told to end has no answer any more. */
  form(call: string, flow: Flow, { ends, takenBack }: Until): Promise<FormEnd> {
    return new Promise((resolve, reject) => {
      if (ends.aborted || takenBack?.aborted) {
        resolve(stopped);
        return;
      }
      const form = { call, flow: { ...expiry(this.#ports), ...soundFlow(flow) }, resolve, reject, begun: false };
      this.#forms.push(form);
      ends.addEventListener("abort", () => this.#drop(form), { once: true });
      takenBack?.addEventListener("abort", () => this.#takeBack(form), { once: true });
      this.#ports.move();
    });
  }

  /** Hands out what has been answered, and puts the next flow to a person. To be called after every change of the session. */
  deliver(): void {
    for (const [id, take] of this.#inputs) {
      const given = givenInput(this.#ports.session.state, id);
      if (given === "open") continue;
      this.#inputs.delete(id);
      take(this.#typed(given));
    }
    if (this.#deliverForms()) this.#ports.move();
  }

  /** Returns whether one was begun. */
  #deliverForms(): boolean {
    for (let form = this.#forms[0]; form !== undefined; form = this.#forms[0]) {
      if (!form.begun) return this.#begin(form);
      const { flow, returned } = this.#ports.session.state;
      if (flow?.call === form.call) return false;
      this.#forms.shift();
      form.resolve(returned?.call === form.call ? this.#endOf(returned) : stopped);
    }
    return false;
  }

  /** Whether anything has changed by it. */
  #begin(form: Form): boolean {
    const { call, flow } = form;
    const refusal = this.#ports.record({ type: "form-request", call, flow })?.refusal;
    // What another call has left open is withdrawn when that one ends.
    if (refusal?.code === "flow_open") return false;
    if (refusal === null) form.begun = true;
    else this.#forms.shift();
    if (refusal?.code === "invalid_flow") form.reject(new Error(`it asked for a flow that is none: ${refusal.detail}`));
    else if (refusal !== null) form.resolve(unaskedEnd(this.#ports.session.state));
    return true;
  }

  /** Whether anybody still waited for it. */
  #drop(form: Form): boolean {
    const at = this.#forms.indexOf(form);
    if (at < 0) return false;
    this.#forms.splice(at, 1);
    form.resolve(stopped);
    return true;
  }

  #takeBack(form: Form): void {
    if (!this.#drop(form) || !form.begun) return;
    this.#ports.record({ type: "form-withdrawal", call: form.call });
    this.#ports.move();
  }

  #endOf({ end, state }: ReturnedFlow): FormEnd {
    if (end !== "confirmed") return { type: "unanswered", why: end };
    const answers: [key: string, FormAnswer][] = [];
    for (const { key, answer } of state.answers) {
      const given = this.#given(answer);
      // Somebody has emptied the store: there is no answer without it.
      if (given === null) return { type: "unanswered", why: "aborted" };
      answers.push([key, given]);
    }
    return { type: "filled", answers: Object.fromEntries(answers) };
  }

  #given(answer: StepAnswer): FormAnswer | null {
    if (answer.type === "selected") return { options: answer.options };
    const text = answer.type === "free-text" ? answer.text : this.#secret(answer.secret);
    return text === null ? null : { text };
  }

  #typed(given: GivenInput): Typed | null {
    if (given === null) return null;
    if ("text" in given) return { text: given.text, secret: false };
    const text = this.#secret(given.secret);
    return text === null ? null : { text, secret: true };
  }

  #secret(name: string): string | null {
    const text = this.#ports.secrets.read(name);
    if (text !== null) this.#ports.session.hide(text);
    return text;
  }
}

/** Why a call that is bound to end gets no answer any more. */
function unaskedEnd({ exchange }: Session): FormEnd {
  return exchange?.ending?.outcome === "cancelled" ? { type: "unanswered", why: "cancelled" } : stopped;
}
