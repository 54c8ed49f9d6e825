import type { Deed, RuleName } from "../deeds.ts";
import { asks } from "../spec.ts";
import { type Argument, after, type Hole, type Span, type Text, textOf } from "../text.ts";
import type { Language } from "./language.ts";
import { asText, folderPart, isHidden, isKnown, knownStart, textIn, unknownPart, type Value } from "./values.ts";

/** How a text in another language is looked into; given, so that the modules do not need each other. */
export type LookInto = (language: Language, flat: string, to: Findings) => void;

export const putTogether = "runs a command that is put together only when it runs";
const home: Hole = { hole: "path", from: "~" };
/** What is not known, and a name below it that is. */
const endsKnown = /[\uE000-\uF8FF].{0,4000}\/[^/\uE000-\uF8FF]/su;
const mostDeeds = 300;
const mostEnds = 100;
const deepest = 5;
const shellAlone =
  /^\s*(?:exec\s+)?(?:\S*\/)?(?:(?:ba|da|z|k|a|fi|tc|c)?sh|python[\d.]*|node|perl|ruby|irb|php|pwsh|lua)(?:\s+(?:-[ilp]+|-))*\s*;?\s*$/u;

/** Collects what a program would do, in order and each thing once. */
export class Findings {
  readonly #span: Span;
  readonly #holes: readonly Hole[];
  readonly #lookInto: LookInto;
  readonly #deeds = new Map<string, Deed>();
  #depth = 0;
  /** Where the program has gone to. */
  #folder: string | undefined;
  /** It goes through folders or patterns. */
  walks = false;
  /** It removes files that are not named in it. */
  removes = false;
  forks = false;
  repeats = false;
  /** Places that are named in it, and may be those that are not known where something is done to them. */
  readonly named: string[] = [];
  readonly #programs = new Set<string>();
  readonly #changes = new Unknown();
  readonly #shows = new Unknown();

  constructor(span: Span, holes: readonly Hole[], lookInto: LookInto) {
    this.#span = span;
    this.#holes = holes;
    this.#lookInto = lookInto;
  }

  /** What is read stands in a text of the program. */
  get isNested(): boolean {
    return this.#depth > 0;
  }

  finished(): readonly Deed[] {
    if (this.walks && this.removes) this.danger("delete-bulk", "removes every file that it comes across");
    if (this.forks && this.repeats) this.danger("system-process", "starts copies of itself over and over");
    for (const place of this.named.filter((each) => !this.#programs.has(each))) {
      for (const each of this.#changes.with(place, this.named.length)) this.write(each);
      for (const each of this.#shows.with(place, this.named.length)) this.show(each);
    }
    return [...this.#deeds.values()];
  }

  danger(rule: RuleName, reason: string): undefined {
    this.#add(`danger ${rule}`, asks(rule, reason));
  }

  unseen(what: string = putTogether): undefined {
    this.danger("exec-unseen", what);
  }

  /** The text is run by a shell. */
  shell(value: Value | string | undefined): undefined {
    if (value === undefined) return;
    const flat = typeof value === "string" ? value : textIn(value);
    if (flat === undefined || !this.#isPlain(flat)) return this.unseen();
    if (shellAlone.test(flat)) return this.unseen("starts a shell or an interpreter that takes any command");
    if (flat.trim() !== "") this.#add(`shell ${flat}`, { does: "shell", text: this.#text(flat), span: this.#span });
  }

  /** The words are run as a command. */
  run(words: readonly Value[], more = false): undefined {
    const [first, ...rest] = words;
    const program = first === undefined ? undefined : programOf(first);
    if (program === undefined || !this.#isPlain(program)) return this.unseen();
    this.#programs.add(program);
    const flats = rest.filter(({ is }) => is !== "rest").map(flatWord);
    if (!more && shellAlone.test([program, ...flats].join(" "))) {
      return this.unseen("starts a shell or an interpreter that takes any command");
    }
    const argv = [this.#argument(program), ...flats.map((flat) => this.#placeArgument(flat))];
    const unseen = more || rest.some(({ is }) => is === "rest");
    const key = `run ${unseen} ${[program, ...flats].join("\0")}`;
    this.#add(key, { does: "run", argv, ...(unseen ? { more: true } : {}) });
  }

  write(value: Value | string | undefined): undefined {
    this.#meet(value, this.#changes);
    if (isHidden(value)) this.danger("hidden-word", "changes a place that cannot be seen");
    for (const place of this.#places(value))
      this.#add(`write ${place}`, { does: "write", path: this.#placeArgument(place) });
  }

  show(value: Value | string | undefined): undefined {
    this.#meet(value, this.#shows);
    for (const place of this.#places(value))
      this.#add(`show ${place}`, { does: "show", path: this.#placeArgument(place) });
  }

  /** What comes may be below that folder, or, when this is not reached, still below the one before. */
  enter(value: Value | undefined): undefined {
    this.write(value);
    this.#folder = textIn(value) ?? unknownPart;
  }

  link(target: Value | undefined, path: Value | undefined): undefined {
    const [to, at] = [this.#place(target), this.#place(path)];
    if (at === undefined) return this.write(path);
    if (to === undefined) return this.write(path);
    this.#meet(path, this.#changes);
    this.#add(`link ${to}\0${at}`, {
      does: "link",
      path: this.#placeArgument(at),
      target: this.#placeArgument(to),
    });
  }

  copy(from: Value | undefined, path: Value | undefined): undefined {
    const [source, at] = [this.#place(from), this.#place(path)];
    if (at === undefined) {
      this.write(path);
      return this.show(from);
    }
    if (source === undefined) return this.write(path);
    this.#meet(path, this.#changes);
    this.#meet(from, this.#shows);
    this.#add(`copy ${source}\0${at}`, {
      does: "copy",
      path: this.#placeArgument(at),
      from: this.#placeArgument(source),
    });
  }

  /** One thing is removed, or one after the other. */
  remove(value: Value | undefined): undefined {
    const place = this.#place(value);
    if (place === undefined || !this.#isPlaced(place)) this.removes = true;
    else if (/[*?]/u.test(place)) return this.danger("delete-bulk", "removes every file that a pattern matches");
    this.write(value);
  }

  connect(value: Value | string | undefined): undefined {
    if (value === undefined) return;
    const flat = typeof value === "string" ? value : textIn(value);
    if (flat === undefined || !hasHost(flat)) {
      return this.danger("network-unknown-host", "connects to a host that is not known before it runs");
    }
    this.#add(`connect ${flat}`, { does: "connect", host: this.#argument(flat) });
  }

  mode(value: Value | undefined): undefined {
    const octal = octalOf(value);
    if (octal === undefined) return;
    if (octal.endsWith("777")) return this.danger("system-mode", "lets everybody change the file (mode 777)");
    this.#add(`mode ${octal}`, { does: "mode", mode: this.#argument(octal) });
  }

  variable(name: string, value: Value): undefined {
    const flat = textIn(value) ?? unknownPart;
    this.#add(`variable ${name}`, { does: "variable", name, value: this.#text(flat), span: this.#span });
  }

  /** The text is run as a program of that language. */
  code(language: Language, value: Value | string | undefined): undefined {
    if (value === undefined) return;
    const flat = typeof value === "string" ? value : textIn(value);
    if (flat === undefined || flat === unknownPart)
      return this.unseen("runs program text that is made only when it runs");
    this.#depth += 1;
    if (this.#depth > deepest) this.unseen("runs program text inside program text, too deep to be looked into");
    else this.#lookInto(language, flat, this);
    this.#depth -= 1;
  }

  #add(key: string, deed: Deed): undefined {
    if (this.#deeds.size < mostDeeds) this.#deeds.set(key, this.#deeds.get(key) ?? deed);
    else this.#deeds.set("danger too-much", asks("too-much", "does more than can be looked into"));
  }

  /** The hole of the command may be a plain word; anything else could be more than the command it stands in. */
  #isPlain(flat: string): boolean {
    return this.#text(flat).every((piece) => typeof piece === "string" || ["word", "path"].includes(piece.hole));
  }

  /** A path that is known where it begins, or, below a folder that is not (the home may be one), by the names it ends with. */
  #place(value: Value | string | undefined): string | undefined {
    const flat = typeof value === "string" ? value : textIn(value);
    if (flat === undefined || flat === "") return undefined;
    return this.#isPlaced(flat) || endsKnown.test(flat) ? flat : undefined;
  }

  #meet(value: Value | string | undefined, unknown: Unknown): undefined {
    unknown.isMet ||= this.#isUnknown(value);
    const end = typeof value === "string" ? undefined : endOf(textIn(value));
    if (end !== undefined) unknown.ends.add(end);
  }

  /** It does not come with the words that the program is given, which are looked at where they stand. */
  #isUnknown(value: Value | string | undefined): boolean {
    if (value === undefined || typeof value === "string" || this.#place(value) !== undefined) return false;
    return value.is !== "name" || !given.test(value.path);
  }

  #places(value: Value | string | undefined): readonly string[] {
    const place = this.#place(value);
    if (place === undefined) return [];
    const isBelow = this.#folder !== undefined && /^[^/~\uE000-\uF8FF]/u.test(place);
    return isBelow ? [place, `${this.#folder}/${place}`] : [place];
  }

  /** Known, or known to be below a folder outside the project. */
  #isPlaced(flat: string): boolean {
    if (isKnown(flat) || /^(?:[/~]|\.\.)/u.test(knownStart(flat))) return true;
    const first = this.#text(flat)[0];
    return typeof first === "object" && first.hole === "path" && !flat.startsWith(folderPart);
  }

  /** Many functions make the home of `~`, and hardly anybody has a folder of that name. */
  #placeArgument(flat: string): Argument {
    const { text, ...argument } = this.#argument(flat);
    return { ...argument, text: /^~(?:\/|$)/u.test(flat) ? textOf(home, ...after(text, 1)) : text };
  }

  #argument(flat: string): Argument {
    return { text: this.#text(flat), splits: false, span: this.#span };
  }

  #text(flat: string): Text {
    return asText(flat, this.#holes);
  }
}

/** Places to which something is done, and it is not known where they begin. */
class Unknown {
  isMet = false;
  /** With what they end. */
  readonly ends = new Set<string>();

  /** Where they are, if they begin with this one. */
  with(place: string, among: number): readonly string[] {
    const isTooMuch = this.ends.size * among > mostEnds;
    // A text that such a place ends with is not what it begins with.
    const ends = [...this.ends].filter((end) => !isTooMuch && !end.includes(place));
    const ended = ends.map((end) => place + end);
    return this.isMet || isTooMuch ? [place, ...ended] : ended;
  }
}

/** What is known of a place whose beginning the program itself makes. */
function endOf(flat: string | undefined): string | undefined {
  return flat !== undefined && endsKnown.test(flat) ? /^[\uF8FE\uF8FF]+(.*)$/su.exec(flat)?.[1] : undefined;
}

const given = /^(?:sys\.argv|process\.(?:argv|env)|os\.environ|ARGV|ENV|\$argv|\$_SERVER|\$ARGV|arg\b)/u;

const ownInterpreter: Readonly<Record<string, string>> = {
  "sys.executable": "python3",
  "process.execPath": "node",
  "process.argv0": "node",
  "process.argv.0": "node",
  "RbConfig.ruby": "ruby",
  "Gem.ruby": "ruby",
  "$^X": "perl",
  PHP_BINARY: "php",
};

function programOf(first: Value): string | undefined {
  if (first.is === "name") return ownInterpreter[first.path] ?? textIn(first);
  return textIn(first);
}

function flatWord(value: Value): string {
  return textIn(value) ?? (value.is === "number" ? value.raw : unknownPart);
}

/** Whether the host is known to its last character. */
function hasHost(flat: string): boolean {
  if (isKnown(flat)) return flat !== "";
  const start = knownStart(flat);
  return /^(?:\w{1,20}:\/\/)?(?:[\w.-]+|\[[\d:a-f]+\])[:/]/iu.test(start) && !/^\w{1,20}:\/{0,2}$/u.test(start);
}

function octalOf(value: Value | undefined): string | undefined {
  if (value?.is === "text") return /^0?o?([0-7]{3,4})$/u.exec(value.text)?.[1];
  if (value?.is !== "number") return undefined;
  const octal = /^0[oO]?([0-7]+)$/u.exec(value.raw)?.[1];
  return octal ?? value.number.toString(8);
}
