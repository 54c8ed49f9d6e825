import { openInteraction, runningCalls, type Session, secretsOf } from "../../../src/core/index.ts";
import { type Dice, equal, holds, type Told } from "./check.ts";
import { questionOf } from "./flows.ts";
import { reply, respond } from "./replies.ts";
import { typedLine } from "./typed.ts";
import { acted, person, type Watch } from "./watch.ts";

/** Something happens while a question is open: mostly a typed line. */
export function askPerson(dice: Dice, watch: Watch, told: Told): void {
  const what = dice.weighted({
    line: 80,
    response: 6,
    late: 4,
    view: 2,
    wait: 4,
    crash: 6,
    stop: 0.5,
    nobody: 0.7,
    behind: 2,
    another: 5,
  });
  const open = openInteraction(watch.session);
  holds(open !== null, "a question is open");
  const id = open.request.interaction_id;
  switch (what) {
    case "line":
      reply(dice, watch, told);
      break;
    case "response":
      respond(dice, watch);
      break;
    case "late":
      if (watch.ended.length > 0) lateReply(dice, watch, dice.pick(watch.ended));
      break;
    case "view": {
      const { line } = typedLine(dice, { request: open.request, flow: null });
      const { events } = watch.give({
        type: "reply",
        interaction: id,
        line,
        shown: null,
        by: person,
        authority: "view",
      });
      equal("someone who may only watch changes nothing", events, []);
      break;
    }
    case "wait":
      waitAt(dice, watch, open);
      break;
    case "crash":
      crash(dice, watch);
      break;
    case "stop":
      watch.give({ type: "stop", mode: "graceful", ...acted });
      equal("a stop withdraws the question", watch.watched.get(id)?.ended, "withdrawn");
      break;
    case "nobody":
      watch.give({ type: "nobody", interaction: id, unattended: dice.pick(["deny", "park", "park", "abort"]) });
      break;
    case "another":
      anotherQuestion(dice, watch);
      break;
    case "behind":
      behind(dice, watch);
      break;
    default:
      what satisfies never;
  }
}

export function lateReply(dice: Dice, watch: Watch, id: string): void {
  const watched = watch.watched.get(id);
  holds(watched !== undefined, "a known interaction");
  const { line } = typedLine(dice, { request: watched.request, flow: null });
  const { events, refusal } = watch.give({ type: "reply", interaction: id, line, shown: null, ...acted });
  equal("a late reply changes nothing", events, []);
  equal("a late reply is refused", refusal?.code, watched.ended === "expired" ? "expired" : "already_resolved");
}

/** Time passes: the question expires when its time is over, and not before (INT-8). */
function waitAt(dice: Dice, watch: Watch, { request, openedAt }: Session["interactions"][number]): void {
  watch.at += dice.pick([10, 499, 500, 600]);
  watch.give({ type: "clock" });
  const over = request.timeout_ms !== undefined && watch.at >= (openedAt ?? watch.at) + request.timeout_ms;
  const ended = watch.watched.get(request.interaction_id)?.ended;
  equal("a question expires when its time is over, and not before", ended, over ? "expired" : null);
}

/** A running command asks too: its question waits. */
function anotherQuestion(dice: Dice, watch: Watch): void {
  const [call] = runningCalls(watch.session);
  if (call === undefined || watch.session.interactions.length > 2) return;
  watch.give({ type: "input-request", call: call.id, draft: questionOf(dice) });
}

/** A question that waits for another one takes no reply. */
function behind(dice: Dice, watch: Watch): void {
  const waiting = watch.session.interactions[1]?.request.interaction_id ?? "unheard-of";
  const line = dice.pick(["1", "cancel", "yes", "", "option 1"]);
  const { events, refusal } = watch.give({ type: "reply", interaction: waiting, line, shown: null, ...acted });
  equal("only the open question takes a reply", [events, refusal?.code], [[], "unknown_interaction"]);
}

function crash(dice: Dice, watch: Watch): void {
  const lost = dice.chance(0.2) ? secretsOf(watch.session) : [];
  const running = runningCalls(watch.session).length > 0;
  watch.takeOver();
  const { events } = watch.give({ type: "recovery", alive: [], lost });
  if (lost.length > 0) watch.played = null;
  else if (!running) equal("the same question stays open", events, []);
}
