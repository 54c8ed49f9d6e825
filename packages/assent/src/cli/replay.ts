import { exitCodes } from "../adapters/headless/index.ts";
import { type ReplayDifference, type Replayed, recordedSecret, replay, visibleLine } from "../core/index.ts";
import { describeDamage, type SessionHost, sha256 } from "../runtime/index.ts";
import { chainLines } from "../show/index.ts";
import { encodeEvent, type RecordedEvent } from "../wire/index.ts";
import { readFlags } from "./flags.ts";
import { allEvents, findSession, newestHere, openAssent } from "./open.ts";
import { stderr, stdout } from "./output.ts";
import { replaySpec } from "./specs/replaying.ts";

/** `assent replay`: recorded sessions, decided again (SESS-6). */
export async function replaySessions(argv: readonly string[]): Promise<number> {
  const given = readFlags(argv, replaySpec);
  const { host } = openAssent();
  try {
    // Nothing is replayed before all of them are found.
    const named = given.arguments.map((typed) => findSession(host, typed).session);
    const sessions = named.length > 0 ? named : [newestHere(host)];
    const codes = sessions.map((session) => replayOne(host, session, { json: given.has("json") }));
    return codes.find((code) => code === exitCodes.failed) ?? Math.max(...codes);
  } finally {
    await host.close();
  }
}

function replayOne(host: SessionHost, session: string, { json }: { readonly json: boolean }): number {
  const recorded = allEvents(host, session);
  const damage = host.damage(session);
  if (damage !== null) {
    stderr.write(`assent: ${describeDamage(damage)}\n`);
    return exitCodes.failed;
  }
  const report = { ...reportOn(session, recorded), as_recorded: isAsRecorded(host, session) };
  stdout.write(json ? `${JSON.stringify(report)}\n` : described(report));
  return report.same && report.as_recorded ? exitCodes.done : exitCodes.differs;
}

/** What was changed since it was recorded is replayed as it is now: that it comes out the same does not say that it was so. */
function isAsRecorded(host: SessionHost, session: string): boolean {
  const [check] = host.verify(session);
  if (check === undefined || check.breaks.length === 0) return true;
  stderr.write(`assent: session ${session} is not as it was recorded; it is replayed as it is now\n`);
  for (const line of chainLines(check).slice(1)) stderr.write(`assent: ${line}\n`);
  return false;
}

type Report = {
  readonly session: string;
  readonly same: boolean;
  /** How many are as they were recorded, of how many. */
  readonly events: number;
  readonly recorded: number;
  readonly inputs: Readonly<Record<string, number>>;
  readonly questions: number;
  readonly requests: number;
  /** Of all requests to the model that follow, and of the events as `/export` writes them. */
  readonly digests: { readonly events: string; readonly requests: string };
  /** What is not recorded, and so was not decided again. */
  readonly given: { readonly rejected: number; readonly secrets: number; readonly replies: number };
  readonly difference: ReplayDifference | null;
};

function reportOn(session: string, recorded: readonly RecordedEvent[]): Report {
  const events = recorded.map(({ event }) => event);
  const lines = recorded.map((each) => `${encodeEvent(each)}\n`);
  const replayed = replay(events, {
    encode: (event, seq) => encodeEvent({ seq, session, event }),
    digest,
  });
  const { difference, requests } = replayed;
  const same = events.slice(0, replayed.events);
  return {
    ...{ session, same: difference === null, events: replayed.events, recorded: events.length },
    inputs: countsOf(replayed),
    questions: same.filter(({ type }) => type === "interaction.requested").length,
    requests: requests.length,
    digests: {
      events: digest(lines.join("")),
      requests: digest(requests.map((request) => `${request.digest}\n`).join("")),
    },
    given: {
      rejected: same.filter(({ type }) => type === "interaction.rejected").length,
      secrets: same.filter(
        (event) =>
          event.type === "interaction.resolved" && "response" in event && recordedSecret(event.response) !== null,
      ).length,
      replies: same.filter(({ type }) => type === "model.replied" || type === "reply.discarded").length,
    },
    difference,
  };
}

function digest(text: string): string {
  return `sha256:${sha256(text)}`;
}

function countsOf({ inputs }: Replayed): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const input of inputs) counts[input] = (counts[input] ?? 0) + 1;
  return counts;
}

function described(report: Report & { readonly as_recorded: boolean }): string {
  const { session, as_recorded, difference, events, recorded, digests, questions, requests, given, inputs } = report;
  const many = Object.values(inputs).reduce((sum, count) => sum + count, 0);
  const kinds = Object.entries(inputs).map(([type, count]) => `${count} ${type}`);
  const lines =
    difference === null
      ? [
          as_recorded
            ? `ok  ${session}: the same, byte for byte`
            : `!!  ${session}: the same, byte for byte, as it is now, but it is not as it was recorded`,
          `    events     ${recorded}  ${digests.events}`,
          `    inputs     ${many}: ${kinds.join(", ")}`,
          `    given      what these say: texts, replies, results, verdicts, answers, ids and times are as they are recorded`,
          `    questions  ${questions}`,
          `    requests   ${requests}  ${digests.requests}`,
          ...givenLines(given),
        ]
      : [
          `!!  ${session}: ${whereOf(difference)}; the ${events} before it are the same`,
          ...shownDifference(difference),
        ];
  return lines.map((line) => `${visibleLine(line)}\n`).join("");
}

function givenLines({ rejected, secrets, replies }: Report["given"]): readonly string[] {
  const typed = [
    ...(rejected === 0 ? [] : [`why ${rejected} ${rejected === 1 ? "reply was" : "replies were"} no answer`]),
    ...(secrets === 0 ? [] : [`${secrets} ${secrets === 1 ? "secret" : "secrets"}`]),
  ];
  const ofReplies = `of ${replies} ${replies === 1 ? "reply" : "replies"} of the model`;
  return [
    ...(typed.length === 0 ? [] : [`    given      ${typed.join(", ")}: what was typed is not recorded`]),
    ...(replies === 0
      ? []
      : [`    given      ${ofReplies} whether it refused, and what was to become of offers: what fits is taken`]),
  ];
}

function whereOf({ seq, recorded, derived, input }: ReplayDifference): string {
  if (recorded === null) return `the record ends before event ${seq}, which follows`;
  if (derived === null) return `event ${seq} follows from nothing that is recorded`;
  return input === null ? `after event ${seq} another request follows` : `event ${seq} differs, of the input ${input}`;
}

/** How much is shown before the first difference, and from there on. */
const shownBefore = 60;
const shownAfter = 140;

function shownDifference({ recorded, derived }: ReplayDifference): readonly string[] {
  const [one, other] = [recorded ?? "", derived ?? ""];
  let same = 0;
  while (same < Math.min(one.length, other.length) && one[same] === other[same]) same++;
  const part = (line: string | null) => (line === null ? "nothing" : partOf(line, same));
  return [`    recorded  ${part(recorded)}`, `    derived   ${part(derived)}`];
}

function partOf(line: string, from: number): string {
  const start = from <= shownBefore + 20 ? 0 : from - shownBefore;
  const end = Math.min(line.length, Math.max(from, start) + shownAfter);
  return `${start > 0 ? "…" : ""}${line.slice(start, end).toWellFormed()}${end < line.length ? "…" : ""}`;
}
