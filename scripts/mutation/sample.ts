import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Node, parseSync } from "oxc-parser";
import type { Part } from "./parts.ts";

export const root = join(import.meta.dirname, "..", "..");
const place = "packages/assent";

/** A declaration, an entry of a table or a member of a class: what is mutated whole or not at all. */
export type Unit = { readonly file: string; readonly from: Position; readonly to: Position };
type Position = { readonly line: number; readonly column: number };

/** All units of a part, in the order of the files and of their text. */
export function unitsOf({ files, not }: Part): readonly Unit[] {
  return globSync([...files], { cwd: join(root, place), exclude: [...not] })
    .sort()
    .flatMap((file) => unitsIn(`${place}/${file}`, readFileSync(join(root, place, file), "utf8")));
}

/** Every so many units one, beginning with the unit `from`: over all beginnings, each is in exactly one sample. */
export function sampled(units: readonly Unit[], every: number, from: number): readonly Unit[] {
  return units.filter((_, index) => index % every === from % every);
}

/** As Stryker reads it. */
export function rangeOf({ file, from, to }: Unit): string {
  return `${file}:${from.line}:${from.column}-${to.line}:${to.column}`;
}

function unitsIn(file: string, text: string): readonly Unit[] {
  const position = positions(text);
  return (
    parseSync(file, text)
      .program.body.flatMap(declarations)
      // Stryker makes \V of \v, which is no pattern: the whole file would not load.
      .filter(({ start, end }) => !text.slice(start, end).includes("\\v"))
      .map(({ start, end }) => ({ file, from: position(start), to: position(end) }))
  );
}

/** Imports and types do not run. A table is as many units as it has entries, a class as it has members. */
function declarations(node: Node): readonly Node[] {
  switch (node.type) {
    case "ExportNamedDeclaration":
      return node.declaration === null ? [] : declarations(node.declaration);
    case "VariableDeclaration":
      return node.declarations.flatMap(({ init }) => (init === null ? [] : entriesOf(init)));
    case "ClassDeclaration":
      return node.body.body;
    case "FunctionDeclaration":
    case "ExpressionStatement":
      return [node];
    default:
      return [];
  }
}

function entriesOf(value: Node): readonly Node[] {
  return value.type === "ObjectExpression" && value.properties.length > 0 ? value.properties : [value];
}

function positions(text: string): (offset: number) => Position {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    const line = starts.findLastIndex((start) => start <= offset);
    return { line: line + 1, column: offset - (starts[line] ?? 0) };
  };
}
