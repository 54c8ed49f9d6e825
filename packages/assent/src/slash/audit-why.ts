import type { AuditRecord, EventOf, Json, SessionEvent } from "../core/index.ts";
import { renderBlock, visibleLine } from "../core/interaction/index.ts";
import { type ChainCheck, digestOf } from "../runtime/index.ts";
import { chainLines } from "../show/index.ts";
import type { RecordedEvent } from "../wire/index.ts";
import { isLooseRecord, looseList, looseRecord, looseText } from "../wire/index.ts";
import { toldEnd, toldPerson, toldTime } from "./audit-told.ts";

type Field = readonly [label: string, text: string];

/** What is recorded of a session, and what its hashes say of that. */
export type Recorded = { readonly events: readonly RecordedEvent[]; readonly check: ChainCheck | undefined };

/** Everything that is recorded about one call, in the order in which it happened; what does not verify proves nothing. */
export function whyLines(session: string, record: AuditRecord, { events, check }: Recorded): readonly string[] {
  const broken = check !== undefined && check.breaks.length > 0 ? check : null;
  const own = events.filter(({ seq }) => record.events.includes(seq));
  const asked = new Map(
    own.flatMap(({ event }) => (event.type === "interaction.requested" ? [questionOf(event)] : [])),
  );
  const fields: readonly Field[] = [
    ["call", `${record.call} of session ${session}`],
    ["tool", record.tool],
    [record.what.includes("\n") || record.tool === "terminal" ? "command" : "arguments", record.what],
    ...own.flatMap(({ event }) => fieldsOf(event, record, asked)),
    ...samenessOf(record, broken),
    ...(broken === null ? [] : [notVerified(record, broken)]),
    ["events", record.events.join(", ")],
  ];
  return fields.flatMap(([label, text]) =>
    text.split("\n").map((line, index) => `${(index === 0 ? label : "").padEnd(11)}${visibleLine(line)}`),
  );
}

type Asked = ReadonlyMap<string, EventOf<"interaction.requested">["request"]>;

function questionOf({ request }: EventOf<"interaction.requested">) {
  return [request.interaction_id, request] as const;
}

function fieldsOf(event: SessionEvent, record: AuditRecord, asked: Asked): readonly Field[] {
  const when = toldTime(event.at);
  switch (event.type) {
    case "model.replied":
      return [["asked for", `${when} by the model, in its reply ${event.request}`]];
    case "command.entered":
      return [["asked for", `${when} by ${record.by === null ? "a person" : toldPerson(record.by)}`]];
    case "call.judged":
      return judgedFields(event, when);
    case "interaction.requested":
      return [
        ["question", `${when} ${event.request.interaction_id}: ${event.request.question}`],
        ...foundFields(event),
      ];
    case "interaction.rejected":
      return [["no answer", `${when} by ${toldPerson(event.by)}, attempt ${event.attempt}: ${event.detail}`]];
    case "interaction.resolved":
    case "interaction.expired":
      return answerFields(event, record, asked);
    case "grant.added":
      return [["granted", `${when} ${event.grant.scope}: ${event.grant.display} (${event.grant.id})`]];
    case "grant.failed":
      return [["not saved", `${when} ${event.grant}: ${event.reason}`]];
    case "call.started":
      return [["started", `${when} ${event.digest}`]];
    case "call.finished":
      return [["ended", `${when} ${toldEnd(record)}${took(event)}`]];
    case "call.refused":
    case "call.skipped":
      return [["ended", `${when} ${record.end} (${event.why}): ${event.reason}`]];
    case "call.invalid":
      return [["ended", `${when} invalid: ${event.reason}`]];
    case "call.unknown":
      return [["ended", `${when} unknown: the process that ran it died`]];
    default:
      return [];
  }
}

function judgedFields(event: EventOf<"call.judged">, when: string): readonly Field[] {
  const { verdict, rule, reason, digest, facts, granted } = event;
  const cwd = isLooseRecord(facts) ? looseText(facts["cwd"]) : "";
  return [
    ["verdict", `${when} ${verdict}, by the rule ${rule}: ${reason}`],
    ...(granted === undefined ? [] : [["grant", `${granted.id} (${granted.scope})`] as const]),
    ...(cwd === "" ? [] : [["folder", cwd] as const]),
    ["judged", digest === "" ? "nothing that could run" : digest],
  ];
}

/** What the policy has found in the command, part by part, as the question said it. */
function foundFields({ request: { metadata, subject } }: EventOf<"interaction.requested">): readonly Field[] {
  const command = commandOf(subject);
  return looseList(looseRecord(metadata)["findings"]).map((each) => {
    const { rule, category, reason, span, effective } = looseRecord(each);
    const { start, end } = looseRecord(span);
    const part = typeof start === "number" && typeof end === "number" ? command.slice(start, end) : "";
    const runs = looseText(effective) === "" ? "" : `; what runs is ${looseText(effective)}`;
    const where = part === "" || part === command ? "" : `, there: ${part}`;
    return ["found", `${looseText(rule)} (${looseText(category)}): it ${looseText(reason)}${runs}${where}`];
  });
}

function commandOf(subject: Json | undefined): string {
  const { command } = looseRecord(subject);
  return Array.isArray(command) ? command.map(String).join("\n") : looseText(command);
}

function answerFields(
  event: EventOf<"interaction.resolved" | "interaction.expired">,
  { answers }: AuditRecord,
  asked: Asked,
): readonly Field[] {
  const answer = answers.find(({ interaction }) => interaction === event.interaction);
  const request = asked.get(event.interaction);
  if (answer === undefined) return [];
  const { by, at, state, shown } = answer;
  const said = labelled(answer.said, request);
  const who = `${by === null ? "" : ` by ${toldPerson(by)}`}${withdrawnWhy(event)}`;
  const isAsRecorded = request !== undefined && shown === digestOf(renderBlock(request));
  const sameness = isAsRecorded ? "the question as it is recorded" : "NOT the question as it is recorded";
  const seen =
    shown === null
      ? "not known: who answers by assent answer or over HTTP may have seen it anywhere"
      : `${shown}, ${sameness}`;
  return [
    ["answer", `${toldTime(at)} ${state}${who}${said === "" ? "" : `: ${said}`}`],
    ...(by === null || state === "aborted" || state === "withdrawn" ? [] : [["shown", seen] as const]),
  ];
}

/** An option by its id, and by what stood behind its number where that says more. */
function labelled(said: string, request: EventOf<"interaction.requested">["request"] | undefined): string {
  const label = request?.options.find(({ id }) => id === said)?.label;
  return label === undefined || label.toLowerCase() === said ? said : `${said} (${label})`;
}

const withdrawals: Readonly<Record<string, string>> = {
  stopped: "the work was stopped",
  "limit-changed": "the limit was changed meanwhile",
  "call-ended": "the call that asked had ended",
  "taken-back": "who asked has taken it back",
  "secret-lost": "a secret that was typed before is gone",
};

/** Why nobody answered. */
function withdrawnWhy(event: EventOf<"interaction.resolved" | "interaction.expired">): string {
  if (event.type === "interaction.expired") return ": nobody answered in time";
  if (event.state !== "withdrawn") return "";
  if (event.reason === "nobody")
    return `: nobody was there to answer, and what was to become of it then is ${event.unattended}`;
  return `: ${withdrawals[event.reason] ?? event.reason}`;
}

/** Whether what was started is what was judged, and what a person was asked about. */
function samenessOf({ digest, answers, started }: AuditRecord, broken: ChainCheck | null): readonly Field[] {
  if (started === null) return [];
  const approvals = answers.filter(({ about }) => about === "approval");
  const isSame = started.digest === digest && approvals.every(({ subject }) => subject === digest);
  const what = approvals.length === 0 ? "was judged" : "was judged and asked about";
  const told = `what was started is ${isSame ? "" : "NOT "}what ${what}: the digests are ${isSame ? "equal" : "different"}`;
  const untold = "cannot be told, for the record does not verify; as it stands, ";
  return [["sameness", `${broken === null ? "" : untold}${told}`]];
}

/** What all of the above is worth, with the first place that is not as it was recorded; of this call where there is one. */
function notVerified(record: AuditRecord, check: ChainCheck): Field {
  const known = check.breaks.filter(({ seq, call }) => call === record.call || record.events.includes(seq));
  const possible = check.breaks.filter((each) => isPossiblyOf(record, each));
  const breaks = [...known, ...possible, ...check.breaks].slice(0, 1);
  const [, ...places] = chainLines({ ...check, breaks, more: check.breaks.length - breaks.length + check.more });
  const whose =
    known.length > 0
      ? "events of this call are not as they were recorded"
      : `events of the session are not as they were recorded${possible.length > 0 ? ", possibly of this call" : ""}`;
  return ["record", [`does NOT verify: ${whose}`, ...places].join("\n")];
}

/** What is missing was of nobody knows which call, and what was changed may say that it is of another: so may its place tell. */
function isPossiblyOf({ events }: AuditRecord, { seq, call }: ChainCheck["breaks"][number]): boolean {
  return call === null || (seq > Math.min(...events) && seq < Math.max(...events));
}

function took({ result: { duration_ms: duration } }: EventOf<"call.finished">): string {
  return duration === undefined ? "" : `, after ${duration} ms`;
}
