import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";
import { follow } from "../adapters/headless/index.ts";
import type { EventType, InputBody } from "../core/index.ts";
import {
  type HoldOptions,
  memoryStore,
  openHost,
  openMemoryJournal,
  openVolatileGrants,
  openVolatileSecrets,
  type Provider,
  type SessionHost,
  systemClock,
  type Watched,
} from "../runtime/index.ts";
import { plainLines, saidSystem } from "../show/index.ts";
import { offeredCommands, readModelLine, runModelLine, type Surroundings, whyNotLaunched } from "../slash/index.ts";
import type { SlashPort } from "../tools/index.ts";
import type { RecordedEvent } from "../wire/index.ts";
import { checked } from "./checks.ts";
import { PlayClock } from "./clock.ts";
import { interruptKey, type Meanwhile, type MovePart, type Scenario, type SessionPart } from "./scenario.ts";
import { PlayScreen, TypingTerminal } from "./screen.ts";
import { playedPolicy } from "./stand-ins.ts";
import { playedSurroundings } from "./surroundings.ts";
import { player, shellTyping, type Typing } from "./typing.ts";
import { World } from "./world.ts";

/** More moments than any scenario has between two lines that a person types. */
const mostMoments = 20_000;
/** How long a moment is where something real takes its time. */
const realMomentMs = 5;

export type PlayOptions = {
  /** How lines are taken up; as the shell does it, unless given. */
  readonly typing?: Typing;
  /** A real model: the script is left aside (SCEN-2). */
  readonly live?: Provider;
};

export type Played = {
  /** Every line that came, in the form in which a file expects them. */
  readonly came: readonly string[];
  /** All that was recorded, of all sessions in their order. */
  readonly recorded: readonly RecordedEvent[];
};

export type PlayedMove = {
  readonly part: MovePart;
  readonly events: readonly EventType[];
  readonly executed: readonly string[];
};

/** Plays a scenario on a real host (SCEN-1). `goesOn` may end it early, after any move. */
export async function playScenario(
  { parts }: Scenario,
  options: PlayOptions = {},
  goesOn: (move: PlayedMove) => boolean = () => true,
): Promise<Played> {
  const stage = new Stage(options);
  let isOver = false;
  try {
    for (const part of parts) {
      if (part.type === "session") {
        await stage.open(part);
        isOver = false;
      } else if (!isOver) {
        isOver = !goesOn(await stage.move(part));
      }
    }
  } finally {
    await stage.close();
  }
  return { came: stage.came(), recorded: stage.recorded() };
}

/** A session that is played: what it works with, and who follows it. */
type Scene = {
  readonly part: SessionPart;
  readonly host: SessionHost;
  readonly session: string;
  readonly world: World;
  readonly around: Surroundings;
  readonly folder: string;
  /** Lets happen what is due. */
  readonly moment: () => Promise<unknown>;
  terminal: TypingTerminal | null;
  /** What the one who follows wants of questions. */
  asking: HoldOptions | null;
  /** The exchange that is followed, or was. */
  exchange: number;
  followed: Promise<unknown> | null;
};

/** One process with one screen. */
class Stage {
  readonly #options: PlayOptions;
  readonly #screen = new PlayScreen();
  readonly #clock = new PlayClock();
  readonly #journal = openMemoryJournal(memoryStore(() => true));
  readonly #stores = { secrets: openVolatileSecrets(), grants: openVolatileGrants() };
  readonly #sessions: string[] = [];
  /** Also those that a command has made. */
  #made = 0;
  #scene: Scene | null = null;

  constructor(options: PlayOptions) {
    this.#options = options;
  }

  async open(part: SessionPart): Promise<void> {
    await this.#leave();
    const { limits, real, folder: named } = part.settings;
    const folder = real ? realpathSync(mkdtempSync(join(tmpdir(), "assent-scenario-"))) : named;
    const { host, world, around } = this.#outside(part);
    const created = host.create({ cwd: folder, limits });
    if ("refusal" in created) throw new Error(created.refusal.detail);
    const { session } = created;
    this.#sessions.push(session);
    const isReal = real || this.#options.live !== undefined;
    const moment = isReal ? () => setTimeout(realMomentMs) : () => setImmediate();
    const begun = { terminal: null, asking: null, exchange: 0, followed: null };
    this.#scene = { part, host, session, world, around, folder, moment, ...begun };
    for (const line of part.lines) this.#screen.form(line);
  }

  /** A host with all that it meets, and what commands of the shell find around it. */
  #outside(part: SessionPart): Pick<Scene, "host" | "world" | "around"> {
    const { softOffers, expiryMs, real } = part.settings;
    const live = this.#options.live ?? null;
    const clock = live !== null || real ? systemClock : this.#clock;
    const slash: SlashPort = {
      commands: offeredCommands,
      setsUp: true,
      whyNotLaunched: (command) => whyNotLaunched(command, around.integrations),
      read: readModelLine,
      run: (line, where) => runModelLine(line, { host, ...where, around }),
    };
    const type = (typed: Meanwhile) => this.#typeMeanwhile(typed);
    const world = new World({ part, screen: this.#screen, clock, live, type, slash });
    const tools = world.tools();
    const around = playedSurroundings(tools, { grants: this.#stores.grants, policy: playedPolicy() });
    const host = openHost({
      ...{ journal: this.#journal, ...this.#stores, clock, expiryMs, softOffers },
      ...{ provider: world.provider(), tools, policy: world.policy(), runs: () => false },
      holder: { pid: 1, started: "1", boot: "", host: "" },
      // To a script it says nothing.
      context: ({ cwd }) => (live === null ? "" : `cwd: ${cwd}\nplatform: linux`),
      newId: () => `s${++this.#made}`,
    });
    return { host, world, around };
  }

  async move(part: MovePart): Promise<PlayedMove> {
    const scene = this.#open();
    const { host, session, world } = scene;
    const before = host.view(session).seq;
    const executed = world.executed.length;
    for (const line of part.lines) this.#screen.form(line);
    world.expect(part.judged);
    for (const typed of part.meanwhile) world.expectTyping(typed.during, typed);
    await this.#do(part, scene);
    await this.#rest(scene);
    const events = this.#journal.read(session, before).events.map(({ event }) => event.type);
    for (const check of part.checks) this.#screen.form(checked(check, { events, asked: world.asked }));
    return { part, events, executed: world.executed.slice(executed) };
  }

  async #do(part: MovePart, scene: Scene): Promise<void> {
    const acting = { by: player, authority: "act" } as const;
    switch (part.type) {
      case "later":
        return this.#pass(part.seconds);
      case "resume":
        return this.#submit(scene, { type: "resumption", ...acting });
      case "flow":
        return this.#submit(scene, {
          ...{ type: "flow", flow: part.flow, name: "flow", arguments: part.given },
          ...acting,
        });
      case "typed":
        return this.#type(part.text);
      default:
        return part satisfies never;
    }
  }

  came(): readonly string[] {
    return this.#screen.came();
  }

  recorded(): readonly RecordedEvent[] {
    return this.#sessions.flatMap((session) => this.#journal.read(session, 0).events);
  }

  async close(): Promise<void> {
    await this.#leave();
  }

  async #leave(): Promise<void> {
    const scene = this.#scene;
    this.#scene = null;
    if (scene === null) return;
    await scene.host.close();
    await scene.followed;
    if (scene.part.settings.real) rmSync(scene.folder, { recursive: true, force: true });
  }

  #open(): Scene {
    if (this.#scene === null) throw new Error("a scenario begins with a session");
    return this.#scene;
  }

  async #typeMeanwhile({ lines, text }: Meanwhile): Promise<void> {
    for (const line of lines) this.#screen.form(line);
    await this.#type(text);
    // What follows from it is shown before what was under way ends.
    await setImmediate();
  }

  async #type(text: string): Promise<void> {
    const scene = this.#open();
    const { host, session, terminal, around } = scene;
    if (text === interruptKey) {
      return this.#submit(scene, { type: "stop", mode: "kill", by: player, authority: "act" });
    }
    const { typing = shellTyping } = this.#options;
    const open = host.view(session).interactions[0]?.request ?? null;
    const entered = await typing(text, { host, session, open, around });
    if (entered.type === "taken") this.#screen.show(entered.shown);
    else if (!terminal?.type(entered.line)) this.#screen.show(told("nobody is asked"));
    this.#followOpen(scene);
  }

  #submit(scene: Scene, body: InputBody): void {
    const { refusal } = scene.host.submit(scene.session, body);
    if (refusal !== null) this.#screen.show(told(refusal.detail));
    this.#followOpen(scene);
  }

  /** An exchange that has begun is shown from its beginning. */
  #followOpen(scene: Scene): void {
    const { host, session } = scene;
    const { exchange } = host.view(session);
    if (exchange === null || exchange.ordinal <= scene.exchange) return;
    const { unattended } = scene.part.settings;
    const terminal = new TypingTerminal(this.#screen);
    const before = scene.followed ?? Promise.resolve();
    scene.terminal = terminal;
    scene.exchange = exchange.ordinal;
    const following = {
      ...{
        host: this.#hostFor(scene, exchange.ordinal),
        session,
        exchange: exchange.ordinal,
        after: exchange.since - 1,
        joins: false,
        json: false,
      },
      ...{ person: player, terminal, unattended, stdout: this.#screen.stream(), stderr: this.#screen.stream() },
    };
    // The one before has to let go of the session first.
    scene.followed = before.then(() => follow(following));
    // What it throws is told at the end.
    scene.followed.catch(() => {});
  }

  /** As in a shell, the session is worked on from one exchange to the next; and who follows one sees no other begin. */
  #hostFor(scene: Scene, exchange: number): SessionHost {
    const { host, session } = scene;
    const isLater = (watched: Watched) =>
      watched.type === "recorded" && watched.event.type === "exchange.started" && watched.event.exchange > exchange;
    return {
      ...delegating(host),
      hold(_session, options = {}) {
        const isHeld = scene.asking !== null;
        scene.asking = options;
        if (!isHeld) {
          host.hold(session, {
            unattended: (request) => scene.asking?.unattended?.(request) ?? null,
            attended: () => scene.asking?.attended?.() ?? false,
          });
        }
        return { works: () => true, release: async () => {} };
      },
      watch(_session, options) {
        const watch = host.watch(session, options);
        return {
          finish: () => watch.finish(),
          close: () => watch.close(),
          async *[Symbol.asyncIterator]() {
            let isOver = false;
            for await (const watched of watch) {
              isOver ||= isLater(watched);
              if (!isOver) yield watched;
            }
          },
        };
      },
    };
  }

  async #pass(seconds: number): Promise<void> {
    const end = this.#clock.now() + seconds * 1_000;
    while (this.#clock.advanceTo(end)) await setImmediate();
  }

  /** Lets everything happen that follows, until only a person can move things on. */
  async #rest(scene: Scene): Promise<void> {
    const { host, session, world } = scene;
    for (let moment = 0, quiet = 0; moment < mostMoments; moment++) {
      await scene.moment();
      const outside = world.outside();
      if (outside !== null) {
        await outside.catch(() => {});
        moment = 0;
        continue;
      }
      const { exchange, interactions } = host.view(session);
      const rests = exchange === null || (interactions.length > 0 && host.holder(session) !== null);
      quiet = rests || this.#isParked(scene) ? quiet + 1 : 0;
      if (quiet > 2) return;
      if (quiet === 0) this.#clock.advance();
      this.#followOpen(scene);
    }
    // No file expects this line: it is shown as a difference.
    this.#screen.form(`neither a question nor the end came within ${mostMoments} moments`);
  }

  #isParked({ part, host, session }: Scene): boolean {
    return part.settings.unattended === "park" && host.view(session).interactions.length > 0;
  }
}

function delegating(host: SessionHost): Omit<SessionHost, "hold" | "watch"> {
  return {
    create: (creation) => host.create(creation),
    fork: (session) => host.fork(session),
    submit: (session, body) => host.submit(session, body),
    view: (session) => host.view(session),
    events: (session, part) => host.events(session, part),
    damage: (session) => host.damage(session),
    breaks: (session) => host.breaks(session),
    holder: (session) => host.holder(session),
    remove: (session) => host.remove(session),
    sessions: () => host.sessions(),
    interactions: () => host.interactions(),
    questions: (part) => host.questions(part),
    question: (interaction, options) => host.question(interaction, options),
    audit: (session, most) => host.audit(session, most),
    verify: (session, wanted) => host.verify(session, wanted),
    overview: () => host.overview(),
    close: () => host.close(),
  };
}

function told(text: string): string {
  return plainLines(saidSystem(text));
}
