import type { EventBody, EventOf, EventType } from "./events.ts";
import type { InputOf, InputType, Refusal, RefusalCode } from "./inputs.ts";
import type { Session } from "./state.ts";

/** The decision being made on one input: each emitted event is folded at once, so later rules see its effect. */
export type Draft = {
  readonly session: Session;
  readonly at: number;
  emit(event: EventBody): void;
  /** Has a value kept outside of the journal, before the events are recorded. */
  keep(secret: Secret): void;
};

/** A sensitive answer: in the secret store and nowhere else. */
export type Secret = { readonly name: string; readonly value: string };

/** How each kind of event changes a session; each noun's file holds its own. */
export type Evolvers<T extends EventType> = {
  readonly [K in T]: (session: Session, event: EventOf<K>) => Session;
};

/** What each kind of input leads to: events on the draft, and a refusal when it was not taken as meant. */
export type Deciders<T extends InputType> = {
  readonly [K in T]: (draft: Draft, input: InputOf<K>) => Refusal | null;
};

export function refuse(code: RefusalCode, detail: string): Refusal {
  return { code, detail };
}
