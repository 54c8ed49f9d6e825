import type { Deed } from "../deeds.ts";
import type { Given, Spec } from "../spec.ts";
import { type Argument, beginning } from "../text.ts";
import { each } from "./arguments.ts";
import { afterFirst } from "./support.ts";

/** They tell of files without what is in them. */
const brief =
  "--stat --numstat --shortstat --dirstat --name-only --name-status --summary --quiet --raw --check -s --no-patch";

/** `-O` orders there, and everything else is a text or the name of a commit. */
export function shows(): Spec {
  return {
    takes: { "--output": "write", "-S -G -O -n --max-count --author --grep --since --until -L": "text" },
    also: (given) => [...kept(given), ...(given.has("-p -u --patch -L") ? contents(given) : [])],
  };
}

export function showsAll(): Spec {
  return { ...shows(), also: (given) => [...kept(given), ...contents(given)] };
}

/** `commit:path` shows a file as it was then. */
function kept({ operands }: Given): readonly Deed[] {
  return each(
    "show",
    operands.flatMap((operand) => afterFirst(operand, ":") ?? []),
  );
}

/** An operand is a commit or a place, of which the changes are shown. */
export function contents({ has, operands }: Given): readonly Deed[] {
  return has(brief) ? [] : each("show", operands.filter(isPlace));
}

/** Not `HEAD~1`, `a..b`, `HEAD:file`. */
const isPlace = ({ text }: Argument) => !/[:^~@]|\w\.{2,3}\w/.test(beginning(text));

export function grep(): Spec {
  return {
    takes: {
      "-e -A -B -C -m --max-count --max-depth --threads --context --after-context --before-context": "text",
      "-f": "read",
    },
    may: { "-O --open-files-in-pager": "program" },
    also: ({ has, operands }) =>
      has("-l --name-only --files-with-matches -L -c --count -q --quiet")
        ? []
        : each("show", operands.slice(has("-e -f") ? 0 : 1)),
  };
}
