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
      return `run ${deed.argv.map(({ text }) => shown(text)).join(" ")}${deed.more === true ? " …" : ""}`;
    case "remote":
      return `remote ${deed.use} ${shown(deed.place.text)}`;
    case "program":
    case "shell":
    case "code":
      return `${deed.does} ${shown(deed.text)}`;
    case "variable":
      return `variable ${deed.name}=${shown(deed.value)}`;
    case "mode":
      return `mode ${shown(deed.mode.text)}`;
    case "run-input":
      return deed.does;
    case "run-with-input":
      return `run-with-input ${deed.argv.map(({ text }) => shown(text)).join(" ")}`;
    default:
      return `${deed.does} ${shown(deed.path.text)}`;
  }
}
