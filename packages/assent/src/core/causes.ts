import type { EventOf, EventType, ModelReply, SessionEvent } from "./events.ts";
import type { Acted, InputBody, JudgedCall, ModelResult, ReceivedCall } from "./inputs.ts";
import { approvalOf, compactLine, recordedSecret, type SoftOffers } from "./interaction/index.ts";
import { findCall, openInteraction, type Session } from "./state.ts";

/** A place in a record: the session there, the event that comes next, and all that was recorded at that same moment. */
type Place<T extends EventType> = {
  readonly session: Session;
  readonly event: EventOf<T>;
  readonly ahead: readonly SessionEvent[];
};

/** The same, whatever event comes next. */
type Ahead = Omit<Place<EventType>, "event">;

type Causes<T extends EventType> = { readonly [K in T]: (place: Place<K>) => readonly InputBody[] };

const softOffers: readonly SoftOffers[] = ["regenerate", "warn", "off"];

const none = (): readonly InputBody[] => [];

/**
 * The inputs that could have led to an event, were it the first that one led to. Each is only a proposal: it counts when
 * `decide` makes of it exactly what was recorded. Whatever follows from another event by itself has none.
 */
const causes: Causes<EventType> = {
  "session.created": ({ event: { session, cwd, limits, model }, ahead }) => {
    const fork = ahead[1]?.type === "session.forked" ? ahead[1] : null;
    const forks =
      fork === null
        ? {}
        : {
            forks: {
              ...{ session: fork.from, seq: fork.until, name: fork.name ?? null, history: fork.history },
              ...(fork.addresses === undefined ? {} : { addresses: fork.addresses }),
              ...(fork.unworked === undefined ? {} : { unworked: fork.unworked }),
            },
          };
    return [{ type: "creation", session, cwd, limits, ...(model === undefined ? {} : { model }), ...forks }];
  },
  "session.forked": none,
  "session.renamed": ({ event: { name, by } }) => [{ type: "name", name, ...acted(by) }],
  "session.aborted": none,
  "limit.changed": ({ event: { turns, iterations, by } }) => [
    {
      type: "limit",
      ...(turns === undefined ? {} : { turns }),
      ...(iterations === undefined ? {} : { iterations }),
      ...acted(by),
    },
  ],
  "context.changed": ({ event: { text, window, address } }) => [
    {
      type: "context",
      text,
      ...(window === undefined ? {} : { window }),
      ...(address === undefined ? {} : { address: { origin: address, named: true } }),
    },
  ],

  "prompt.queued": ({ event: { text, by, command } }) =>
    command === undefined ? [prompt(text, "next", by)] : [{ type: "command", text, ...command, ...acted(by) }],
  "prompt.withdrawn": ({ event: { waiting, by } }) => [{ type: "withdrawal", waiting, ...acted(by) }],
  "steering.received": ({ event: { text, by } }) => [prompt(text, "now", by)],
  "steering.sent": recoveries,
  "steering.withdrawn": ({ event: { waiting, by } }) => [{ type: "withdrawal", waiting, ...acted(by) }],

  "exchange.started": begun,
  "exchange.ended": none,
  "turn.closed": none,
  "run.started": none,
  "run.ended": none,
  "stop.requested": ({ event: { mode, by } }) => [{ type: "stop", mode, ...acted(by) }],

  "model.replied": ({ event: { request, reply, question } }) => replies(request, reply, question?.timeout_ms),
  "model.abandoned": ({ event: { request, partial } }) => [
    resulted(request, { type: "abandoned", ...(partial === undefined ? {} : { partial }) }),
  ],
  "model.failed": ({ event: { request, failure } }) => [
    resulted(request, { type: "failed", failure }),
    resulted(request, { type: "overflow", detail: failure.detail }),
    // What was to be a summary was none; then nothing else of it is recorded.
    resulted(request, { type: "summarised", summary: "", usage: { input: 0, output: 0, cached: 0 } }),
  ],
  "reply.discarded": ({ event: { request, reply } }) => replies(request, reply),
  "history.outgrown": recoveries,
  "history.compacted": (place) => {
    const { event } = place;
    if ("shortened" in event) return recoveries(place);
    const { request, summary, usage } = event;
    return [resulted(request, { type: "summarised", summary, usage })];
  },

  "command.entered": ({ event }) =>
    "call" in event ? [] : [{ type: "entry", command: event.command, ...acted(event.by) }],
  "command.launched": ({ event: { call, by } }) => [{ type: "launch", call, ...acted(by) }],

  "flow.started": ({ event: { call, flow } }) => (flow === undefined ? [] : [{ type: "form-request", call, flow }]),
  "flow.changed": recoveries,
  "flow.ended": (place) => {
    const { call, end } = place.event;
    if (end === "taken-back") return [{ type: "form-withdrawal", call }];
    return end === "call-ended" ? endings(place) : [];
  },

  "call.judged": ({ ahead }) => {
    const verdicts = verdictsIn(ahead);
    return verdicts.map((_, index) => ({ type: "verdicts", verdicts: verdicts.slice(0, verdicts.length - index) }));
  },
  "call.cleared": none,
  // What it would have run is not kept, only that it was something else than was judged.
  "call.refused": ({ event: { call, why }, session }) =>
    why === "changed" ? [{ type: "tool-start", call, digest: `other than ${judgedDigest(session, call)}` }] : [],
  "call.skipped": none,
  "call.invalid": none,
  "call.started": ({ event: { call, digest } }) => [{ type: "tool-start", call, digest }],
  "call.finished": ({ event: { call, result } }) => [{ type: "tool-result", call, result }],
  "call.unknown": recoveries,

  "interaction.requested": (place) => {
    const { request, purpose } = place.event;
    if (purpose.type === "turn-limit") return recoveries(place);
    if (purpose.type !== "terminal-input") return [];
    const { interaction_id: _id, kind: _kind, allow_cancel: _cancel, ...draft } = request;
    return [{ type: "input-request", call: purpose.call, draft }];
  },
  "interaction.rejected": ({ event: { interaction, answer_id, by } }) => {
    // What was typed is not kept. No question has this option: whatever it was, this is no answer either.
    const wrong = { interaction_id: interaction, selected_option_id: "\u0000", cancelled: false };
    const response = answer_id === undefined ? wrong : { ...wrong, answer_id };
    return [{ type: "response", response, shown: null, ...acted(by) }];
  },
  "interaction.resolved": resolutions,
  "interaction.expired": () => [{ type: "clock" }],

  "grant.added": ({ event: { call } }) => [{ type: "grant-result", call }],
  "grant.removed": ({ event: { grant, by } }) => [{ type: "grant-revocation", grant, ...acted(by) }],
  "grant.failed": ({ event: { call, reason } }) => [{ type: "grant-result", call, failure: reason }],

  "terminal.opened": ({ event: { cwd } }) => [{ type: "terminal", state: "opened", cwd }],
  "terminal.closed": (place) => {
    const { cwd, lost } = place.event;
    return lost
      ? [...recoveries(place), { type: "terminal", state: "lost", cwd }]
      : [{ type: "terminal", state: "closed", cwd }];
  },
  "process.started": ({ event: { process, pid, since, command } }) => [
    { type: "process", state: "started", process, pid, since, command },
  ],
  "process.ended": (place) => {
    const { process, exit } = place.event;
    return [
      ...recoveries(place),
      { type: "process", state: "ended", process, ...(exit === undefined ? {} : { exit }) },
    ];
  },
  "process.kept": ({ event: { process, by } }) => [{ type: "keeping", process, ...acted(by) }],
};

/** `ahead` begins with the event in question; it is never empty. */
export function causesOf(session: Session, ahead: readonly SessionEvent[]): readonly InputBody[] {
  const [event] = ahead;
  return event === undefined ? [] : causesOfEvent(session, event, ahead);
}

function causesOfEvent<T extends EventType>(
  session: Session,
  event: EventOf<T>,
  ahead: readonly SessionEvent[],
): readonly InputBody[] {
  return causes[event.type]({ session, event, ahead });
}

/**
 * The session for an input whose own words are not kept, so that another stands in for them: the stand-in for a secret need not
 * match the pattern that the secret matched, and that for an invalid reply does not count as the same one sent again.
 */
export function blindTo(session: Session): Session {
  const [open, ...others] = session.interactions;
  if (open === undefined) return session;
  const { response_schema: _schema, ...request } = open.request;
  const blind = { ...open, rejected: [], request: open.request.sensitive ? request : open.request };
  return { ...session, interactions: [blind, ...others] };
}

function acted(by: Acted["by"]): Acted {
  return { by, authority: "act" };
}

/** Submitted: what is recorded as a text was not taken for a stop. */
function prompt(text: string, delivery: "now" | "next", by: Acted["by"]): InputBody {
  return { type: "prompt", text, delivery, entry: "submitted", ...acted(by) };
}

function begun({ event, ahead }: Place<"exchange.started">): readonly InputBody[] {
  const { prompt: text, by, waiting, resumes, compacts } = event;
  if (waiting !== undefined) return [{ type: "release", waiting, ...acted(by) }];
  if (resumes !== undefined) return [{ type: "resumption", ...acted(by) }];
  if (compacts) return [{ type: "compaction", ...acted(by) }];
  const entered = ahead[1]?.type === "command.entered" && "call" in ahead[1] ? ahead[1] : null;
  if (entered === null) return [prompt(text, "now", by)];
  const { tool, arguments: given, asks } = entered;
  if (asks.type !== "flow") return [{ type: "command", text, tool, arguments: given, asks, ...acted(by) }];
  const { flow, runs } = asks;
  return [{ type: "flow", flow, name: text, arguments: given, ...(runs ? { tool } : {}), ...acted(by) }];
}

function resulted(request: number, result: ModelResult): InputBody {
  return { type: "model-result", request, result };
}

/** The setting for soft offers, and whether the model refused, are not recorded: all are proposed, and any that fits will do. */
function replies(request: number, reply: ModelReply, timeout_ms?: number): readonly InputBody[] {
  const result = { type: "replied", ...reply, calls: reply.calls.map(received) } as const;
  const asked = timeout_ms === undefined ? {} : { timeout_ms };
  return [result, { ...result, refusal: true } as const].flatMap((each) =>
    softOffers.map((soft_offers) => ({ type: "model-result", request, result: each, soft_offers, ...asked }) as const),
  );
}

function received({ original, ...call }: ModelReply["calls"][number]): ReceivedCall {
  return { ...call, id: original };
}

/** Those that were judged together: each with what became of it at once, the one that is asked about last. */
function verdictsIn(ahead: readonly SessionEvent[]): readonly JudgedCall[] {
  const verdicts: JudgedCall[] = [];
  for (let index = 0; index < ahead.length; index += 2) {
    const judged = ahead[index];
    if (judged?.type !== "call.judged") break;
    verdicts.push(verdictOf(judged, ahead[index + 1]));
    if (judged.verdict === "ask") break;
  }
  return verdicts;
}

function verdictOf(judged: EventOf<"call.judged">, after: SessionEvent | undefined): JudgedCall {
  const { call, verdict, rule, reason, digest, facts, grant, granted } = judged;
  const word = { call, rule, reason, digest, facts };
  if (verdict === "deny") return { ...word, verdict };
  if (verdict === "allow") return { ...word, verdict, ...(granted === undefined ? {} : { granted }) };
  const approval =
    after?.type === "interaction.requested" ? approvalOf(after.request) : { question: "", subject: null };
  return { ...word, verdict, approval, grant: grant ?? null };
}

function judgedDigest(session: Session, id: string): string {
  const status = findCall(session, id)?.status;
  return status?.type === "cleared" ? status.digest : "";
}

function resolutions(place: Place<"interaction.resolved">): readonly InputBody[] {
  const { event } = place;
  switch (event.state) {
    case "answered":
    case "declined":
    case "cancelled":
      return answers(place, event);
    case "aborted":
      return [];
    case "withdrawn":
      return withdrawals(place, event);
    default:
      return event satisfies never;
  }
}

type Answered = Extract<EventOf<"interaction.resolved">, { readonly response: unknown }>;

function answers({ session, ahead }: Place<"interaction.resolved">, event: Answered): readonly InputBody[] {
  const { interaction, response, shown, by, state } = event;
  const typed = (line: string) => ({ type: "reply", interaction, line, shown, ...acted(by) }) as const;
  if (openInteraction(session)?.request.sensitive && state !== "cancelled") {
    const { metadata: _metadata, ...given } = response;
    const name = recordedSecret(response)?.slice(interaction.length + 1);
    const secret = name === undefined ? {} : { secret: name };
    return [{ type: "response", response: { ...given, free_text: "?" }, shown, ...secret, ...acted(by) }];
  }
  const changed = ahead[1]?.type === "flow.changed" ? ahead[1] : null;
  const line = compactLine(session.flow?.flow ?? null, response, changed);
  return [
    { type: "response", response, shown, ...acted(by) },
    // Typed, it cancels also where a response could not.
    ...(state === "cancelled" ? [typed("cancel")] : []),
    ...(line === null ? [] : [typed(line)]),
  ];
}

type Withdrawn = Extract<EventOf<"interaction.resolved">, { readonly state: "withdrawn" }>;

function withdrawals(place: Place<"interaction.resolved">, event: Withdrawn): readonly InputBody[] {
  const { interaction } = event;
  switch (event.reason) {
    case "nobody":
      return [{ type: "nobody", interaction, unattended: event.unattended }];
    case "taken-back": {
      const { flow } = place.session;
      return flow === null ? [] : [{ type: "form-withdrawal", call: flow.call }];
    }
    case "call-ended":
      return endings(place);
    case "secret-lost":
      return recoveries(place);
    case "stopped":
    case "limit-changed":
      return [];
    default:
      return event satisfies never;
  }
}

/** A call that had a question open has ended; or nobody knows, for its process died. */
function endings({ session, ahead }: Ahead): readonly InputBody[] {
  const finished = ahead.find((event) => event.type === "call.finished");
  const ended =
    finished === undefined ? [] : [{ type: "tool-result", call: finished.call, result: finished.result } as const];
  return [...ended, ...recoveries({ session, ahead })];
}

/** A process took the session over. What it recorded as gone tells which processes lived on, and which secrets were lost. */
function recoveries({ session, ahead }: Ahead): readonly InputBody[] {
  const ended = ahead.flatMap((event) => (event.type === "process.ended" ? [event.process] : []));
  const lost = lostSecrets(session, ahead);
  // What ended at the same moment may have been told otherwise: any number of them.
  return Array.from({ length: ended.length + 1 }, (_, index) => ended.slice(0, ended.length - index)).map((gone) => {
    const alive = session.processes.map(({ process }) => process).filter((process) => !gone.includes(process));
    return { type: "recovery", alive, lost };
  });
}

function lostSecrets({ flow }: Session, ahead: readonly SessionEvent[]): readonly string[] {
  const changed = ahead.find((event) => event.type === "flow.changed");
  if (flow === null || changed === undefined) return [];
  const kept = new Set(changed.answers.map(({ key }) => key));
  return flow.state.answers.flatMap(({ key, answer }) =>
    answer.type === "set" && !kept.has(key) ? [answer.secret] : [],
  );
}
