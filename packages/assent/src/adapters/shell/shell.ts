import { constants } from "node:os";
import type { InteractionRequest, Session, SessionEvent } from "../../core/index.ts";
import { visibleLine } from "../../core/interaction/index.ts";
import { asksForRunning, type ChainBreak } from "../../runtime/index.ts";
import { describeBreaks, failureFor, inShellWords, type Said, saidSystem } from "../../show/index.ts";
import { messageOf } from "../../wire/index.ts";
import { bottomOf } from "./below.ts";
import { forgetUnused, leaveSession, openInstead, useModelOf } from "./changing.ts";
import { Completer } from "./completing.ts";
import { Doing } from "./doing.ts";
import { enterLine } from "./entering.ts";
import { doErrand, type Errands } from "./errands.ts";
import { Followed } from "./followed.ts";
import { Guided } from "./guide.ts";
import { acknowledged, Interrupts, mostPatienceMs } from "./interrupting.ts";
import type { Key } from "./keys.ts";
import { Launching } from "./launching.ts";
import { Line } from "./line.ts";
import { parked, type ShellOptions } from "./options.ts";
import { Picking } from "./picking.ts";
import { Progress } from "./progress.ts";
import { saidRecap } from "./recap.ts";
import { ShellTerminal } from "./terminal.ts";
import { Ticking } from "./ticking.ts";
import { Window } from "./window.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** A person's terminal as a surface of sessions: shows what is recorded, brings what is typed (PROG-1, ANS-0). */
export class Shell {
  readonly #options: ShellOptions;
  readonly #terminal: ShellTerminal;
  readonly #window: Window;
  readonly #progress = new Progress();
  readonly #line: Line;
  readonly #completer: Completer;
  readonly #leaving = Promise.withResolvers<number>();
  #left = false;
  #followed: Followed;
  #known: Session;
  readonly #launching: Launching;
  readonly #errands: Errands;
  /** The lines that are being entered, one after the other. */
  #entered: Promise<void> = Promise.resolve();
  readonly #picking = new Picking();
  readonly #guided: Guided;
  readonly #interrupts = new Interrupts();
  readonly #ticking = new Ticking(() => this.#draw());
  readonly #doing = new Doing(() => this.#settle());

  constructor(options: ShellOptions) {
    this.#options = options;
    this.#window = new Window(options.terminal.output, options.look, options.markdown);
    this.#terminal = new ShellTerminal(options.terminal, {
      onKey: (key) => this.#key(key),
      onResize: () => {
        this.#window.resized();
        this.#draw();
      },
      onEnd: () => void this.#hangUp(constants.signals.SIGHUP),
      onReturn: () => this.#return(),
    });
    this.#guided = new Guided(options.guide);
    this.#line = new Line({
      ...{ onArmed: () => this.#draw(), isTyped: () => this.#terminal.isPasting },
      onBegun: (answer) => this.#window.print(saidSystem(`you had begun to write: ${visibleLine(answer)}`)),
    });
    if (options.prefill !== "") this.#line.offer(options.prefill);
    const { host, person: by, around } = options;
    this.#completer = new Completer(
      () => ({ host, session: this.#followed.session, by, around }),
      (text) => this.#line.text === text && this.#key({ type: "key", name: "tab" }),
    );
    this.#window.print(options.welcome);
    this.#known = host.view(options.session);
    this.#followed = this.#open(options.session, { earlier: options.earlier });
    this.#errands = this.#makeErrands();
    this.#launching = this.#makeLaunching();
  }

  #makeErrands(): Errands {
    return {
      ...{ window: this.#window, begin: this.#options.begin, lend: this.#lend },
      leave: () => this.#leave(0),
      open: (session, how) => this.#change(session, how),
      pick: (sessions) => this.#picking.open(sessions),
      ...{ cwd: () => this.#view().cwd, showQuestion: () => this.#showQuestion() },
    };
  }

  #makeLaunching(): Launching {
    const { host, person: by } = this.#options;
    return new Launching({
      line: this.#line,
      view: () => this.#view(),
      isBusy: () => this.#picking.isOpen || this.#left,
      taken: (call) => host.submit(this.#followed.session, { type: "launch", call, by, authority: "act" }),
      send: (command) => this.#submit(command),
      dropped: (command) => this.#window.print(saidSystem(`not entered: ${command}`)),
    });
  }

  async run(): Promise<number> {
    const onSignal = (signal: NodeJS.Signals, number: number) =>
      signal === "SIGINT" ? this.#terminal.isLent || this.#interrupt() : void this.#hangUp(number);
    for (const signal of signals) process.on(signal, onSignal);
    this.#terminal.start();
    this.#settle();
    try {
      return await this.#leaving.promise;
    } finally {
      for (const signal of signals) process.off(signal, onSignal);
    }
  }

  /** Something that is known only now; a line to be sent with Enter is not put over what is being typed. */
  tell(said: readonly Said[], line: string): void {
    if (this.#left) return;
    this.#window.print(said);
    if (line !== "" && this.#line.text === "" && this.#line.asked === null) this.#line.offer(line);
    this.#draw();
  }

  // ── The session ────────────────────────────────────────────────────────────────────────────────────────────────────

  #open(session: string, { earlier }: { readonly earlier: boolean }): Followed {
    const { host, readOnly } = this.#options;
    if (earlier) this.#window.print(saidRecap(host, session));
    const onBreaks = (breaks: readonly ChainBreak[]) =>
      this.#window.print(saidSystem(inShellWords(session, describeBreaks(session, breaks))));
    const holding = { unattended: () => null, attended: () => true, readOnly, lend: this.#lend, onBreaks };
    return new Followed(
      host,
      { session, person: this.#options.person, ...holding },
      {
        prepare: () => this.#window.prepare(),
        onSaid: (said) => this.#window.print(said),
        onLive: (live) => {
          this.#progress.take(live);
          this.#draw();
        },
        onEvent: (event) => this.#event(event),
        onSettled: () => this.#settle(),
        onFailure: (error) => this.#fail(error),
      },
    );
  }

  #event(event: SessionEvent): void {
    if (event.type === "exchange.started") void this.#window.prepare();
    if (event.type === "exchange.ended") this.#interrupts.reset();
    // The same question once more, after what was wrong with the reply (ANS-4).
    const { asked } = this.#line;
    if (event.type !== "interaction.rejected" || asked?.interaction_id !== event.interaction) return;
    if (this.#view().interactions[0]?.request.interaction_id === event.interaction) this.#window.block(asked);
  }

  /** What is recorded has been shown: asks what is open, and shows what is under way. */
  #settle(): void {
    const session = this.#view();
    if (session.seq !== this.#followed.shown) {
      this.#draw();
      return;
    }
    const open = session.interactions[0]?.request ?? null;
    const { asked } = this.#line;
    if (asked !== null && asked.interaction_id !== open?.interaction_id) this.#line.close();
    if (open !== null && this.#line.asked === null) {
      this.#picking.close();
      this.#window.ask(open);
      this.#line.ask(open);
    }
    this.#progress.settle(session, Date.now(), this.#doing.what);
    this.#ticking.turn(this.#progress.isWorking);
    this.#launching.look();
    const guide = this.#guided.next(session);
    if (guide !== null) this.tell(guide.said, guide.line);
    this.#draw();
  }

  /** Where it cannot be read any more, the last that was known: that it cannot go on is told, and the shell is left. */
  #view(): Session {
    try {
      this.#known = this.#options.host.view(this.#followed.session);
    } catch (error) {
      this.#fail(error);
    }
    return this.#known;
  }

  #fail(error: unknown): void {
    if (this.#left) return;
    this.#window.print(saidSystem(`the session cannot go on: ${failureFor(error)}`));
    void this.#leave(1);
  }

  readonly #around = {
    past: () => (this.#line.isAnswer ? [] : this.#options.typed.lines()),
    complete: (text: string, cursor: number) => this.#completer.complete(text, cursor),
  };

  // ── Keys ───────────────────────────────────────────────────────────────────────────────────────────────────────────

  #key(key: Key): void {
    if (this.#left) return;
    const { done, choices } = this.#line.key(key, this.#around);
    if (choices !== undefined && choices.length > 0) this.#window.print(saidSystem(choices.join("  ")));
    switch (done) {
      case undefined:
        break;
      case "submit":
        this.#launching.sent();
        this.#submit(this.#line.text);
        break;
      case "interrupt":
        this.#interrupt();
        break;
      case "eof":
        this.#endOfInput();
        break;
      case "suspend":
        this.#window.leave();
        this.#terminal.suspend();
        break;
      case "clear":
        this.#window.clear();
        this.#showQuestion();
        break;
      case "unfold":
        this.#window.unfold();
        break;
      default:
        done satisfies never;
    }
    // What the model has prepared may have waited for the line.
    if (this.#line.text === "") this.#settle();
    else this.#draw();
  }

  /** One line after the other: what follows `/new` is for the new session. */
  #submit(line: string): void {
    // What was no answer when it was typed is none, whatever is asked by then.
    const open = this.#line.isAnswer ? this.#line.asked : null;
    this.#line.set("");
    this.#entered = this.#entered.then(() => this.#enter(line, open));
  }

  async #enter(line: string, open: InteractionRequest | null): Promise<void> {
    if (this.#left) return;
    if (open !== null) this.#followed.answers(open.interaction_id);
    try {
      if (this.#picking.isOpen && open === null && !line.startsWith("/")) {
        const picked = this.#picking.take(line);
        if ("session" in picked) return await this.#change(picked.session, { earlier: true });
        this.#window.print(picked.said);
        return this.#settle();
      }
      const { session } = this.#followed;
      const enter = (signal: AbortSignal) => enterLine(line, { session, open, signal }, this.#options);
      const { said, errand, back, isReply } = await this.#doing.during(line, enter);
      if (!isReply) this.#options.typed.add(line);
      this.#window.print(said);
      if (back !== undefined && this.#line.text === "") this.#line.set(back);
      if (errand !== undefined) await doErrand(errand, this.#errands);
      // What was told may have moved it out of sight.
      if (open !== null && isReply === undefined && errand?.type !== "clear") this.#showQuestion();
    } catch (error) {
      this.#window.print(saidSystem(failureFor(error)));
    }
    this.#settle();
  }

  // ── Stopping and leaving ───────────────────────────────────────────────────────────────────────────────────────────

  #interrupt(): void {
    if (this.#doing.giveUp()) return;
    this.#picking.close();
    const { exchange } = this.#view();
    const during = { exchange: exchange !== null, stopping: (exchange?.stop ?? null) !== null, now: Date.now() };
    const meant = this.#interrupts.press({ ...during, text: this.#line.text !== "" });
    switch (meant) {
      case "stop":
      case "kill": {
        this.#stop(meant === "stop" ? "graceful" : "kill", exchange?.ordinal ?? 0);
        if (this.#view().exchange !== null) this.#window.print(saidSystem(acknowledged[meant]));
        return;
      }
      case "leave":
      case "quit":
        void this.#leave(meant === "leave" ? 128 + constants.signals.SIGINT : 0);
        return;
      case "clear":
        this.#line.set("");
        return;
      case "tell":
        this.#window.print(saidSystem("nothing runs; Ctrl-C again or Ctrl-D leaves"));
        return;
      default:
        meant satisfies never;
    }
  }

  #stop(mode: "graceful" | "kill", exchange: number): void {
    const { host, person: by } = this.#options;
    host.submit(this.#followed.session, { type: "stop", mode, exchange, by, authority: "act" });
  }

  /** An end of input is no answer, and does not stop what runs (ANS-6). */
  #endOfInput(): void {
    const { exchange, interactions } = this.#view();
    // A command that reads its terminal is told of the end as a terminal would tell it.
    if (this.#line.isAnswer && interactions[0]?.purpose.type === "terminal-input") this.#submit("^D");
    else if (exchange === null || this.#line.asked !== null) void this.#leave(0);
    else this.#window.print(saidSystem("something runs: Ctrl-C stops it, /exit leaves"));
  }

  /** Nobody is there any more: what runs is killed, and how it ended is recorded (STOP-3). */
  async #hangUp(signal: number): Promise<void> {
    const { exchange, interactions } = this.#view();
    // A question stays open, whoever leaves.
    if (exchange !== null && interactions.length === 0) {
      this.#stop("kill", exchange.ordinal);
      const until = Date.now() + mostPatienceMs;
      while (this.#view().exchange !== null && Date.now() < until) await new Promise((go) => setTimeout(go, 20));
    }
    await this.#leave(128 + signal);
  }

  async #leave(code: number): Promise<void> {
    if (this.#left) return;
    this.#left = true;
    this.#ticking.turn(false);
    // What a command of this process waits for, nobody will be asked again.
    const [open] = this.#known.interactions;
    const asks = open !== undefined && !asksForRunning(this.#known, open);
    this.#line.close();
    try {
      this.#window.print(await leaveSession(this.#options, this.#followed));
      forgetUnused(this.#options.host, this.#followed.session);
    } catch (error) {
      this.#window.print(saidSystem(`the session was not left in order: ${messageOf(error)}`));
    } finally {
      this.#window.leave();
      this.#terminal.stop();
      this.#leaving.resolve(code === 0 && asks ? parked : code);
    }
  }

  async #change(to: string, { earlier }: { readonly earlier: boolean }): Promise<void> {
    const { session: from } = this.#followed;
    this.#picking.close();
    if (to === from) {
      this.#window.print(saidRecap(this.#options.host, to));
      this.#showQuestion();
      return this.#settle();
    }
    const { host } = this.#options;
    this.#window.print(await leaveSession(this.#options, this.#followed));
    this.#line.close();
    this.#interrupts.reset();
    await openInstead({ host, from, to }, async (session) => {
      this.#window.print(await useModelOf(session, this.#options));
      this.#followed = this.#open(session, { earlier: earlier && session === to });
    });
    if (!earlier) this.#window.print(saidSystem(`session ${to}`));
    this.#settle();
  }

  // ── The terminal ───────────────────────────────────────────────────────────────────────────────────────────────────

  readonly #lend = <T>(use: () => Promise<T>): Promise<T> => {
    this.#ticking.turn(false);
    this.#window.leave();
    return this.#terminal.lend(use);
  };

  #return(): void {
    this.#window.back();
    this.#line.again();
    this.#showQuestion();
    this.#settle();
  }

  /** Once more, if it is still open: what stood above may be gone. */
  #showQuestion(): void {
    const { asked } = this.#line;
    const open = this.#view().interactions[0]?.request.interaction_id;
    if (asked !== null && asked.interaction_id === open) this.#window.ask(asked);
  }

  #draw(): void {
    if (this.#left) return;
    const session = this.#view();
    const model = this.#options.around.model.name();
    const below = { session, model, look: this.#window.look, progress: this.#progress, line: this.#line };
    this.#window.show(bottomOf({ ...below, picking: this.#picking.isOpen }));
  }
}
