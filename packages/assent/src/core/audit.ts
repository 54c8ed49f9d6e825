import type { Person, SessionEvent } from "./events.ts";

/** One call: what it was, who or what decided on it, and what came of it (SESS-5). */
export type AuditRecord = {
  readonly call: string;
  /** When the model or a person asked for it. */
  readonly at: number;
  readonly tool: string;
  /** The command, or the arguments. */
  readonly what: string;
  readonly verdict: "allow" | "ask" | "deny" | null;
  readonly rule: string | null;
  readonly reason: string | null;
  readonly digest: string | null;
  readonly answer: AuditAnswer | null;
  /** The grant by which it was allowed. */
  readonly grant: string | null;
  readonly end: "finished" | "failed" | "refused" | "skipped" | "invalid" | "unknown" | "open";
  readonly exit: number | null;
  readonly signal: string | null;
};

/** Who answered, from where, when, what they said, and the digest of what they were shown. */
export type AuditAnswer = {
  readonly interaction: string;
  readonly state: string;
  readonly by: Person | null;
  readonly at: number;
  readonly shown: string | null;
  readonly said: string;
};

/** `asked`: the call that each question is about. */
type Folding = { readonly records: Map<string, AuditRecord>; readonly asked: Map<string, string> };

/** The calls of a session in the order in which they were asked for, folded from its events. */
export function auditOf(events: Iterable<SessionEvent>): readonly AuditRecord[] {
  const folding: Folding = { records: new Map(), asked: new Map() };
  for (const event of events) take(folding, event);
  return [...folding.records.values()];
}

function take(folding: Folding, event: SessionEvent): void {
  switch (event.type) {
    case "model.replied":
      for (const { id, tool, arguments: given, asks } of event.reply.calls) {
        begin(folding, event.at, { call: id, tool, what: commandIn(asks) ?? given });
      }
      return;
    case "command.entered":
      if ("call" in event) {
        begin(folding, event.at, {
          call: event.call,
          tool: event.tool,
          what: commandIn(event.asks) ?? event.arguments,
        });
      }
      return;
    case "call.judged": {
      const { verdict, rule, reason, digest, granted } = event;
      change(folding, event.call, { verdict, rule, reason, digest, grant: granted?.id ?? null });
      return;
    }
    case "interaction.requested": {
      const { request, purpose } = event;
      if ("call" in purpose) folding.asked.set(request.interaction_id, purpose.call);
      return;
    }
    case "interaction.resolved":
    case "interaction.expired":
      takeAnswer(folding, event);
      return;
    default:
      takeEnd(folding, event);
  }
}

type Answering = Extract<SessionEvent, { type: "interaction.resolved" | "interaction.expired" }>;

function takeAnswer(folding: Folding, event: Answering): void {
  const call = folding.asked.get(event.interaction);
  if (call === undefined) return;
  const resolved = event.type === "interaction.resolved" ? event : null;
  const answer: AuditAnswer = {
    interaction: event.interaction,
    state: resolved?.state ?? "expired",
    by: resolved !== null && "by" in resolved ? resolved.by : null,
    at: event.at,
    shown: resolved !== null && "shown" in resolved ? resolved.shown : null,
    said: resolved !== null && "response" in resolved ? saidIn(resolved.response) : "",
  };
  change(folding, call, { answer });
}

function saidIn(response: {
  readonly free_text?: string;
  readonly selected_option_id?: string;
  readonly selected_option_ids?: readonly string[];
  readonly confirmed?: boolean;
}): string {
  const { free_text, selected_option_id, selected_option_ids, confirmed } = response;
  return free_text ?? selected_option_ids?.join(",") ?? selected_option_id ?? String(confirmed ?? "");
}

function takeEnd(folding: Folding, event: SessionEvent): void {
  switch (event.type) {
    case "call.finished": {
      const { type, exit, signal } = event.result;
      const end = type === "error" ? "failed" : "finished";
      change(folding, event.call, { end, exit: exit ?? null, signal: signal ?? null });
      return;
    }
    case "call.refused":
    case "call.skipped":
      change(folding, event.call, {
        end: event.type === "call.refused" ? "refused" : "skipped",
        ...because(folding, event),
      });
      return;
    case "call.invalid":
      change(folding, event.call, { end: "invalid", ...because(folding, event) });
      return;
    case "call.unknown":
      change(folding, event.call, { end: "unknown" });
      return;
    default:
  }
}

/** Why the policy had it asked about stays; what a person said to that is in their answer. */
function because(
  { records }: Folding,
  { call, reason }: { readonly call: string; readonly reason: string },
): Pick<AuditRecord, "reason"> {
  return { reason: records.get(call)?.reason ?? reason };
}

function begin(
  { records }: Folding,
  at: number,
  { call, tool, what }: Pick<AuditRecord, "call" | "tool" | "what">,
): void {
  records.set(call, {
    ...{ call, at, tool, what, verdict: null, rule: null, reason: null, digest: null, answer: null, grant: null },
    ...{ end: "open", exit: null, signal: null },
  });
}

function change({ records }: Folding, call: string, changes: Partial<AuditRecord>): void {
  const known = records.get(call);
  if (known !== undefined) records.set(call, { ...known, ...changes });
}

function commandIn(asks: { readonly type: string; readonly command?: string }): string | null {
  return asks.command ?? null;
}
