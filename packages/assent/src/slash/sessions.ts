import { visibleLine } from "../core/interaction/index.ts";
import type { SessionSummary } from "../runtime/index.ts";
import { describeBreaks } from "../show/index.ts";
import {
  bare,
  errand,
  quoted,
  type SlashCommand,
  type SlashPlace,
  type SlashResult,
  submit,
  told,
  unlessRefused,
  wrong,
} from "./command.ts";
import { sessionsNamed, suggestion } from "./names.ts";

export const sessions: SlashCommand = {
  name: "sessions",
  usage: "/sessions",
  does: "lists all sessions, the one that changed last at the end",
  examples: ["/sessions"],
  tier: "safe",
  who: "anyone",
  run: bare(({ host, session }) => {
    const { sessions: found, damage } = host.sessions();
    const damaged = new Set(damage.map((each) => each.session));
    return told(
      found
        .map((each) => {
          const state = damaged.has(each.session) ? "damaged" : sessionState(each);
          return `${each.session === session ? "*" : " "} ${sessionLine(each, state)}`;
        })
        .join("\n"),
    );
  }),
};

export const resume: SlashCommand = {
  name: "resume",
  usage: "/resume [id|name]",
  does: "opens another session, by the beginning of its id or by its name; without one, lets you pick",
  more: "Of the session that is open: goes on where the model failed.",
  examples: ["/resume", "/resume 7f3k", "/resume the-parser"],
  tier: "elevated",
  who: "person",
  complete: (_typed, { host }) => host.sessions().sessions.flatMap(({ session, name }) => [name ?? session]),
  run(given, place) {
    const typed = given.trim();
    const all = place.host.sessions().sessions;
    if (typed === "") return pick(all, place);
    const found = sessionsNamed(all, typed);
    const [first, ...others] = found;
    if (first === undefined) {
      const known = all.flatMap(({ session, name }) => [session, ...(name === null ? [] : [name])]);
      return wrong(`no session has the id or name ${quoted(typed)}${suggestion(typed, known)}`);
    }
    if (others.length > 0) return errand({ type: "pick", sessions: newestFirst(found, place) });
    return first.session === place.session ? takeUp(place) : errand({ type: "open", session: first.session });
  },
};

function pick(all: readonly SessionSummary[], place: SlashPlace): SlashResult {
  const others = all.filter(({ session }) => session !== place.session);
  if (others.length === 0) return told("there is no other session");
  return errand({ type: "pick", sessions: newestFirst(others, place) });
}

/** It is open already; but where the model failed it can go on (SEL-10), which the exchange that begins tells itself. */
function takeUp(place: SlashPlace): SlashResult {
  return unlessRefused(place, submit(place, { type: "resumption" }).refusal, told(""));
}

/** Those of this folder before all others. */
function newestFirst(found: readonly SessionSummary[], { host, session }: SlashPlace): readonly SessionSummary[] {
  const { cwd } = host.view(session);
  const isHere = (each: SessionSummary) => Number(each.cwd === cwd);
  return found.toSorted((one, other) => isHere(other) - isHere(one) || other.changed - one.changed);
}

export const begin: SlashCommand = {
  name: "new",
  usage: "/new",
  does: "opens a new session in this folder; the present one can be resumed",
  examples: ["/new"],
  tier: "elevated",
  who: "person",
  run: bare(() => errand({ type: "begin" })),
};

export const fork: SlashCommand = {
  name: "fork",
  usage: "/fork",
  does: "opens a new session with the history of this one; this one stays as it is",
  examples: ["/fork"],
  tier: "elevated",
  who: "anyone",
  run: bare((place) => {
    const { host, session } = place;
    const created = host.fork(session);
    if ("refusal" in created) return wrong(created.refusal.detail);
    // What is there is taken along, and told of: in the fork it will look as it was recorded.
    const told = describeBreaks(session, host.breaks(session));
    return errand({ type: "open", session: created.session, ...(told === "" ? {} : { told }) });
  }),
};

export const rename: SlashCommand = {
  name: "rename",
  usage: "/rename <name>",
  does: "gives the session a name, by which it can be resumed",
  examples: ["/rename the-parser"],
  tier: "elevated",
  who: "anyone",
  run(given, place) {
    const name = given.trim();
    if (name === "") return wrong("expected a name, found none");
    return unlessRefused(place, submit(place, { type: "name", name }).refusal, told(`the session is called ${name}`));
  },
};

/** Where a session stands, in one word. */
export function sessionState({ status, open, asks, outcome, holder }: SessionSummary): string {
  if (status === "aborted") return "aborted";
  if (asks) return "asks";
  if (open) return holder === null ? "interrupted" : "works";
  return outcome ?? "new";
}

export function sessionLine({ session, name, changed, holder, cwd, prompt }: SessionSummary, state: string): string {
  const when = changed === 0 ? "-" : new Date(changed).toISOString();
  const by = holder === null ? "" : ` (process ${holder.pid})`;
  return `${session}  ${when}  ${state}${by}  ${visibleLine(cwd)}  ${visibleLine(name ?? prompt ?? "").slice(0, 60)}`;
}
