import type { EventType } from "../../src/core/index.ts";
import { eventData } from "../../src/wire/event-data.ts";
import { readScript, type ScriptedReply } from "../../src/wire/index.ts";

/**
 * A whole exchange, or several, as a person and a model have it: what is typed, what the model replies, which commands
 * run and all that is shown, in one order. The file is the expectation itself; nothing ever rewrites it.
 *
 *     # title, on the first line; later lines with # are comments
 *     > text            a person types it: a reply if a question is open, else a prompt; > alone is an empty line
 *     model {"text":…}  the model is asked here, and replies this: a line of a script file
 *     executes command  the command really runs here
 *     session           another session begins, with a script of its own: the model lines after it
 *     anything else     a line of output, exactly
 *
 * After the output of what was typed may stand what is asked of the journal and of the model's requests:
 *
 *     events a b        the events since then, all of them, in order
 *     events not a b    none of these is among them
 *     requests 2        so many requests were made in this session so far
 *     told text         the newest request ends with exactly this text
 *     untold text       no request of this session says this anywhere
 *     again 2           the last two requests say the same as the one before them
 */
export type Scenario = {
  readonly title: string;
  /** Every line but the comments: what must come. */
  readonly expected: readonly string[];
  readonly parts: readonly Part[];
};

/** What begins with a line that a person types, or with a new session. */
export type Part =
  | { readonly type: "session"; readonly script: readonly ModelLine[] }
  | { readonly type: "typed"; readonly text: string; readonly checks: readonly Check[] };

/** A reply, and the line as it stands in the file. */
export type ModelLine = { readonly line: string; readonly reply: ScriptedReply };

export type Check =
  | { readonly type: "events" | "no-events"; readonly events: readonly EventType[] }
  | { readonly type: "requests" | "again"; readonly count: number }
  | { readonly type: "told" | "untold"; readonly text: string };

/** Reads a scenario; a file that is none fails with its name, the line, what was expected and what was found. */
export function readScenario(file: string, text: string): Scenario {
  const lines = text.split("\n");
  if (lines.pop() !== "") throw malformed(file, lines.length + 1, "a line end after the last line", "none");
  const [first = ""] = lines;
  if (!/^# \S/u.test(first)) throw malformed(file, 1, "a title: # and a sentence", quoted(first));
  const reading = new Reading(file);
  for (const [index, line] of lines.entries()) reading.take(line, index + 1);
  return { title: first.slice(2), ...reading.end(lines.length) };
}

class Reading {
  readonly #file: string;
  readonly #expected: string[] = [];
  #script: ModelLine[] = [];
  #checks: Check[] | null = null;
  readonly #parts: Part[] = [{ type: "session", script: this.#script }];

  constructor(file: string) {
    this.#file = file;
  }

  take(line: string, number: number): void {
    if (line === "#" || line.startsWith("# ")) return;
    this.#expected.push(line);
    const { keyword, rest } = split(line);
    if (keyword === ">") this.#type(rest);
    else if (line === "session") this.#begin();
    else if (this.#checks === null) throw malformed(this.#file, number, "> and what a person types", quoted(line));
    else if (isCheck(keyword)) this.#checks.push(this.#check(keyword, rest, number));
    else if (this.#checks.length > 0)
      throw malformed(this.#file, number, "output before what is checked", quoted(line));
    else if (keyword === "model") this.#script.push({ line, reply: this.#reply(rest, number) });
  }

  end(number: number): Pick<Scenario, "expected" | "parts"> {
    if (this.#checks === null) throw malformed(this.#file, number, "> and what a person types", "the end");
    return { expected: this.#expected, parts: this.#parts };
  }

  #type(text: string): void {
    this.#checks = [];
    this.#parts.push({ type: "typed", text, checks: this.#checks });
  }

  #begin(): void {
    this.#checks = null;
    this.#script = [];
    this.#parts.push({ type: "session", script: this.#script });
  }

  #reply(line: string, number: number): ScriptedReply {
    const script = readScript(line);
    const expected = "one line of a script";
    if (script.type === "broken") throw malformed(this.#file, number, expected, `${quoted(line)} (${script.reason})`);
    const [reply] = script.replies;
    if (reply === undefined) throw malformed(this.#file, number, expected, "nothing");
    return reply;
  }

  #check(keyword: Keyword, rest: string, number: number): Check {
    switch (keyword) {
      case "events": {
        const negated = rest.startsWith("not ");
        const names = (negated ? rest.slice("not ".length) : rest).split(" ");
        return { type: negated ? "no-events" : "events", events: names.map((name) => this.#event(name, number)) };
      }
      case "requests":
      case "again":
        if (/^\d+$/u.test(rest)) return { type: keyword, count: Number(rest) };
        throw malformed(this.#file, number, `${keyword} and a number`, quoted(rest));
      case "told":
      case "untold":
        if (rest !== "") return { type: keyword, text: rest };
        throw malformed(this.#file, number, `${keyword} and a text`, "none");
      default:
        return keyword satisfies never;
    }
  }

  #event(name: string, number: number): EventType {
    if (isEvent(name)) return name;
    throw malformed(this.#file, number, "the type of an event", quoted(name));
  }
}

const keywords = ["events", "requests", "told", "untold", "again"] as const;
type Keyword = (typeof keywords)[number];

function isCheck(word: string): word is Keyword {
  return keywords.some((keyword) => keyword === word);
}

function isEvent(name: string): name is EventType {
  return Object.hasOwn(eventData, name);
}

function split(line: string): { readonly keyword: string; readonly rest: string } {
  const space = line.indexOf(" ");
  return space < 0 ? { keyword: line, rest: "" } : { keyword: line.slice(0, space), rest: line.slice(space + 1) };
}

function malformed(file: string, line: number, expected: string, found: string): Error {
  return new Error(`${file}:${line}: expected ${expected}, found ${found}`);
}

function quoted(text: string): string {
  return text === "" ? "an empty line" : JSON.stringify(text);
}
