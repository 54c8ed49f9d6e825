import { decide, fold, nextWork, openInteraction } from "../../../src/core/index.ts";
import { begin, type Dice, equal, type Told } from "./check.ts";
import { Played } from "./expected.ts";
import { askPerson, lateReply } from "./person.ts";
import { acted, Watch } from "./watch.ts";
import { workInput } from "./work.ts";

export function checkSession(dice: Dice, told: Told): void {
  begin(told, "session");
  const watch = new Watch(told);
  watch.give({ type: "creation", session: "s", cwd: "/project", limits: { turns: dice.between(1, 3) } });
  const most = dice.between(6, 36);
  for (let count = 0; count < most && watch.session.status === "active"; count++) {
    const work = nextWork(watch.session);
    if (work.type === "ask-person") askPerson(dice, watch, told);
    else watch.give(workInput(dice, watch, work));
    followFlow(watch, told);
  }
  endAll(dice, watch);
  endsTheSame(dice, watch);
}

/** Whatever is left is cancelled; then every interaction has had one end, and a late reply changes nothing. */
function endAll(dice: Dice, watch: Watch): void {
  for (let open = openInteraction(watch.session); open !== null; open = openInteraction(watch.session)) {
    watch.give({ type: "reply", interaction: open.request.interaction_id, line: "cancel", shown: null, ...acted });
    equal("the exact word cancels", watch.watched.get(open.request.interaction_id)?.ended, "cancelled");
  }
  equal("every interaction has ended", watch.unanswered, []);
  for (const id of dice.some(watch.ended, 3)) lateReply(dice, watch, id);
}

/** The flow that has begun is played beside the session. */
function followFlow(watch: Watch, told: Told): void {
  const { flow } = watch.session;
  if (flow === null || flow.state.answers.length > 0 || flow.state.choosing) return;
  const open = openInteraction(watch.session);
  if (open?.purpose.type !== "flow" || open.attempts > 0 || watch.played?.play.flow === flow.flow) return;
  const { lines } = told;
  watch.played = new Played(flow.flow, { lines: [], met: told.met });
  told.lines = lines;
}

/** From the bytes of any prefix the same inputs lead to the same events, byte for byte. */
function endsTheSame(dice: Dice, watch: Watch): void {
  const all = dice.chance(0.02);
  const starts = all ? watch.before.keys() : [dice.below(watch.before.length)];
  for (const start of starts) {
    let session = fold(watch.read.slice(0, watch.before[start]));
    let at = watch.before[start] ?? 0;
    for (const input of watch.inputs.slice(start)) {
      const decision = decide(session, input);
      equal(
        "from its bytes the session goes on the same",
        decision.events,
        watch.events.slice(at, at + decision.events.length),
      );
      at += decision.events.length;
      session = decision.session;
    }
    equal("it ends with the same events", at, watch.events.length);
  }
}
