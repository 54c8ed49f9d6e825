import {
  type Decision,
  decide,
  evolve,
  fold,
  type InputBody,
  type InteractionRequest,
  newSession,
  nextWork,
  renderBlock,
  type Session,
  type SessionEvent,
  type SessionInput,
} from "../../../src/core/index.ts";
import { decodeEvent, encodeEvent } from "../../../src/wire/index.ts";
import { equal, frozen, holds, meet, type Told } from "./check.ts";
import type { Played } from "./expected.ts";

export const person = { name: "ada", adapter: "test" } as const;
export const acted = { by: person, authority: "act" } as const;

/** What is known of one interaction by its events alone. */
type Watched = {
  readonly request: InteractionRequest;
  readonly bytes: string;
  readonly block: string;
  attempts: number;
  ended: string | null;
};

/** One session, one person who types anything, and what the journal says of it. */
export class Watch {
  session: Session = newSession();
  /** The same, from the bytes of the journal. */
  joined: Session = newSession();
  readonly inputs: SessionInput[] = [];
  readonly events: SessionEvent[] = [];
  readonly read: SessionEvent[] = [];
  /** How many events there were before each input. */
  readonly before: number[] = [];
  readonly watched = new Map<string, Watched>();
  readonly flows = new Map<string, "open" | string>();
  /** The open flow played beside the session; `null` when something other than a line has moved it. */
  played: Played | null = null;
  at = 1_000;
  private readonly told: Told;

  constructor(told: Told) {
    this.told = told;
  }

  meets(name: string): void {
    meet(this.told, name);
  }

  give(body: InputBody): Decision {
    const input = frozen({ ...body, at: this.at });
    this.told.lines.push(input);
    this.inputs.push(input);
    this.before.push(this.events.length);
    const decision = decide(this.session, input);
    for (const [index, event] of decision.events.entries()) {
      this.see(event, decision.events[index + 1]);
      this.record(frozen(event));
    }
    if (decision.events.length > 0) this.agree();
    return decision;
  }

  get unanswered(): readonly string[] {
    return [...this.watched].filter(([, { ended }]) => ended === null).map(([id]) => id);
  }

  get ended(): readonly string[] {
    return [...this.watched].filter(([, { ended }]) => ended !== null).map(([id]) => id);
  }

  /** Another process takes over: it has the bytes and nothing else. */
  takeOver(): void {
    const session = fold(this.read);
    equal("from its bytes the session has the same questions", session.interactions, this.session.interactions);
    equal("from its bytes the session has the same flow", session.flow, this.session.flow);
    this.session = session;
  }

  private record(event: SessionEvent): void {
    this.events.push(event);
    this.session = evolve(this.session, event);
    const line = decodeEvent(encodeEvent({ seq: this.events.length, session: "s", event }));
    holds(line.type === "event", `an event is readable: ${line.type === "event" ? "" : line.reason}`);
    this.read.push(line.event);
    this.joined = evolve(this.joined, line.event);
    // At every prefix, also in the middle of what one input led to.
    for (const { request } of this.joined.interactions) this.unchanged(request);
  }

  private unchanged(request: InteractionRequest): void {
    const watched = this.watched.get(request.interaction_id);
    holds(watched !== undefined && watched.ended === null, `${request.interaction_id} is open`);
    if (JSON.stringify(request) !== watched.bytes) equal("a stored request never changes", request, watched.request);
    if (renderBlock(request) !== watched.block) equal("the block never changes", renderBlock(request), watched.block);
  }

  private see(event: SessionEvent, next: SessionEvent | undefined): void {
    switch (event.type) {
      case "interaction.requested":
        this.seeRequest(event.request);
        break;
      case "interaction.rejected":
        this.seeRejection(event.interaction, event.attempt, next);
        break;
      case "interaction.resolved":
        this.seeEnd(event.interaction, event.state);
        break;
      case "interaction.expired":
        this.seeEnd(event.interaction, "expired");
        break;
      case "flow.started":
        // A call that runs may put several to a person, one after the other.
        holds(![...this.flows.values()].includes("open"), "one flow is open at a time");
        holds(event.flow !== undefined || !this.flows.has(event.call), "a flow that is asked for starts once");
        this.flows.set(event.call, "open");
        break;
      case "flow.changed":
        equal("only an open flow changes", this.flows.get(event.call), "open");
        break;
      case "flow.ended":
        equal("a flow ends once", this.flows.get(event.call), "open");
        this.flows.set(event.call, event.end);
        meet(this.told, `session flow ${event.end}`);
        break;
      default:
    }
  }

  private seeRequest(request: InteractionRequest): void {
    holds(!this.watched.has(request.interaction_id), "an interaction is requested once");
    const watched = { request, bytes: JSON.stringify(request), block: renderBlock(request), attempts: 0, ended: null };
    this.watched.set(request.interaction_id, watched);
  }

  private seeRejection(id: string, attempt: number, next: SessionEvent | undefined): void {
    const watched = this.watched.get(id);
    holds(watched !== undefined && watched.ended === null, "only an open interaction is rejected");
    watched.attempts += 1;
    equal("attempts are consecutive, per interaction", attempt, watched.attempts);
    if (attempt < 4) return;
    equal("at the fourth it ends", next?.type, "interaction.resolved");
    if (next?.type === "interaction.resolved")
      equal("at the fourth it is aborted", [next.interaction, next.state], [id, "aborted"]);
  }

  private seeEnd(id: string, state: string): void {
    const watched = this.watched.get(id);
    holds(watched !== undefined, "what ends was requested");
    equal("an interaction ends once", watched.ended, null);
    watched.ended = state;
    equal("it is aborted at the fourth attempt, and only then", state === "aborted", watched.attempts === 4);
    meet(this.told, `interaction ${state}`);
  }

  private agree(): void {
    const { session, joined } = this;
    equal("a late joiner has the same questions", joined.interactions, session.interactions);
    equal("a late joiner has the same flow", joined.flow, session.flow);
    equal(
      "every question without an end waits",
      session.interactions.map(({ request }) => request.interaction_id),
      this.unanswered,
    );
    for (const { request, attempts } of session.interactions) {
      this.unchanged(request);
      equal("attempts of the state", attempts, this.watched.get(request.interaction_id)?.attempts);
    }
    const work = nextWork(session);
    if (work.type === "ask-person") {
      equal("a late joiner is asked the same", nextWork(joined), work);
    }
  }
}
