import type { JSX } from "preact";
import { Visible } from "./text.tsx";

/** What an agent writes, with its line breaks; of its markup only code, headings and strong words are drawn. */
export function Markdown({ text }: { readonly text: string }): JSX.Element {
  return (
    <div class="markdown">
      {blocksOf(text).map(({ code, text: block }, index) =>
        code ? (
          <pre key={index} class="code">
            <Visible text={block} />
          </pre>
        ) : (
          <Prose key={index} text={block} />
        ),
      )}
    </div>
  );
}

type Block = { readonly code: boolean; readonly text: string };

/** A fence opens code until the next one, or the end. */
export function blocksOf(text: string): readonly Block[] {
  const blocks: { code: boolean; lines: string[] }[] = [{ code: false, lines: [] }];
  for (const line of text.split("\n")) {
    const current = blocks.at(-1);
    if (/^\s*```/.test(line)) blocks.push({ code: !current?.code, lines: [] });
    else current?.lines.push(line);
  }
  return blocks
    .map(({ code, lines }) => ({ code, text: code ? lines.join("\n") : lines.join("\n").replace(/^\n+|\n+$/g, "") }))
    .filter((block) => block.text !== "");
}

function Prose({ text }: { readonly text: string }): JSX.Element {
  return (
    <div class="prose">
      {text.split("\n").map((line, index) => {
        const [, heading] = /^#{1,6}\s+(.*)$/.exec(line) ?? [];
        return (
          <span key={index}>
            {heading === undefined ? (
              <Inline text={line} />
            ) : (
              <strong class="heading">{<Inline text={heading} />}</strong>
            )}
            {"\n"}
          </span>
        );
      })}
    </div>
  );
}

function Inline({ text }: { readonly text: string }): JSX.Element {
  const pieces = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/);
  return (
    <>
      {pieces.map((piece, index) => {
        if (piece.length > 2 && piece.startsWith("`") && piece.endsWith("`"))
          return (
            <code key={index}>
              <Visible text={piece.slice(1, -1)} />
            </code>
          );
        if (piece.length > 4 && piece.startsWith("**") && piece.endsWith("**"))
          return (
            <strong key={index}>
              <Visible text={piece.slice(2, -2)} />
            </strong>
          );
        return <Visible key={index} text={piece} />;
      })}
    </>
  );
}
