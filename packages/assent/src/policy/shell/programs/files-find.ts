import type { Deed } from "../deeds.ts";
import { isSecretPlace } from "../secrets.ts";
import { asks, type Given, type Programs, type Spec } from "../spec.ts";
import { type Argument, after, beginning, type Hole, known, shown, type Text, textOf } from "../text.ts";
import { beginsUnknown, literal, starts } from "./arguments.ts";
import { isIn, runsIn, word } from "./calls.ts";

const found: Hole = { hole: "path", from: "{}" };
const anything: Hole = { hole: "any", from: "{}" };

const deleters = /^(?:.*\/)?g?(?:rm|unlink|shred|srm|wipe|rimraf)$/;
/** Programs that run the rest of their words, or a text. */
const runners =
  /^(?:.*\/)?(?:env|nice|ionice|nohup|time(?:out)?|stdbuf|setsid|(?:busy|toy)box|command|xargs|parallel|\w{0,2}sh)$/;
const deletesInText =
  /(?:^|[;&|({`\n]|\b(?:then|do|else|exec|command|env|xargs|if)\s)\s*(?:\S*\/)?(?:rm|unlink|shred|srm)\s/;

const interpreters = /^(?:.*\/)?(?:perl|python[\d.]*|ruby|node|php|lua)$/;
const deletesInCode = /\bunlink|\bremove\s*\(|\brmSync|\brmtree|\brm_rf|File\.delete|os\.remove/;

/** Whether running this for each of many files deletes them. */
function isBulkDeletion([program, ...rest]: readonly Argument[]): boolean {
  const name = program === undefined ? "" : (known(program.text) ?? "");
  if (deleters.test(name)) return true;
  if (interpreters.test(name)) return rest.some(({ text }) => deletesInCode.test(shown(text)));
  if (!runners.test(name)) return false;
  return rest.some(({ text }) => deleters.test(shown(text)) || deletesInText.test(shown(text)));
}

/** What a search that begins there finds, as a text. */
function foundIn(start: Argument): Text {
  const whole = known(start.text);
  if (whole === "/") return textOf("/", anything);
  return textOf(...start.text, whole?.endsWith("/") === true ? "" : "/", found);
}

/** The command for what is found. */
function filledIn(argv: readonly Argument[], text: Text, places: RegExp): readonly Argument[] {
  return argv.map((argument) => ({
    ...argument,
    text: textOf(
      ...argument.text.flatMap((piece) => {
        if (typeof piece !== "string") return [piece];
        return piece.split(places).flatMap((part, index) => (index === 0 ? [part] : [...text, part]));
      }),
    ),
  }));
}

const most = 8;

function runsForEach(argv: readonly Argument[], from: readonly Argument[], places: RegExp): readonly Deed[] {
  if (argv.length === 0) return [];
  const bulk = isBulkDeletion(argv) ? [asks("delete-bulk", "deletes all that is found", argv[0])] : [];
  const runs = from
    .slice(0, most)
    .map((start): Deed => ({ does: "run", argv: filledIn(argv, foundIn(start), places), each: true }));
  return [
    ...bulk,
    ...(from.length > most ? [asks("too-much", "searches more places than can be judged")] : []),
    ...runs,
  ];
}

const valued = new Set(
  (
    "-amin -anewer -atime -cmin -cnewer -context -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex " +
    "-iwholename -links -lname -maxdepth -mindepth -mmin -mtime -name -newer -path -perm -printf -regex -regextype " +
    "-samefile -size -type -uid -used -user -wholename -xtype -Bmin -Btime -flags -xattrname -D -files0-from"
  ).split(" "),
);
const writing = new Set(["-fprint", "-fprint0", "-fls", "-fprintf"]);
const running = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

/** `find` has no options, but a language: read word for word. */
class Search {
  readonly #words: readonly Argument[];
  readonly #starts: Argument[] = [];
  readonly #deeds: Deed[] = [];
  readonly #secrets: string[] = [];
  #next = 0;

  constructor(words: readonly Argument[]) {
    this.#words = words;
  }

  deeds(): readonly Deed[] {
    this.#readStarts();
    if (this.#starts.length === 0) this.#starts.push(literal(".", this.#words[0]));
    for (let word = this.#words[this.#next]; word !== undefined; word = this.#words[this.#next]) {
      this.#next += 1;
      this.#readPrimary(word);
    }
    return [...this.#starts.map((path): Deed => ({ does: "read", path })), ...this.#deeds];
  }

  #readStarts(): void {
    for (let word = this.#words[this.#next]; word !== undefined; word = this.#words[this.#next]) {
      if (isIn(word, "-D -f")) this.#next += 1;
      else if (!isIn(word, "-H -L -P -E -X -d -s -x --") && !starts(word, "-O")) {
        if (starts(word, "- ( ! ,")) return;
        this.#addStart(word);
      }
      this.#next += 1;
    }
  }

  #addStart(word: Argument): void {
    if (this.#starts.length > 0 && word.splits && beginsUnknown(word)) this.#unknown(word);
    this.#starts.push(word);
  }

  #readPrimary(word: Argument): void {
    const primary = known(word.text);
    if (primary === null) {
      if (beginsUnknown(word) || starts(word, "-")) this.#unknown(word);
    } else if (primary === "-delete") {
      const places = this.#starts.map((path): Deed => ({ does: "write", path }));
      this.#deeds.push(asks("delete-bulk", "deletes all that is found", word), ...places);
    } else if (running.has(primary)) this.#runs(primary);
    else if (writing.has(primary)) this.#takeFile(primary);
    else if (valued.has(primary) || primary.startsWith("-newer")) this.#takeValue(primary);
  }

  /** Who looks for a file that holds secrets by its name does not have to be told where it is. */
  #takeValue(primary: string): void {
    const name = known(this.#words[this.#next]?.text ?? [])?.replace(/^.*\/|\*+$/g, "") ?? "";
    if (/^-i?(?:name|path|wholename)$/.test(primary) && isSecretName(name)) this.#secrets.push(name);
    this.#next += 1;
  }

  #runs(primary: string): void {
    const argv = this.#takeCommand();
    // In the folder of each file: there, words without a folder are files of it.
    const inside = primary.endsWith("dir") ? this.#starts.flatMap((start) => runsIn(start, argv)) : [];
    const secrets = this.#secrets.map(
      (name): Deed => ({ does: "run", argv: filledIn(argv, [name], /\{\}/), each: true }),
    );
    this.#deeds.push(...runsForEach(argv, this.#starts, /\{\}/), ...inside, ...secrets);
  }

  #unknown(word: Argument): void {
    this.#deeds.push(asks("delete-bulk", `may delete or run: ${shown(word.text)} can be -delete or -exec`, word));
  }

  #takeFile(primary: string): void {
    const path = this.#words[this.#next];
    this.#next += primary === "-fprintf" ? 2 : 1;
    if (path !== undefined) this.#deeds.push({ does: "write", path });
  }

  #takeCommand(): readonly Argument[] {
    const rest = this.#words.slice(this.#next);
    const end = rest.findIndex((word, index) => isIn(word, ";") || (isIn(word, "+") && isIn(rest[index - 1], "{}")));
    const argv = end < 0 ? rest : rest.slice(0, end);
    this.#next += end < 0 ? rest.length : end + 1;
    return argv;
  }
}

function isSecretName(name: string): boolean {
  return name !== "" && isSecretPlace([`/x/${name}`], { platform: "linux" });
}

function find(): Spec {
  return { style: "none", also: ({ words }) => new Search(words).deeds() };
}

const fdExec = /^-[HIusiagluLpF01qhV]*[xX]|^--exec(?:-batch|-b|-ba|-bat|-batc)?(?:$|=)/;
const fdPlaces = /\{(?:|\/|\/\/|\.|\/\.)\}/;

function fdDeeds({ words, operands, values }: Given): readonly Deed[] {
  const end = words.findIndex(({ text }) => known(text) === "--");
  const at = words.findIndex(({ text }, index) => (end < 0 || index < end) && fdExec.test(beginning(text)));
  const option = words[at];
  if (option === undefined) return [];
  const attached = after(option.text, fdExec.exec(beginning(option.text))?.[0].length ?? 0);
  const rest = [...(attached.length > 0 ? [{ ...option, text: attached }] : []), ...words.slice(at + 1)];
  const stop = rest.findIndex((word) => isIn(word, ";"));
  const argv = stop < 0 ? rest : rest.slice(0, stop);
  const filled = argv.some(({ text }) => fdPlaces.test(shown(text))) ? argv : [...argv, literal("{}", option)];
  const named = [
    ...values("--search-path --base-directory"),
    ...operands.slice(1).filter((each) => !argv.includes(each)),
  ];
  if (argv.length === 0) return [];
  const secrets = operands.slice(0, 1).filter((each) => !argv.includes(each) && isSecretName(word(each)));
  return [
    ...runsForEach(filled, named.length === 0 ? [literal(".", option)] : named, fdPlaces),
    ...secrets.map((name): Deed => ({ does: "run", argv: filledIn(filled, [word(name)], fdPlaces), each: true })),
  ];
}

function fd(): Spec {
  return {
    takes: {
      "-d --max-depth --maxdepth --min-depth --exact-depth": "text",
      "-E --exclude -e --extension -t --type -S --size -o --owner -c --color -j --threads": "text",
      "--changed-within --changed-before --newer --older --max-results --batch-size --path-separator --and": "text",
      "--ignore-file --base-directory --search-path --max-buffer-time --format --gen-completions": "text",
    },
    also: fdDeeds,
  };
}

export const search: Programs = { "find gfind bfs": find, "fd fdfind": fd };
