import type { EventType } from "../core/index.ts";
import { isEventType, type ReadJson, readFlowLine, readJudgedLine, readResultLine, readScript } from "../wire/index.ts";
import {
  type Check,
  type CheckWord,
  type CommandLine,
  checkWord,
  type FormWord,
  formWord,
  headWord,
  isComment,
  type JudgedForm,
  type Meanwhile,
  type ModelLine,
  type MovePart,
  type MoveWord,
  moveWord,
  noEvents,
  type Part,
  type Scenario,
  splitLine,
} from "./scenario.ts";
import { Head } from "./settings.ts";

export type ReadScenario =
  | { readonly type: "scenario"; readonly scenario: Scenario }
  | { readonly type: "malformed"; readonly reason: string };

/** Reads a scenario; of a file that is none it tells its name, the line, what was expected and what was found. */
export function readScenario(file: string, text: string): ReadScenario {
  const lines = text.split("\n");
  const [first = ""] = lines;
  const reading = new Reading(file);
  if (lines.pop() !== "") reading.fail(lines.length + 1, "a line end after the last line", "none");
  else if (!/^# \S/u.test(first)) reading.fail(1, "a title: # and a sentence", quoted(first));
  for (const [index, line] of lines.entries()) reading.take(line, index + 1);
  return reading.end(first.slice(2), lines.length);
}

/** What is being read grows; to everybody else it is complete. */
type OpenText = { readonly lines: string[]; text: string };
type OpenModel = ModelLine & { readonly judged: JudgedForm[]; readonly meanwhile: Meanwhile[] };
type OpenCommand = Omit<CommandLine, "result"> & { readonly meanwhile: Meanwhile[]; result: CommandLine["result"] };
type OpenMove = Pick<MovePart, "lines"> & {
  readonly checks: Check[];
  readonly judged: JudgedForm[];
  readonly executes: string[];
  readonly meanwhile: MovePart["meanwhile"][number][];
};

class Reading {
  readonly #file: string;
  readonly #expected: string[] = [];
  readonly #parts: Part[] = [];
  #problem: string | null = null;
  #head = new Head();
  #script: OpenModel[] = [];
  #commands: OpenCommand[] = [];
  /** What a person did last; `null` before the first time in a session. */
  #move: OpenMove | null = null;
  /** What was typed last, for a further line of it. */
  #typed: OpenText | null = null;
  /** The reply that came last since then: what it asks for may be judged one by one, between the commands. */
  #reply: OpenModel | null = null;
  /** What is under way. */
  #under: OpenModel | OpenCommand | null = null;

  constructor(file: string) {
    this.#file = file;
    this.#begin(null);
  }

  /** The first problem is the one that is told. */
  fail(line: number, expected: string, found: string): void {
    this.#problem ??= `${this.#file}:${line}: expected ${expected}, found ${found}`;
  }

  take(line: string, number: number): void {
    if (this.#problem !== null || isComment(line)) return;
    const split = splitLine(line);
    const form = formWord(split);
    const move = moveWord(form);
    const head = headWord(split.word);
    if (form === "session") {
      this.#begin(line);
    } else if (move !== null) {
      this.#expected.push(line);
      this.#start(move, line, number);
    } else if (this.#move !== null) {
      this.#expected.push(line);
      this.#follow(line, number);
    } else if (head !== null) {
      this.#expected.push(line);
      const wrong = this.#head.take(head, split.rest, line);
      if (wrong !== null) this.fail(number, wrong, quoted(split.rest));
    } else this.fail(number, "> and what a person types", quoted(line));
  }

  end(title: string, number: number): ReadScenario {
    if (this.#move === null) this.fail(number, "> and what a person types", "the end");
    if (this.#problem !== null) return { type: "malformed", reason: this.#problem };
    return { type: "scenario", scenario: { title, expected: this.#expected, parts: this.#parts } };
  }

  #begin(line: string | null): void {
    this.#move = null;
    this.#under = null;
    this.#reply = null;
    this.#script = [];
    this.#commands = [];
    this.#head = new Head();
    const { settings, lines } = this.#head;
    if (line !== null) {
      this.#expected.push(line);
      lines.push(line);
    }
    this.#parts.push({ type: "session", lines, settings, script: this.#script, commands: this.#commands });
  }

  #start(form: MoveWord, line: string, number: number): void {
    const { rest } = splitLine(line);
    const lines = [line];
    const move = { lines, checks: [], judged: [], executes: [], meanwhile: [] };
    this.#under = null;
    this.#reply = null;
    this.#typed = null;
    if (form === ">") {
      const part = { ...move, type: "typed" as const, text: rest };
      this.#typed = part;
      this.#add(part, part);
    } else if (form === "resume") this.#add(move, { ...move, type: "resume" });
    else if (form === "flow") {
      const flow = this.#readJson(readFlowLine(rest), "the steps of a flow", number);
      if (flow !== null) this.#add(move, { ...move, type: "flow", flow, given: rest });
    } else {
      if (!/^\d{1,9}$/u.test(rest)) this.fail(number, "later and a number of seconds", quoted(rest));
      this.#add(move, { ...move, type: "later", seconds: Number(rest) });
    }
  }

  #add(move: OpenMove, part: MovePart): void {
    this.#move = move;
    this.#parts.push(part);
  }

  /** What comes after something that a person did. */
  #follow(line: string, number: number): void {
    const split = splitLine(line);
    const check = checkWord(split.word);
    const checked = this.#move?.checks ?? [];
    if (check !== null) this.#check(check, split.rest, number);
    else if (checked.length > 0) this.fail(number, "output before what is checked", quoted(line));
    else this.#form(formWord(split), line, number);
  }

  #form(form: FormWord | null, line: string, number: number): void {
    const { rest } = splitLine(line);
    switch (form) {
      case "model":
        this.#model(line, rest, number);
        break;
      case "executes":
        this.#under = { command: rest, meanwhile: [], result: null };
        this.#commands.push(this.#under);
        this.#move?.executes.push(rest);
        break;
      case "judged":
        this.#judged(line, rest, number);
        break;
      case "result":
        this.#result(line, rest, number);
        break;
      case ">>":
        this.#meanwhile(line, rest, number);
        break;
      case ">|":
        this.#further(line, rest, number);
        break;
      default:
        // Output; the line before it was typed to its end.
        this.#typed = null;
    }
  }

  #model(line: string, rest: string, number: number): void {
    const script = readScript(rest);
    const expected = "one line of a script";
    if (script.type === "broken") {
      this.fail(number, expected, `${quoted(rest)} (${script.reason})`);
      return;
    }
    const [reply] = script.replies;
    if (reply === undefined) {
      this.fail(number, expected, "nothing");
      return;
    }
    this.#reply = { line, reply, judged: [], meanwhile: [] };
    this.#under = this.#reply;
    this.#script.push(this.#reply);
  }

  #judged(line: string, rest: string, number: number): void {
    const judged = this.#readJson(readJudgedLine(rest), "a verdict with its rule and reason", number);
    const form: JudgedForm | null = judged === null ? null : { line, judged };
    if (form === null) return;
    // What a reply asks for is judged when it comes; what a person releases, when that is typed.
    (this.#reply ?? this.#move)?.judged.push(form);
  }

  #result(line: string, rest: string, number: number): void {
    const under = this.#under;
    if (under === null || !("command" in under)) {
      this.fail(number, "result after executes", quoted(line));
      return;
    }
    const result = this.#readJson(readResultLine(rest), "the result of a tool", number);
    if (result !== null) under.result = { line, result };
  }

  #readJson<T>(read: ReadJson<T>, expected: string, number: number): T | null {
    if (read.type === "read") return read.value;
    this.fail(number, expected, read.reason);
    return null;
  }

  #meanwhile(line: string, text: string, number: number): void {
    const under = this.#under;
    if (under === null) {
      this.fail(number, ">> after model or executes", quoted(line));
      return;
    }
    const during: "model" | "command" = "reply" in under ? "model" : "command";
    const typed = { lines: [line], text, during };
    this.#typed = typed;
    under.meanwhile.push(typed);
    this.#move?.meanwhile.push(typed);
  }

  #further(line: string, rest: string, number: number): void {
    if (this.#typed === null) {
      this.fail(number, ">| after what is typed", quoted(line));
      return;
    }
    this.#typed.text += `\n${rest}`;
    this.#typed.lines.push(line);
  }

  #check(word: CheckWord, rest: string, number: number): void {
    const check = this.#checkOf(word, rest, number);
    if (check !== null) this.#move?.checks.push(check);
  }

  #checkOf(word: CheckWord, rest: string, number: number): Check | null {
    switch (word) {
      case "events": {
        const negated = rest.startsWith("not ");
        const names = rest === noEvents ? [] : (negated ? rest.slice("not ".length) : rest).split(" ");
        return { type: negated ? "no-events" : "events", events: names.flatMap((name) => this.#event(name, number)) };
      }
      case "requests":
      case "again":
        if (/^\d+$/u.test(rest)) return { type: word, count: Number(rest) };
        this.fail(number, `${word} and a number`, quoted(rest));
        return null;
      case "told":
      case "knows":
      case "untold":
        if (rest !== "") return { type: word, text: rest };
        this.fail(number, `${word} and a text`, "none");
        return null;
      default:
        return word satisfies never;
    }
  }

  #event(name: string, number: number): readonly EventType[] {
    if (isEventType(name)) return [name];
    this.fail(number, "the type of an event", quoted(name));
    return [];
  }
}

function quoted(text: string): string {
  return text === "" ? "an empty line" : JSON.stringify(text);
}
