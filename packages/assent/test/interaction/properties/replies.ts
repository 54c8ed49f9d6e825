import {
  type CheckedReply,
  type InteractionResponse,
  openInteraction,
  renderBlock,
  runningCalls,
  type SessionEvent,
} from "../../../src/core/index.ts";
import { type Dice, equal, holds, meet, type Told } from "./check.ts";
import { inKeyOrder, withoutSecrets } from "./expected.ts";
import { readingOf } from "./reading.ts";
import { type Asked, typedLine, withoutEnd } from "./typed.ts";
import { acted, type Watch } from "./watch.ts";

/** One typed line, and that what follows is what it means (ANS-4, ANS-7). */
export function reply(dice: Dice, watch: Watch, told: Told): void {
  const open = openInteraction(watch.session);
  holds(open !== null, "a question is open");
  const { request, purpose } = open;
  const id = request.interaction_id;
  const flow = purpose.type === "flow" ? (watch.session.flow?.flow ?? null) : null;
  const asked = { request, flow };
  const typed = typedLine(dice, asked);
  const reading = readingOf(typed, asked);
  meet(told, `${purpose.type} ${reading.type}`);
  const attempts = watch.watched.get(id)?.attempts ?? 0;
  const stopping = watch.session.exchange?.stop != null;
  const { events, refusal, secret } = watch.give({
    type: "reply",
    interaction: id,
    line: typed.line,
    shown: null,
    ...acted,
  });
  const ended = watch.watched.get(id)?.ended ?? null;
  if (!stopping)
    equal("the question ends as the line means", ended, endBy(reading, asked, { purpose: purpose.type, attempts }));
  equal(
    "only an invalid reply costs an attempt",
    refusal?.attempt,
    reading.type === "invalid" ? attempts + 1 : undefined,
  );
  if (reading.type === "command") equal("a command without its text changes nothing", events, []);
  const followed = { line: typed.line, reading, events };
  // A call that only asks has ended with its answer: nothing could want the value.
  const wanted = purpose.type === "flow" || purpose.type === "terminal-input";
  if (request.sensitive) keepsSecret(watch, followed, { value: secret?.value, wanted });
  if (flow !== null) besideFlow(watch, followed);
}

type Before = { readonly purpose: string; readonly attempts: number };

function endBy(reading: CheckedReply, { request, flow }: Asked, { purpose, attempts }: Before): string | null {
  if (reading.type === "command") return null;
  if (reading.type === "invalid") return attempts === 3 ? "aborted" : null;
  if (reading.type === "stop") return "withdrawn";
  if (reading.type === "flow-cancel") return "cancelled";
  const yes = reading.type === "confirmed" && reading.confirmed;
  if (["approval", "grant", "turn-limit"].includes(purpose)) return yes ? "answered" : "declined";
  return flow !== null && request.kind === "confirmation" && reading.type === "confirmed" && !yes
    ? "cancelled"
    : "answered";
}

/** The value is kept outside of the journal, and no event has it. */
type KeptValue = { readonly value: string | undefined; readonly wanted: boolean };

function keepsSecret(watch: Watch, { line, reading, events }: Followed, kept: KeptValue): void {
  const value = withoutEnd(line);
  equal("the secret is what was typed", kept.value, reading.type === "free-text" && kept.wanted ? value : undefined);
  if (value.length < 12) return;
  const spelled = JSON.stringify(value).slice(1, -1);
  // Someone may have typed the same before, where it was no secret.
  const before = watch.events.slice(0, -events.length);
  const known = JSON.stringify(before).includes(spelled);
  holds(known || !JSON.stringify(events).includes(spelled), "no event has the secret");
}

type Followed = {
  readonly line: string;
  readonly reading: CheckedReply;
  readonly events: readonly SessionEvent[];
};

/** The session's flow is the same as the flow alone. */
function besideFlow(watch: Watch, { line, reading, events }: Followed): void {
  const { played, session } = watch;
  if (played === null || !played.open) return;
  played.take(line, reading);
  const { play, expected } = played;
  const ended = events.find((event) => event.type === "flow.ended");
  const ends = {
    open: undefined,
    confirmed: "confirmed",
    cancelled: "cancelled",
    step_abort: "aborted",
    stopped: "stopped",
  };
  equal("the flow ends in the session as it does alone", ended?.end, ends[play.final]);
  const returned = session.returned;
  if (play.final === "confirmed" && ended !== undefined && returned?.call === ended.call) {
    equal("a call that runs gets the answers, and runs on", withoutSecrets(returned.state), withoutSecrets(play.state));
    equal("a call that runs gets the answers, and runs on", runningCalls(session).at(0)?.id, ended.call);
    watch.meets("answers to a running call");
  } else if (play.final === "confirmed") {
    const finished = events.find((event) => event.type === "call.finished");
    equal("what a flow found out", finished?.result.type, "output");
    equal(
      "what a flow found out",
      inKeyOrder(Object.entries(JSON.parse(finished?.result.text ?? ""))),
      expected.result,
    );
  }
  if (play.final !== "open") return;
  // What another call that runs asks meanwhile may stand before it.
  const open = session.interactions.find(({ purpose }) => purpose.type === "flow");
  holds(open !== undefined && session.flow !== null, "the flow goes on");
  equal("the block of the session", renderBlock(open.request), expected.block);
  equal("the attempts of the session", open.attempts, expected.attempts);
  equal("the state of the session's flow", withoutSecrets(session.flow.state), withoutSecrets(play.state));
}

/** An answer in wire form, right or wrong in every way; how it must end is the watch's to say. */
export function respond(dice: Dice, watch: Watch): void {
  const open = openInteraction(watch.session);
  holds(open !== null, "a question is open");
  if (open.purpose.type === "flow") watch.played = null;
  const { interaction_id, options } = open.request;
  const id = dice.pick([...options.map((option) => option.id), "nothing", "__proto__"]);
  const response: InteractionResponse = {
    interaction_id,
    cancelled: dice.chance(0.1),
    ...(dice.chance(0.4) ? { selected_option_id: id } : {}),
    ...(dice.chance(0.2) ? { selected_option_ids: dice.some([...options.map((option) => option.id), id], 2) } : {}),
    ...(dice.chance(0.3) ? { free_text: dice.pick(["because", "", "cancel", "stop"]) } : {}),
    ...(dice.chance(0.2) ? { confirmed: dice.chance(0.5) } : {}),
    ...(dice.chance(0.5) ? { answer_id: dice.pick(["a1", "a2"]) } : {}),
  };
  const { events } = watch.give({ type: "response", response, shown: null, ...acted });
  const again = watch.give({ type: "response", response, shown: null, ...acted });
  const { selected_option_id, selected_option_ids = [], free_text, confirmed, cancelled } = response;
  const selects = selected_option_id !== undefined || selected_option_ids.length > 0;
  const answers = [selects && confirmed === undefined, free_text !== undefined, confirmed !== undefined, cancelled];
  if (answers.filter(Boolean).length !== 1) equal("what is no answer at all costs nothing", events, []);
  const known = response.answer_id !== undefined || events.length === 0;
  if (known && watch.watched.get(interaction_id)?.ended === null)
    equal("sent again it costs nothing", again.events, []);
}
