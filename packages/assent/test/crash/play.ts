import type { ModelServer } from "../../src/testing/index.ts";
import type { Random } from "../simulation/random.ts";
import { type Home, type Line, type Process, pause } from "./home.ts";
import type { Aim, Killer } from "./killer.ts";
import { type Kind, secret } from "./kinds.ts";
import { Spoken } from "./server.ts";
import { answerTo, openIn, type Standing, sessionsIn, standings } from "./standing.ts";
import { Witness } from "./witness.ts";

/** More than any kind needs, however often it is killed. */
const mostProcesses = 60;
const mostKills = 4;
const patienceMs = 90_000;

/** Where a kill hit: how many events there were, and the last of them. */
export type Hit = { readonly events: number; readonly last: string };

export type Played = {
  readonly hits: readonly Hit[];
  readonly processes: number;
  readonly answers: number;
  readonly openAtKills: number;
  readonly shown: number;
  readonly requests: number;
  readonly bytes: number;
  readonly sessions: number;
  /** The types of all events, in order. */
  readonly events: readonly string[];
  readonly complaints: readonly string[];
};

type Parts = {
  readonly kind: Kind;
  readonly home: Home;
  readonly model: ModelServer;
  readonly killer: Killer;
  readonly random: Random;
  /** When it is killed first; `null` never. */
  readonly first: Aim | null;
};

/** The sessions of one kind, killed again and again until they have come to their end. */
export class Play {
  readonly #parts: Parts;
  readonly #witness = new Witness();
  readonly #hits: Hit[] = [];
  #aim: Aim | null;
  #processes = 0;
  #stopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#aim = parts.first;
  }

  async play(): Promise<Played> {
    const { home, model, kind } = this.#parts;
    while (this.#standings().some(({ outcome }) => outcome === null)) {
      if (this.#processes >= mostProcesses) {
        this.#witness.complain(`it has not come to its end after ${this.#processes} processes`);
        break;
      }
      await this.#life();
    }
    const lines = home.lines();
    this.#witness.look(lines, home.ran());
    this.#witness.conclude(lines, home.ran(), kind.stories);
    this.#witness.judgeRequests(model.requests, lines, this.#hits.length);
    await this.#inspect(lines);
    return this.#played(lines);
  }

  #played(lines: readonly Line[]): Played {
    const events = lines.map(({ event }) => event?.type ?? "unreadable");
    const bytes = [...this.#parts.home.ran().values()].reduce((sum, each) => sum + each, 0);
    return {
      bytes,
      ...{ hits: this.#hits, processes: this.#processes, events },
      ...{ answers: this.#witness.accepted.size, openAtKills: this.#witness.openAtKills },
      ...{ shown: this.#witness.shown.size, requests: this.#parts.model.requests.length },
      ...{ sessions: sessionsIn(lines).length, complaints: this.#witness.complaints },
    };
  }

  #standings(): readonly Standing[] {
    const { home, kind } = this.#parts;
    return standings(home.lines(), kind.stories);
  }

  /** One process that may be killed, from its start to its end. */
  async #life(): Promise<void> {
    const { surface, stops } = this.#parts.kind;
    if (surface === "server") return await this.#serve();
    const [standing] = this.#standings();
    if (standing === undefined) return;
    const { asks, story } = standing;
    if (surface === "terminal") return await this.#atTerminal(standing);
    if (asks === null) {
      const process = this.#started([...this.#working(standing), "--json", "--unattended=park"]);
      const code = await this.#live(process, (isAlive) => (stops ? this.#stopOnce(isAlive) : Promise.resolve()));
      this.#expect(code, [0, 3, 4, 5, ...(stops ? [130] : [])], process);
      return;
    }
    const { interaction_id: id } = asks.request;
    const answering = this.#started(["answer", id, answerTo(asks, story)]);
    const code = await this.#live(answering);
    if (code === 0) this.#witness.accepted.add(id);
    this.#expect(code, [0], answering);
  }

  /** The command that begins a session or goes on with it. */
  #working({ session, began, story }: Standing): readonly string[] {
    const { begins, flags = [] } = this.#parts.kind;
    if (began) return ["resume", session ?? ""];
    if (begins !== undefined) return begins;
    return ["run", ...(session === null ? flags : ["--session", session]), story.prompt];
  }

  async #atTerminal(standing: Standing): Promise<void> {
    const process = await this.#parts.home.startInTerminal(this.#working(standing));
    this.#processes += 1;
    const code = await this.#live(process, async (isAlive) => {
      const answered = new Set<string>();
      while (isAlive()) {
        const [at = standing] = this.#standings();
        const { interaction_id: id = "" } = at.asks?.request ?? {};
        if (at.asks !== null && !answered.has(id)) {
          answered.add(id);
          await process.running.answer(answerTo(at.asks, at.story));
        }
        await pause(20);
      }
    });
    this.#expect(code, [0, 3], process);
  }

  async #serve(): Promise<void> {
    const { home } = this.#parts;
    const process = this.#started(["serve", "--listen", "0"]);
    const spoken = new Spoken(process, home, this.#witness);
    const code = await this.#live(process, async (isAlive) => {
      while (isAlive()) {
        const open = this.#standings().filter(({ outcome }) => outcome === null);
        if (open.length === 0) break;
        for (const standing of open) await spoken.move(standing);
        await pause(10);
      }
      if (isAlive()) process.running.kill("SIGTERM");
    });
    spoken.close();
    this.#expect(code, [0], process);
  }

  /** By another process, while its command runs. */
  async #stopOnce(isAlive: () => boolean): Promise<void> {
    const { home } = this.#parts;
    while (isAlive() && !this.#stopped) {
      const running = home.lines().find(({ event }) => event?.type === "call.started");
      if (running === undefined) await pause(10);
      else {
        this.#stopped = true;
        await this.#told(["stop", "--kill", running.session], [0, 3]);
      }
    }
  }

  #started(argv: readonly string[]): Process {
    this.#processes += 1;
    return this.#parts.home.start(argv);
  }

  /** Its exit code, or `null` where it was killed; then it has been looked at what that left. */
  async #live(
    process: Process,
    during: (isAlive: () => boolean) => Promise<void> = async () => undefined,
  ): Promise<number | null> {
    const { home, killer } = this.#parts;
    const { running, pid } = process;
    const shot = this.#aim === null ? null : killer.aim(home, pid, this.#aim);
    let isAlive = true;
    const late = setTimeout(() => {
      this.#witness.complain(`a process did not end in ${patienceMs} ms: ${running.output.slice(-500)}`);
      running.kill("SIGKILL");
    }, patienceMs);
    const ended = running.ended.then((code) => {
      isAlive = false;
      shot?.callOff();
      return code;
    });
    const [code] = await Promise.all([ended, during(() => isAlive)]);
    clearTimeout(late);
    this.#witness.read(running.printed);
    // One that was shot after it had ended was not killed; what `script` started ends with the number of the signal.
    const killed = (await shot?.killed) === true && (code === -2 || code === 137);
    const lines = home.lines();
    this.#witness.look(lines, home.ran());
    if (!killed) return code;
    await this.#afterKill(lines);
    return null;
  }

  async #afterKill(lines: readonly Line[]): Promise<void> {
    const { random } = this.#parts;
    this.#hits.push({ events: lines.length, last: newestIn(lines) });
    if (openIn(lines).length > 0) this.#witness.listed(lines, await this.#told(["pending", "--json"], [0]));
    const again = this.#hits.length < mostKills && random.chance(0.6);
    // Now and then before it has recorded anything.
    const at = lines.length + (random.chance(0.15) ? 0 : 1 + random.below(4));
    this.#aim = again
      ? { of: "events", at, delay: random.chance(0.4) ? 0 : random.below(at === lines.length ? 150 : 40) }
      : null;
  }

  /** Runs a command that nobody kills, and gives what it printed. */
  async #told(argv: readonly string[], codes: readonly number[]): Promise<string> {
    const process = this.#started(argv);
    const code = await process.running.ended;
    this.#expect(code, codes, process);
    return process.running.printed;
  }

  #expect(code: number | null, codes: readonly number[], { running }: Process): void {
    if (code === null || codes.includes(code)) return;
    this.#witness.complain(`a process ended with ${code}, not ${codes.join(" or ")}: ${running.output.slice(-800)}`);
  }

  /** What others say of what is left: the chain of hashes, the replay, a second answer, saved rules, secrets. */
  async #inspect(lines: readonly Line[]): Promise<void> {
    const { home, kind } = this.#parts;
    await this.#told(["audit", "verify"], [0]);
    for (const { session } of this.#standings()) await this.#told(["replay", session ?? ""], [0]);
    const answered = lines.findLast(
      ({ event }) => event?.type === "interaction.resolved" && event.state === "answered",
    );
    if (answered?.event?.type === "interaction.resolved") {
      await this.#told(["answer", answered.event.interaction, "1"], [3]);
    }
    if (home.lines().length !== lines.length) this.#witness.complain("looking at it, or answering again, changed it");
    if (kind.saves !== undefined) {
      const saved = (await this.#told(["policy", "grants", "--json"], [0])).split("\n").filter(Boolean).length;
      if (saved !== kind.saves) this.#witness.complain(`${saved} rules are saved, not ${kind.saves}`);
    }
    await this.#inspectSecrets();
  }

  /** One whose process was killed before it could remove it goes with the next that works on any session. */
  async #inspectSecrets(): Promise<void> {
    const { home } = this.#parts;
    if (home.holds(secret).length === 0) return;
    home.age("secrets");
    await this.#told(["run", "Another session."], [0]);
    const kept = home.holds(secret);
    if (kept.length > 0) this.#witness.complain(`the secret is still in ${kept.join(", ")}`);
  }
}

/** Of several sessions, by its time. */
function newestIn(lines: readonly Line[]): string {
  const events = lines.flatMap(({ event }) => (event === null ? [] : [event]));
  const newest = Math.max(...events.map(({ at }) => at));
  return events.findLast(({ at }) => at === newest)?.type ?? "nothing";
}
