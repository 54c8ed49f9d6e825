import { type Deciders, type Draft, type Evolvers, refuse } from "./draft.ts";
import { endedWell, startExchange } from "./exchange.ts";
import type { InputOf, Refusal } from "./inputs.ts";
import { isBlank, mentionsStop } from "./interaction/index.ts";
import type { Session, Waiting } from "./state.ts";
import { requestStop } from "./stop.ts";

/** What people send: it starts an exchange, steers the open one, or waits (SEL-11). */
export const waitingEvolvers: Evolvers<
  "prompt.queued" | "prompt.withdrawn" | "steering.received" | "steering.sent" | "steering.withdrawn"
> = {
  "prompt.queued": (session, event) => {
    const type = event.command === undefined ? "prompt" : "command";
    return addWaiting(session, { ...event, type, id: event.waiting });
  },
  "steering.received": (session, event) => addWaiting(session, { ...event, type: "steering", id: event.waiting }),
  "steering.sent": (session, event) => ({
    ...session,
    waiting: session.waiting.map((text) => (event.waiting.includes(text.id) ? { ...text, sent: event.request } : text)),
  }),
  "prompt.withdrawn": (session, event) => removeWaiting(session, event.waiting),
  "steering.withdrawn": (session, event) => removeWaiting(session, event.waiting),
};

export const waitingDeciders: Deciders<"prompt" | "resumption" | "withdrawal" | "release"> = {
  prompt: decidePrompt,
  resumption: (draft, { by }) => {
    const { exchange, failed, counted } = draft.session;
    if (exchange !== null) return refuse("exchange_open", "an exchange is open; there is nothing to take up again");
    if (failed === null)
      return refuse(
        "nothing_to_resume",
        "only the last prompt can be gone on with, and only where the model failed or was outgrown",
      );
    const { exchange: resumes, prompt, run } = failed;
    draft.emit({ type: "exchange.started", exchange: counted.exchanges + 1, prompt, by, resumes });
    if (run === null) return null;
    // The same run: an outage must not give it new limits.
    const { call, objective, iterations } = run;
    draft.emit({ type: "run.started", call, objective, iterations });
    return null;
  },
  withdrawal: (draft, input) => {
    const text = draft.session.waiting.find((candidate) => candidate.id === input.waiting);
    if (text === undefined) return unknownWaiting(input.waiting);
    const due = draft.session.exchange !== null && text.sent === draft.session.counted.requests + 1;
    if (due) return refuse("already_sent", `text ${text.id} has gone to the model`);
    const type = text.type === "steering" ? "steering.withdrawn" : "prompt.withdrawn";
    draft.emit({ type, waiting: text.id, by: input.by });
    return null;
  },
  release: (draft, input) => {
    const text = draft.session.waiting.find((candidate) => candidate.id === input.waiting);
    if (text === undefined) return unknownWaiting(input.waiting);
    if (draft.session.exchange !== null) return refuse("exchange_open", "an exchange is open; its end comes first");
    startExchange(draft, { ...text, by: input.by, waiting: text.id });
    return null;
  },
};

/** After an exchange that ended well, the first waiting text is the next prompt. */
export function startWaiting(draft: Draft): boolean {
  if (draft.session.exchange !== null || !endedWell(draft.session.lastEnding)) return false;
  const text = draft.session.waiting.find((candidate) => !candidate.held);
  if (text === undefined) return false;
  startExchange(draft, { ...text, waiting: text.id });
  return true;
}

/** What was typed before a request goes with it; what comes later waits for the next (SEL-11). */
export function sendSteering(draft: Draft, request: number): void {
  const { exchange, waiting } = draft.session;
  // A reply that can use no tool is not the one that such a text waits for.
  if (exchange === null || exchange.overflow === "conversational" || exchange.observing) return;
  const unsent = waiting.filter(({ type, sent }) => type === "steering" && sent !== request).map(({ id }) => id);
  if (unsent.length > 0) draft.emit({ type: "steering.sent", request, waiting: unsent });
}

function decidePrompt(draft: Draft, input: InputOf<"prompt">): Refusal | null {
  const { text, by } = input;
  if (isBlank(text)) return refuse("blank_prompt", "a prompt has at least one visible character");
  if (draft.session.exchange === null) {
    startExchange(draft, { text, by });
    return null;
  }
  // A second line that says stop, while stopping, may say more: it waits like any other text.
  const stops = input.entry === "typed" && input.delivery === "now" && mentionsStop(text);
  if (stops && draft.session.exchange.stop === null) return requestStop(draft, "graceful", by);
  const waiting = `w${draft.session.counted.waiting + 1}`;
  draft.emit({ type: input.delivery === "now" ? "steering.received" : "prompt.queued", waiting, text, by });
  return null;
}

function addWaiting(session: Session, { id, type, text, by, command }: Omit<Waiting, "held" | "sent">): Session {
  const what = command === undefined ? {} : { command };
  return {
    ...session,
    counted: { ...session.counted, waiting: session.counted.waiting + 1 },
    waiting: [...session.waiting, { id, type, text, by, sent: null, held: false, ...what }],
  };
}

function removeWaiting(session: Session, id: string): Session {
  return { ...session, waiting: session.waiting.filter((text) => text.id !== id) };
}

function unknownWaiting(id: string): Refusal {
  return refuse("unknown_waiting", `no waiting text has the id ${id}`);
}
