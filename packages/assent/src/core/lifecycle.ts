import { callsWith } from "./calls.ts";
import { type Deciders, type Draft, type Evolvers, refuse } from "./draft.ts";
import type { InputOf, Refusal } from "./inputs.ts";
import { defaultLimits, type Limits, parseTurnLimit, turnLimitReached } from "./limits.ts";
import { withdraw, withdrawInputRequests } from "./questions.ts";
import { openInteraction } from "./state.ts";

/** The session itself: made, named, limited, taken over after a crash, aborted. */
export const lifecycleEvolvers: Evolvers<"session.created" | "session.renamed" | "session.aborted" | "limit.changed"> =
  {
    "session.created": (session, event) => ({
      ...session,
      id: event.session,
      status: "active",
      cwd: event.cwd,
      limits: event.limits,
    }),
    "session.renamed": (session, event) => ({ ...session, name: event.name }),
    "session.aborted": (session) => ({ ...session, status: "aborted" }),
    "limit.changed": (session, event) => ({
      ...session,
      // A limit that was off starts clean; one that is moved goes on counting (LIM-2).
      turns: session.limits.turns === "unlimited" && event.turns !== "unlimited" ? 0 : session.turns,
      limits: { ...session.limits, turns: event.turns },
    }),
  };

export const lifecycleDeciders: Deciders<"creation" | "name" | "limit" | "clock" | "recovery"> = {
  creation: (draft, input) => {
    if (draft.session.status !== "new") return refuse("session_exists", `session ${draft.session.id} exists`);
    const limits = { ...defaultLimits, ...input.limits };
    const wrong = wrongLimit(limits);
    if (wrong !== null) return wrong;
    draft.emit({ type: "session.created", session: input.session, cwd: input.cwd, limits });
    return null;
  },
  name: (draft, input) => {
    if (input.name.trim() === "") return refuse("invalid_name", "a name has at least one visible character");
    draft.emit({ type: "session.renamed", name: input.name, by: input.by });
    return null;
  },
  limit: changeLimit,
  // What time brings is decided before every input; this one only brings the time.
  clock: () => null,
  recovery: (draft) => {
    const { session } = draft;
    for (const call of callsWith(session, "started")) {
      withdrawInputRequests(draft, call.id);
      draft.emit({ type: "call.unknown", call: call.id });
    }
    if (session.terminal.state === "open") draft.emit({ type: "terminal.closed", cwd: session.terminal.cwd });
    for (const { pid } of session.processes) draft.emit({ type: "process.ended", pid });
    return null;
  },
};

function changeLimit(draft: Draft, input: InputOf<"limit">): Refusal | null {
  const turns = parseTurnLimit(input.turns);
  if (turns === null) return badLimit("turns", input.turns);
  if (turns === draft.session.limits.turns) return null;
  draft.emit({ type: "limit.changed", turns, by: input.by });
  const open = openInteraction(draft.session);
  // With room again, the question whether to go on has its answer.
  if (open?.purpose.type === "turn-limit" && !turnLimitReached(draft.session))
    withdraw(draft, open, { reason: "limit-changed" });
  return null;
}

function wrongLimit(limits: Limits): Refusal | null {
  if (limits.turns !== "unlimited" && parseTurnLimit(limits.turns) === null) return badLimit("turns", limits.turns);
  const { cost, iterations, failures, silent, repeats, clock, calls, tokens, iteration_tokens } = limits;
  if (cost !== null && !(cost > 0)) return refuse("invalid_limit", `cost: expected a positive amount, found ${cost}`);
  const always = Object.entries({ iterations, failures, silent, repeats });
  const optional = Object.entries({ clock, calls, tokens, iteration_tokens }).filter(([, value]) => value !== null);
  const wrong = [...always, ...optional].find(([, value]) => !(Number.isSafeInteger(value) && Number(value) > 0));
  if (wrong === undefined) return null;
  return refuse("invalid_limit", `${wrong[0]}: expected a positive integer, found ${String(wrong[1])}`);
}

function badLimit(name: string, found: unknown): Refusal {
  const shown = typeof found === "string" ? JSON.stringify(found) : String(found);
  return refuse("invalid_limit", `${name}: expected a positive integer or "unlimited", found ${shown}`);
}
