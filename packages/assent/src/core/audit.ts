import type { Asks, EventOf, Person, Purpose, SessionEvent } from "./events.ts";
import type { InteractionResponse } from "./interaction/index.ts";

/** One call: what it was, who or what decided on it, and what came of it (SESS-5). */
export type AuditRecord = {
  readonly call: string;
  /** When the model or a person asked for it. */
  readonly at: number;
  /** The person whose own command it is; `null` where the model asked for it. */
  readonly by: Person | null;
  readonly tool: string;
  /** The command, or the arguments. */
  readonly what: string;
  readonly judged: AuditMoment | null;
  readonly verdict: "allow" | "ask" | "deny" | null;
  readonly rule: string | null;
  readonly reason: string | null;
  /** Of exactly what was judged. */
  readonly digest: string | null;
  /** The grant by which it was allowed. */
  readonly grant: string | null;
  /** In the order in which they came: the last one is what counted. */
  readonly answers: readonly AuditAnswer[];
  /** When it was started, and the digest of exactly what was. */
  readonly started: (AuditMoment & { readonly digest: string }) | null;
  readonly end: "finished" | "failed" | "refused" | "skipped" | "invalid" | "unknown" | "open";
  readonly ended: AuditMoment | null;
  readonly exit: number | null;
  readonly signal: string | null;
  /** The numbers of the events that are about it. */
  readonly events: readonly number[];
};

/** Who answered, or stopped, from where, when, what they said, and the digest of what they were shown. */
export type AuditAnswer = {
  readonly interaction: string;
  /** What was asked: whether it may run, whether its rule is saved, or what the call itself wanted to know. */
  readonly about: Purpose["type"];
  readonly state: string;
  readonly by: Person | null;
  readonly shown: string | null;
  /** The digest of what the question was about: it must be that of what was judged. */
  readonly subject: string | null;
  readonly said: string;
} & AuditMoment;

/** When it happened, and the number of the event that says so. */
export type AuditMoment = { readonly at: number; readonly event: number };

type Asked = Pick<AuditAnswer, "about" | "subject"> & { readonly call: string };
/** `asked`: the call that each question is about. */
type Folding = {
  readonly records: Map<string, AuditRecord>;
  readonly asked: Map<string, Asked>;
  /** The number of the event that is taken. */
  seq: number;
  /** Who began the exchange, and who stopped it. */
  by: Person | null;
  stoppedBy: Person | null;
};

/** The calls of a session in the order in which they were asked for, folded from all of its events. */
export function auditOf(events: Iterable<SessionEvent>): readonly AuditRecord[] {
  const folding: Folding = { records: new Map(), asked: new Map(), seq: 0, by: null, stoppedBy: null };
  for (const event of events) {
    folding.seq += 1;
    take(folding, event);
  }
  return [...folding.records.values()];
}

function take(folding: Folding, event: SessionEvent): void {
  switch (event.type) {
    case "model.replied":
      for (const { id, tool, arguments: given, asks } of event.reply.calls) {
        begin(folding, { call: id, at: event.at, by: null, tool, what: commandIn(asks) ?? given });
      }
      return;
    case "exchange.started":
      folding.by = event.by;
      folding.stoppedBy = null;
      return;
    case "stop.requested":
      folding.stoppedBy = event.by;
      return;
    case "command.entered":
      if ("call" in event) {
        const { call, at, tool, asks, arguments: given } = event;
        begin(folding, { call, at, by: folding.by, tool, what: commandIn(asks) ?? given });
      }
      return;
    case "call.judged": {
      const { at, verdict, rule, reason, digest, granted } = event;
      const judged = { at, event: folding.seq };
      change(folding, event.call, { judged, verdict, rule, reason, digest, grant: granted?.id ?? null });
      return;
    }
    case "interaction.requested":
      takeQuestion(folding, event);
      return;
    case "interaction.resolved":
    case "interaction.expired":
      takeAnswer(folding, event);
      return;
    case "interaction.rejected":
      change(folding, folding.asked.get(event.interaction)?.call ?? "", {});
      return;
    default:
      takeProgress(folding, event);
  }
}

function takeQuestion(folding: Folding, { request, purpose }: EventOf<"interaction.requested">): void {
  if (!("call" in purpose)) return;
  const { call, type: about } = purpose;
  folding.asked.set(request.interaction_id, { call, about, subject: request.subject_digest ?? null });
  change(folding, call, {});
}

type Answering = EventOf<"interaction.resolved" | "interaction.expired">;

function takeAnswer(folding: Folding, event: Answering): void {
  const asked = folding.asked.get(event.interaction);
  if (asked === undefined) return;
  const { call, ...question } = asked;
  const resolved = event.type === "interaction.resolved" ? event : null;
  const answer: AuditAnswer = {
    interaction: event.interaction,
    ...question,
    event: folding.seq,
    at: event.at,
    state: resolved?.state ?? "expired",
    by: resolved === null ? null : "by" in resolved ? resolved.by : stopperOf(folding, resolved),
    shown: resolved !== null && "shown" in resolved ? resolved.shown : null,
    said: resolved !== null && "response" in resolved ? saidIn(resolved.response) : "",
  };
  change(folding, call, { answers: [...(folding.records.get(call)?.answers ?? []), answer] });
}

/** A question that a stop has withdrawn ended by the word of who stopped. */
function stopperOf({ stoppedBy }: Folding, how: EventOf<"interaction.resolved">): Person | null {
  return how.state === "withdrawn" && how.reason === "stopped" ? stoppedBy : null;
}

function saidIn({ free_text, selected_option_id, selected_option_ids, confirmed }: InteractionResponse): string {
  return free_text ?? selected_option_ids?.join(",") ?? selected_option_id ?? String(confirmed ?? "");
}

/** A call has started or ended; any other event about it is only noted as one. */
function takeProgress(folding: Folding, event: SessionEvent): void {
  const now = { at: event.at, event: folding.seq };
  switch (event.type) {
    case "call.started":
      change(folding, event.call, { started: { ...now, digest: event.digest } });
      return;
    case "call.finished": {
      const { type, exit, signal } = event.result;
      const end = type === "error" ? "failed" : "finished";
      change(folding, event.call, { end, ended: now, exit: exit ?? null, signal: signal ?? null });
      return;
    }
    case "call.refused":
    case "call.skipped":
    case "call.invalid":
      change(folding, event.call, { end: endOf[event.type], ended: now, ...because(folding, event) });
      return;
    case "call.unknown":
      change(folding, event.call, { end: "unknown", ended: now });
      return;
    default:
      if ("call" in event && typeof event.call === "string") change(folding, event.call, {});
  }
}

const endOf = { "call.refused": "refused", "call.skipped": "skipped", "call.invalid": "invalid" } as const;

/** Why the policy had it asked about stays; what a person said to that is in their answer. */
function because(
  { records }: Folding,
  { call, reason }: { readonly call: string; readonly reason: string },
): Pick<AuditRecord, "reason"> {
  return { reason: records.get(call)?.reason ?? reason };
}

function begin({ records, seq }: Folding, asked: Pick<AuditRecord, "call" | "at" | "by" | "tool" | "what">): void {
  records.set(asked.call, {
    ...asked,
    ...{ judged: null, verdict: null, rule: null, reason: null, digest: null, grant: null, answers: [] },
    ...{ started: null, end: "open", ended: null, exit: null, signal: null, events: [seq] },
  });
}

/** What is known of a call from here on; the event that says so is one of those about it. */
function change({ records, seq }: Folding, call: string, changes: Partial<AuditRecord>): void {
  const known = records.get(call);
  if (known !== undefined) records.set(call, { ...known, ...changes, events: [...known.events, seq] });
}

/** One decision on a call, by a rule or by a person, or its execution. */
export type AuditStep = { readonly call: string; readonly tool: string; readonly what: string } & AuditMoment &
  (
    | ({ readonly type: "verdict" } & Pick<AuditRecord, "verdict" | "rule" | "reason" | "grant" | "digest">)
    | ({ readonly type: "answer" } & Omit<AuditAnswer, keyof AuditMoment>)
    | ({ readonly type: "execution"; readonly digest: string } & Pick<AuditRecord, "end" | "ended" | "exit" | "signal">)
    /** It came to no execution, and nobody has decided so: the rest of a turn, or a call that cannot be meant. */
    | ({ readonly type: "passed-over" } & Pick<AuditRecord, "end" | "reason">)
  );

/** All decisions and executions in the order in which they were recorded. */
export function auditSteps(records: readonly AuditRecord[]): readonly AuditStep[] {
  return records.flatMap(stepsOf).toSorted((one, other) => one.event - other.event);
}

function stepsOf(record: AuditRecord): readonly AuditStep[] {
  const { call, tool, what, judged, verdict, rule, reason, grant, digest, answers, started, ended } = record;
  const { end, exit, signal } = record;
  const about = { call, tool, what };
  const isPassedOver = ended !== null && (end === "skipped" || end === "invalid");
  return [
    ...(judged === null
      ? []
      : [{ type: "verdict", ...judged, ...about, verdict, rule, reason, grant, digest } as const]),
    ...answers.map((answer) => ({ type: "answer", ...about, ...answer }) as const),
    ...(started === null ? [] : [{ type: "execution", ...started, ...about, end, ended, exit, signal } as const]),
    ...(isPassedOver ? [{ type: "passed-over", ...ended, ...about, end, reason } as const] : []),
  ];
}

function commandIn(asks: Asks): string | undefined {
  return asks.type === "tool" ? asks.command : undefined;
}
