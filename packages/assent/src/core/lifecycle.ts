import { callsWith } from "./calls.ts";
import { type Deciders, type Draft, type Evolvers, refuse } from "./draft.ts";
import { askLost } from "./flows.ts";
import { historyOf } from "./history.ts";
import type { InputOf, Refusal } from "./inputs.ts";
import { isBlank } from "./interaction/index.ts";
import { defaultLimits, type Limits, parseCount, parseTurnLimit, turnLimitReached } from "./limits.ts";
import { withdraw, withdrawOfRunning } from "./questions.ts";
import { openInteraction } from "./state.ts";

/** The session itself: made, named, limited, taken over after a crash, aborted. */
export const lifecycleEvolvers: Evolvers<
  "session.created" | "session.forked" | "session.renamed" | "session.aborted" | "limit.changed"
> = {
  "session.created": (session, event) => ({
    ...session,
    id: event.session,
    status: "active",
    cwd: event.cwd,
    model: event.model ?? null,
    limits: event.limits,
  }),
  "session.forked": (session, { history, addresses = [], unworked = false }) => ({
    ...session,
    history: historyOf(history),
    measured: null,
    addresses,
    worked: !unworked,
  }),
  "session.renamed": (session, event) => ({ ...session, name: event.name }),
  "session.aborted": (session) => ({ ...session, status: "aborted" }),
  "limit.changed": (session, event) => ({
    ...session,
    // A limit that was off starts clean; one that is moved goes on counting (LIM-2).
    turns: session.limits.turns === "unlimited" && typeof event.turns === "number" ? 0 : session.turns,
    limits: {
      ...session.limits,
      turns: event.turns ?? session.limits.turns,
      iterations: event.iterations ?? session.limits.iterations,
    },
  }),
};

export const lifecycleDeciders: Deciders<"creation" | "name" | "limit" | "clock" | "recovery"> = {
  creation: (draft, input) => {
    if (draft.session.status !== "new") return refuse("session_exists", `session ${draft.session.id} exists`);
    const limits = completeLimits(input.limits);
    const wrong = wrongLimit(limits);
    if (wrong !== null) return wrong;
    const { session, cwd, model, forks } = input;
    draft.emit({ type: "session.created", session, cwd, limits, ...(model === undefined ? {} : { model }) });
    if (forks === undefined) return null;
    const { session: from, seq: until, name, history, addresses = [], unworked } = forks;
    const named = name === null ? {} : { name };
    const went = { ...(addresses.length === 0 ? {} : { addresses }), ...(unworked ? { unworked } : {}) };
    draft.emit({ type: "session.forked", from, until, ...named, history, ...went });
    return null;
  },
  name: (draft, input) => {
    if (isBlank(input.name)) return refuse("invalid_name", "a name has at least one visible character");
    draft.emit({ type: "session.renamed", name: input.name, by: input.by });
    return null;
  },
  limit: changeLimit,
  // What time brings is decided before every input; this one only brings the time.
  clock: () => null,
  recovery: (draft, input) => {
    const { session } = draft;
    for (const call of callsWith(session, "started")) {
      withdrawOfRunning(draft, call.id);
      draft.emit({ type: "call.unknown", call: call.id });
    }
    askLost(draft, input.lost ?? []);
    if (session.terminal.state === "open")
      draft.emit({ type: "terminal.closed", cwd: session.terminal.cwd, lost: true });
    for (const { process } of session.processes) {
      if (!input.alive.includes(process)) draft.emit({ type: "process.ended", process });
    }
    return null;
  },
};

function changeLimit(draft: Draft, input: InputOf<"limit">): Refusal | null {
  const { limits } = draft.session;
  const turns = input.turns === undefined ? limits.turns : parseTurnLimit(input.turns);
  if (turns === null) return badLimit("turns", 'a positive integer or "unlimited"', input.turns);
  const iterations = input.iterations === undefined ? limits.iterations : parseCount(input.iterations);
  if (iterations === null) return badLimit("iterations", "a positive integer", input.iterations);
  if (turns === limits.turns && iterations === limits.iterations) return null;
  draft.emit({
    type: "limit.changed",
    ...(turns === limits.turns ? {} : { turns }),
    ...(iterations === limits.iterations ? {} : { iterations }),
    by: input.by,
  });
  const open = openInteraction(draft.session);
  // With room again, the question whether to go on has its answer.
  if (open?.purpose.type === "turn-limit" && !turnLimitReached(draft.session)) {
    withdraw(draft, open, { reason: "limit-changed" });
  }
  return null;
}

/** The limits that were given, the rest as by default; nothing that is not a limit. */
function completeLimits(given: Partial<Limits>): Limits {
  const all = { ...defaultLimits, ...given };
  const { iterations, failures, silent, repeats, clock_ms, calls, tokens, iteration_tokens, cost } = all;
  const turns = parseTurnLimit(all.turns) ?? all.turns;
  return { turns, iterations, failures, silent, repeats, clock_ms, calls, tokens, iteration_tokens, cost };
}

function wrongLimit(limits: Limits): Refusal | null {
  const { turns, cost, iterations, failures, silent, repeats, clock_ms, calls, tokens, iteration_tokens } = limits;
  if (parseTurnLimit(turns) === null) return badLimit("turns", 'a positive integer or "unlimited"', turns);
  if (cost !== null && !(typeof cost === "number" && cost > 0)) return badLimit("cost", "a positive amount", cost);
  const always = Object.entries({ iterations, failures, silent, repeats });
  const optional = Object.entries({ clock_ms, calls, tokens, iteration_tokens }).filter(([, value]) => value !== null);
  const wrong = [...always, ...optional].find(([, value]) => typeof value !== "number" || parseCount(value) === null);
  return wrong === undefined ? null : badLimit(wrong[0], "a positive integer", wrong[1]);
}

function badLimit(name: string, expected: string, found: unknown): Refusal {
  return refuse("invalid_limit", `${name}: expected ${expected}, found ${shownLimit(found)}`);
}

function shownLimit(found: unknown): string {
  if (typeof found === "number") return String(found);
  const isSimple = typeof found === "string" || typeof found === "boolean" || found === null;
  return isSimple ? JSON.stringify(found) : `a value of type ${typeof found}`;
}
