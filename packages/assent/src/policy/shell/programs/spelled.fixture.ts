import type { Deed } from "../deeds.ts";
import { deedsOf } from "../deeds-of.ts";
import type { Programs } from "../spec.ts";
import { type Argument, shown, textOf } from "../text.ts";
import { specIn } from "./spec-in.fixture.ts";

/**
 * A command as words, split at blanks; `_` within a word stands for a blank, and `$NAME` for what is not known.
 */
function spelled(command: string): readonly Argument[] {
  let start = 0;
  return command.split(" ").map((each) => {
    const span = { start, end: start + each.length };
    start = span.end + 1;
    const pieces = each.split(/(\$[A-Z]+)/).map((piece) => piece.replaceAll("_", " "));
    const text = textOf(
      ...pieces.map((piece) => (/^\$[A-Z]+$/.test(piece) ? { hole: "any" as const, from: piece } : piece)),
    );
    return { text, splits: text.some((piece) => typeof piece !== "string"), span };
  });
}

/** What the command would do by the table; nothing when the program is not in it. */
function deeds(programs: Programs, command: string): readonly Deed[] | undefined {
  const [name = "", ...rest] = command.split(" ");
  const spec = specIn(programs, name);
  return spec === undefined
    ? undefined
    : (deedsOf(name, spec, spelled(rest.join(" ")).slice(rest.length ? 0 : 1)) ?? []);
}

/** Each deed in one line, in the order in which they are found. */
export function said(programs: Programs, command: string): readonly string[] | undefined {
  return deeds(programs, command)?.map(line);
}

function line(deed: Deed): string {
  switch (deed.does) {
    case "danger":
      return deed.danger.rule;
    case "run":
    case "run-with-input": {
      const words = deed.argv.map(({ text }) => shown(text)).join(" ");
      const place =
        deed.does === "run-with-input" ? ` at ${deed.place ?? "the end"}${deed.lines ? ", lines" : ""}` : "";
      return `${deed.does} ${words}${deed.does === "run" && deed.more ? " …" : ""}${place}`;
    }
    case "shell":
    case "program":
      return `${deed.does} ${shown(deed.text)}`;
    case "code":
      return `${deed.language} ${shown(deed.text)}`;
    case "script":
      return `script:${deed.language} ${shown(deed.path.text)}`;
    case "run-input":
      return `run-input ${deed.language}`;
    case "variable":
      return `${deed.name}=${shown(deed.value)}`;
    case "connect":
      return `connect ${shown(deed.host.text)}`;
    case "mode":
      return `mode ${shown(deed.mode.text)}`;
    case "remote":
      return `remote-${deed.use} ${shown(deed.place.text)}`;
    case "forget":
      return `forget ${deed.name ?? "all"}`;
    case "set-script":
      return `set-script ${deed.name}: ${shown(deed.text)}`;
    case "start-assent":
      return deed.does;
    default:
      return `${deed.does} ${shown(deed.path.text)}`;
  }
}
