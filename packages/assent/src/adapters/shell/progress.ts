import type { Session } from "../../core/index.ts";
import { visibleLine } from "../../core/interaction/index.ts";
import type { Live } from "../../runtime/index.ts";
import { harmless, type Look, marksOf } from "./style.ts";
import type { Middled } from "./width.ts";

/** Of an output while it comes, the last lines are seen; all of it, folded, when the call has ended. */
const mostTail = 5;
/** Longer lines are nothing to look at while they come. */
const mostCharacters = 500;
const turning = { fine: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"], plain: ["|", "/", "-", "\\"] };

/** What is under way, for a person who waits: never stored, and gone when it is done. */
export class Progress {
  #what = "";
  #since = 0;
  #call: string | null = null;
  #lines: readonly string[] = [];
  /** The line that has not ended. */
  #rest = "";
  #characters = 0;
  #retry: string | null = null;
  #turn = 0;
  #isStopping = false;

  take(live: Live): void {
    switch (live.type) {
      case "output":
        if (live.call !== this.#call) this.#forget();
        this.#call = live.call;
        this.#add(live.text);
        return;
      case "progress":
        this.#retry = null;
        this.#characters = live.characters;
        return;
      case "text":
        this.#retry = null;
        this.#characters += live.text.length;
        this.#add(live.text);
        return;
      case "retry":
        this.#retry = `${live.failure.class}; try ${live.attempt} of ${live.most}`;
        return;
      default:
        live satisfies never;
    }
  }

  /** Something has been recorded: what was under way may be done. `entered` is a line that is being done. */
  settle(session: Session, now: number, entered = ""): void {
    const what = describeWork(session) || shown(entered.slice(0, mostCharacters));
    this.#isStopping = (session.exchange?.stop ?? null) !== null;
    if (what === this.#what) return;
    this.#what = what;
    this.#since = now;
    this.#forget();
  }

  get isWorking(): boolean {
    return this.#what !== "";
  }

  /** The newest lines of the output that is coming. */
  tail(): readonly string[] {
    const last = this.#rest === "" ? [] : [shown(this.#rest)];
    return [...this.#lines, ...last].slice(-mostTail);
  }

  /** One line: that something happens, what, and for how long; the time is seen however long the rest is. */
  line(now: number, look: Look): Middled {
    const { separator } = marksOf(look);
    const signs = look.utf8 ? turning.fine : turning.plain;
    this.#turn = (this.#turn + 1) % signs.length;
    const seconds = Math.floor((now - this.#since) / 1_000);
    const said = this.#characters === 0 || this.#call !== null ? "" : `${separator}${this.#characters} characters`;
    const again = this.#retry === null ? "" : `${separator}${this.#retry}`;
    const stopping = this.#isStopping ? "stopping: " : "";
    const [before, after] = [`${signs[this.#turn]} ${stopping}`, ` ${seconds} s${said}${again}`];
    return { before, middle: this.#what, after };
  }

  #forget(): void {
    this.#call = null;
    this.#lines = [];
    this.#rest = "";
    this.#characters = 0;
    this.#retry = null;
  }

  #add(text: string): void {
    const all = `${this.#rest}${text}`.split("\n");
    this.#rest = (all.pop() ?? "").slice(-mostCharacters);
    const ended = all.slice(-mostTail).map((line) => shown(line.slice(-mostCharacters).replace(/\r$/, "")));
    this.#lines = [...this.#lines, ...ended].slice(-mostTail);
  }
}

/** What the session does at this moment, or nothing where it waits for a person. */
function describeWork({ exchange, interactions }: Session): string {
  if (exchange === null || interactions.length > 0) return "";
  const { phase } = exchange;
  switch (phase.type) {
    case "model":
      return "thinking";
    case "compaction":
      return "summarising";
    case "turn": {
      const running = phase.calls.find(({ status }) => status.type === "started");
      if (running === undefined) return "working";
      const command = running.asks.type === "tool" ? running.asks.command : undefined;
      return shown((command ?? running.tool).slice(0, mostCharacters));
    }
    default:
      return phase satisfies never;
  }
}

/** In one line, and nothing in it that a terminal would obey. */
function shown(text: string): string {
  return harmless(visibleLine(text));
}
