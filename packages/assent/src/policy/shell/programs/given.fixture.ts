import type { Deed } from "../deeds.ts";
import { deedsOf } from "../deeds-of.ts";
import type { Programs } from "../spec.ts";
import { type Argument, type Hole, shown, textOf } from "../text.ts";
import { specIn } from "./spec-in.fixture.ts";

/** A word that is known. */
export function argument(text: string): Argument {
  return { text: textOf(text), splits: false, span: { start: 0, end: 0 } };
}

/** A quoted word of which nothing is known. */
export function hole(from: string): Argument {
  return { text: [{ hole: "any", from }], splits: false, span: { start: 0, end: 0 } };
}

/** The deeds of a command line in a few words each; `null` as `deedsOf` has it. */
export function deeds(programs: Programs, line: string): readonly string[] | null {
  const [name = "", ...words] = split(line);
  const spec = specIn(programs, shown(name === "" ? [] : name.text));
  if (name === "" || spec === undefined) throw new Error(`not in the table: ${line}`);
  return deedsOf(shown(name.text), spec, words)?.map(told) ?? null;
}

/** Blanks part words; quotes as in a shell, `$x` is unknown and `*` a pattern. */
function split(line: string): readonly Argument[] {
  return [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => evaluated(word));
}

function evaluated(word: string): Argument {
  const parts = [...word.matchAll(/'([^']*)'|"([^"]*)"|([^'"]+)/g)];
  let splits = false;
  const pieces = parts.flatMap(([, literal, quoted, bare]) => {
    if (literal !== undefined) return [literal];
    if (quoted !== undefined) return holes(quoted, /(\$\w+)/);
    const found = holes(bare ?? "", /(\$\w+|\*)/);
    splits ||= found.some((piece) => typeof piece !== "string" && piece.hole === "any");
    return found;
  });
  return { text: textOf(...pieces), splits, span: { start: 0, end: 0 } };
}

function holes(text: string, pattern: RegExp): (string | Hole)[] {
  return text.split(pattern).map((piece) => {
    if (!pattern.test(piece)) return piece;
    return { hole: piece === "*" ? "glob" : "any", from: piece };
  });
}

function told(deed: Deed): string {
  switch (deed.does) {
    case "danger":
      return deed.danger.rule;
    case "link":
      return `link ${shown(deed.path.text)} to ${shown(deed.target.text)}`;
    case "copy":
      return `copy ${shown(deed.path.text)} from ${shown(deed.from.text)}`;
    case "connect":
      return `connect ${shown(deed.host.text)}`;
    case "remote":
      return `remote ${deed.use} ${shown(deed.place.text)}`;
    case "run":
      return `run ${deed.argv.map(({ text }) => shown(text)).join(" ")}`;
    case "code":
      return `${deed.language}: ${shown(deed.text)}`;
    case "script":
      return `${deed.language} script ${shown(deed.path.text)}`;
    case "run-input":
      return `${deed.language} from input`;
    case "mode":
      return `mode ${shown(deed.mode.text)}`;
    case "variable":
      return `variable ${deed.name}=${shown(deed.value)}`;
    case "run-with-input":
      return `run with input ${deed.argv.map(({ text }) => shown(text)).join(" ")}`;
    case "program":
    case "shell":
      return `${deed.does} ${shown(deed.text)}`;
    case "start-assent":
      return deed.does;
    case "forget":
      return `forget ${deed.name ?? "all"}`;
    case "set-script":
      return `set-script ${deed.name}: ${shown(deed.text)}`;
    default:
      return `${deed.does} ${shown(deed.path.text)}`;
  }
}
