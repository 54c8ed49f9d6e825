import type { SessionEvent } from "../../src/core/index.ts";
import type { RecordedRequest } from "../../src/testing/index.ts";
import { Oracle } from "../core/oracle.ts";
import { jsonLines } from "../e2e/product.ts";
import type { Line } from "./home.ts";
import type { Story } from "./kinds.ts";
import { eventsOf, openIn, sessionsIn, standings } from "./standing.ts";

/** Bytes by file. */
type Ran = ReadonlyMap<string, number>;

/** Knows what was acknowledged, and complains where the journal, the commands or the model tell something else. */
export class Witness {
  readonly complaints: string[] = [];
  /** Events that somebody was shown, questions whose answer was accepted, sessions that were told to be made. */
  readonly shown = new Set<string>();
  readonly accepted = new Set<string>();
  readonly made = new Set<string>();
  readonly #openAtKills = new Set<string>();
  #before: readonly Line[] = [];

  /** What a process printed by `--json`. */
  read(printed: string): void {
    // The last one may have been cut by the kill.
    const whole = printed.split("\n").slice(0, -1);
    for (const line of whole) if (line.startsWith('{"seq":')) this.shown.add(line);
  }

  complain(what: string): void {
    if (!this.complaints.includes(what)) this.complaints.push(what);
  }

  /** After each process: nothing that was recorded or acknowledged is lost, and nothing ran that is not recorded. */
  look(lines: readonly Line[], ran: Ran): void {
    this.#lookForLost(lines);
    for (const { event, line } of lines) if (event === null) this.complain(`it cannot be read: ${line}`);
    for (const session of sessionsIn(lines)) this.#lookAt(session, lines);
    for (const [file, bytes] of ran) {
      const started = callsIn(lines, "call.started").filter((files) => files.includes(file)).length;
      if (bytes > started) this.complain(`ran/${file} has ${bytes} bytes, and ${started} of its calls were started`);
    }
    this.#before = lines;
  }

  #lookForLost(lines: readonly Line[]): void {
    const held = new Set(lines.map(({ line }) => line));
    const lost = (line: string) => !held.has(line);
    for (const { line } of this.#before.filter((each) => lost(each.line))) this.complain(`recorded and lost: ${line}`);
    for (const line of [...this.shown].filter(lost)) this.complain(`shown and not recorded: ${line}`);
    const sessions = new Set(sessionsIn(lines));
    for (const session of [...this.made].filter((each) => !sessions.has(each)))
      this.complain(`session ${session} was made and is lost`);
    const resolved = resolutions(lines);
    for (const id of [...this.accepted].filter((each) => !resolved.has(each)))
      this.complain(`the answer to ${id} was accepted and is lost`);
  }

  #lookAt(session: string, lines: readonly Line[]): void {
    const numbers = lines.filter((line) => line.session === session).map(({ seq }) => seq);
    const gap = numbers.findIndex((seq, index) => seq !== index + 1);
    if (gap !== -1) this.complain(`event ${gap + 1} of ${session} is missing`);
    const oracle = new Oracle();
    for (const event of eventsOf(lines, session)) oracle.see(event);
    for (const complaint of oracle.complaints) this.complain(`${session}: ${complaint}`);
  }

  /** What waited when it was killed is listed by the next process, to the byte. */
  listed(lines: readonly Line[], pending: string): void {
    const open = openIn(lines).map(({ request }) => JSON.stringify(request));
    const told = jsonLines<{ readonly request: object }>(pending).map(({ request }) => JSON.stringify(request));
    for (const { request } of openIn(lines)) this.#openAtKills.add(request.interaction_id);
    if (JSON.stringify(open) !== JSON.stringify(told)) {
      this.complain(`open at the kill: ${open.join(", ")}; listed afterwards: ${told.join(", ")}`);
    }
  }

  get openAtKills(): number {
    return this.#openAtKills.size;
  }

  /** When all is over: everything has come to the end that it should. */
  conclude(lines: readonly Line[], ran: Ran, stories: readonly Story[]): void {
    for (const { story, outcome } of standings(lines, stories)) {
      const { outcomes } = story;
      if (!outcomes.includes(outcome ?? "none")) this.complain(`it ended ${outcome}, not ${outcomes.join(" or ")}`);
    }
    // One that does more than that may have been stopped before it had done it.
    const finished = callsIn(lines, "call.finished").flatMap((files) => (files.length === 1 ? files : []));
    for (const file of finished) {
      const [bytes, calls] = [ran.get(file) ?? 0, finished.filter((each) => each === file).length];
      if (bytes < calls) this.complain(`ran/${file} has ${bytes} bytes, and ${calls} of its calls finished`);
    }
    const resolved = resolutions(lines);
    for (const id of this.#openAtKills) {
      const state = resolved.get(id) ?? "nothing";
      if (!["answered", "declined"].includes(state)) this.complain(`${id} was open at a kill and became ${state}`);
    }
  }

  /** Each request is one that the API takes, and each kill wasted at most one for each session. */
  judgeRequests(requests: readonly RecordedRequest[], lines: readonly Line[], kills: number): void {
    for (const { number, problems, body } of requests) {
      if (problems.length > 0) this.complain(`request ${number} is malformed: ${problems.join("; ")}`);
      // What is sent so that the API takes a call that has none: no call is without one.
      if (body.includes("(no result)")) this.complain(`request ${number} has a call without its result`);
    }
    const replies = lines.filter(({ event }) => event !== null && endsRequest(event)).length;
    if (requests.length > replies + kills * sessionsIn(lines).length) {
      this.complain(`${requests.length} requests were sent for ${replies} replies, with ${kills} kills`);
    }
  }
}

function endsRequest(event: SessionEvent): boolean {
  if (event.type === "history.compacted") return "request" in event;
  return ["model.replied", "model.failed", "model.abandoned", "reply.discarded"].includes(event.type);
}

function resolutions(lines: readonly Line[]): ReadonlyMap<string, string> {
  return new Map(
    lines.flatMap(({ event }) => (event?.type === "interaction.resolved" ? [[event.interaction, event.state]] : [])),
  );
}

/** The calls of which there is such an event, each once: the files that their commands leave bytes in. */
function callsIn(lines: readonly Line[], type: "call.started" | "call.finished"): readonly (readonly string[])[] {
  const met = new Set(
    lines.flatMap(({ session, event }) => (event?.type === type ? [`${session}/${event.call}`] : [])),
  );
  return lines.flatMap(({ session, event }) => {
    const calls = event?.type === "model.replied" ? event.reply.calls : [];
    return calls.filter(({ id }) => met.has(`${session}/${id}`)).map((call) => filesIn(call.arguments));
  });
}

function filesIn(given: string): readonly string[] {
  return [...given.matchAll(/ran\/(\w+)/g)].map(([, name = ""]) => name);
}
