import { forEachChild, type Script, type SyntaxNode } from "unbash";
import type { Source } from "./state.ts";

/**
 * Text that the parser has passed over without a word: `ls (` is no command, and a here-document whose mark has an open quote
 * has no end. `null`: none.
 */
export function passedOver(script: Script, { text }: Source): number | null {
  const documents: { readonly pos: number; readonly end: number }[] = [];
  let open: number | null = null;
  const visit = (node: SyntaxNode): void => {
    if (node.type === "HereDoc") {
      const mark = node.delimiter?.text ?? "";
      if (/^(?:[^']*'[^']*'[^']*)*[^']*'[^']*$/.test(mark) && !mark.includes('"')) open ??= node.pos;
      documents.push({ pos: node.body.pos, end: node.closing?.end ?? node.body.end });
    }
    if (node.type !== "Script" || node === script) forEachChild(node, visit);
  };
  visit(script);
  if (open !== null || script.commands.length === 0) return open;
  return bracketBetween(script, text, documents);
}

function bracketBetween(
  script: Script,
  text: string,
  documents: readonly { pos: number; end: number }[],
): number | null {
  const ends = script.commands.map(({ end }) => end);
  const starts = [...script.commands.slice(1).map(({ pos }) => pos), script.end];
  for (const [index, end] of ends.entries()) {
    const next = starts[index] ?? script.end;
    const inDocument = documents.some(({ pos, end: last }) => pos < next && last > end);
    const bracket = inDocument
      ? -1
      : text
          .slice(end, next)
          .replace(/(^|\s)#.*/g, "")
          .indexOf("(");
    if (bracket >= 0) return end + bracket;
  }
  return null;
}
