import type { JSX } from "preact";
import { type AskedPart, visibleParts } from "../assent.ts";
import { ago, clockTime, useNow } from "../time.ts";

/** A text of others as it is: what hides in it stands there as an escape (APPR-6), and markup is nothing but characters. */
export function Visible({ text }: { readonly text: string }): JSX.Element {
  const parts = visibleParts(text);
  if (parts.every(({ hidden }) => !hidden)) return <>{text}</>;
  return (
    <>
      {parts.map(({ text: part, hidden }, index) =>
        hidden ? (
          <span key={index} class="escape" title="a hidden character">
            {part}
          </span>
        ) : (
          part
        ),
      )}
    </>
  );
}

/** What went wrong, told at once; nothing where nothing did. */
export function Notice({ told }: { readonly told: string | null }): JSX.Element | null {
  if (told === null) return null;
  return (
    <p class="notice" role="alert">
      {told}
    </p>
  );
}

/** The lines of a command with what it is asked for marked. */
export function MarkedCommand({
  lines,
  parts,
}: {
  readonly lines: readonly string[];
  readonly parts: readonly AskedPart[];
}): JSX.Element {
  const command = lines.join("\n");
  return (
    <pre class="command">
      {markedPieces(command, parts).map(({ text, marked }, index) =>
        marked ? (
          <mark key={index}>
            <Visible text={text} />
          </mark>
        ) : (
          <Visible key={index} text={text} />
        ),
      )}
    </pre>
  );
}

type Piece = { readonly text: string; readonly marked: boolean };

/** Cut wherever a marked part begins or ends; all of it needs no mark. */
export function markedPieces(command: string, parts: readonly AskedPart[]): readonly Piece[] {
  if (parts.every(({ start, end }) => start <= 0 && end >= command.length)) return [{ text: command, marked: false }];
  const inside = (at: number): number => Math.min(command.length, Math.max(0, at));
  const cuts = parts.flatMap(({ start, end }) => [inside(start), inside(end)]);
  const places = [...new Set([0, ...cuts, command.length])].sort((one, other) => one - other);
  return places.slice(1).map((end, index) => {
    const start = places[index] ?? 0;
    return { text: command.slice(start, end), marked: parts.some((part) => part.start <= start && part.end >= end) };
  });
}

/** A change of a file, told by its signs and by colour. */
export function Diff({ lines }: { readonly lines: readonly string[] }): JSX.Element {
  return (
    <pre class="diff">
      {lines.map((line, index) => (
        <span key={index} class={diffClass(line)}>
          <Visible text={line} />
          {"\n"}
        </span>
      ))}
    </pre>
  );
}

function diffClass(line: string): string {
  if (line.startsWith("+++") || line.startsWith("---") || line.startsWith("@@")) return "diff-place";
  if (line.startsWith("+")) return "diff-added";
  return line.startsWith("-") ? "diff-removed" : "diff-same";
}

export function Ago({ at }: { readonly at: number }): JSX.Element {
  const now = useNow(10_000);
  return (
    <time dateTime={new Date(at).toISOString()} title={clockTime(at)}>
      {ago(at, now)}
    </time>
  );
}
