import type { Deed } from "../deeds.ts";
import { deedsOf } from "../deeds-of.ts";
import type { Programs } from "../spec.ts";
import { type Argument, type Hole, shown } from "../text.ts";
import { specIn } from "./spec-in.fixture.ts";

const hole: Hole = { hole: "any", from: "$X" };

/** Words split at blanks; `_` stands for a blank inside a word (`\_` for itself), `$X` for what is not known. */
function wordsOf(line: string): readonly Argument[] {
  return line.split(" ").map((word) => {
    const pieces = word
      .replaceAll(/(?<!\\)_/gu, " ")
      .replaceAll("\\_", "_")
      .split("$X");
    const text = pieces.flatMap((piece, index) => [...(index === 0 ? [] : [hole]), ...(piece === "" ? [] : [piece])]);
    return { text, splits: false, span: { start: 0, end: 0 } };
  });
}

/** What the call would do, one short text for each deed. */
export function called(programs: Programs, line: string): readonly string[] {
  const [program = ""] = line.split(" ");
  const words = wordsOf(line).slice(1);
  const spec = specIn(programs, program);
  if (spec === undefined) return ["no such program"];
  return deedsOf(program, spec, words)?.map(brief) ?? ["unknown"];
}

function brief(deed: Deed): string {
  switch (deed.does) {
    case "danger":
      return deed.danger.rule;
    case "connect":
      return `connect ${shown(deed.host.text)}`;
    case "run":
      return `run ${words(deed.argv)}${deed.more === true ? " …" : ""}${deed.each === true ? " (for each)" : ""}`;
    case "remote":
      return `remote ${deed.use} ${shown(deed.place.text)}`;
    case "link":
      return `link ${shown(deed.path.text)} to ${shown(deed.target.text)}`;
    case "copy":
      return `copy ${shown(deed.from.text)} to ${shown(deed.path.text)}`;
    case "program":
      return `program ${shown(deed.text)}`;
    case "shell":
      return `shell ${shown(deed.text)}${deed.parameters === undefined ? "" : ` (with ${words(deed.parameters)})`}`;
    case "code":
      return `${deed.language} code ${shown(deed.text)}`;
    case "script":
      return `${deed.language} script ${shown(deed.path.text)}`;
    case "start-assent":
      return deed.does;
    case "forget":
      return `forget ${deed.name ?? "all"}`;
    case "set-script":
      return `set-script ${deed.name}: ${shown(deed.text)}`;
    case "variable":
      return `variable ${deed.name}=${shown(deed.value)}`;
    case "mode":
      return `mode ${shown(deed.mode.text)}`;
    case "run-input":
      return `run-input as ${deed.language}`;
    case "run-with-input":
      return `run-with-input ${words(deed.argv)}${deed.place === null ? "" : ` (at ${deed.place})`}${deed.lines ? " (lines)" : ""}`;
    default:
      return `${deed.does} ${shown(deed.path.text)}`;
  }
}

function words(argv: readonly Argument[]): string {
  return argv.map(({ text }) => shown(text)).join(" ");
}
