import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { type Channel, grouped, renderBlock, type Said } from "../assent.ts";
import type { Follow } from "../state/follow.ts";
import { useStore } from "../state/store.ts";
import type { Row } from "../state/timeline.ts";
import { clockTime } from "../time.ts";
import { Markdown } from "./markdown.tsx";
import { Subject } from "./subject.tsx";
import { Diff, Visible } from "./text.tsx";

export function TimelineView({
  follow,
  asked,
}: {
  readonly follow: Follow;
  readonly asked: string | null;
}): JSX.Element {
  const { rows, drawn, earlier, fetching, caughtUp } = useStore(follow.state, (state) => state);
  const shown = rows.slice(-drawn);
  const hasMore = rows.length > shown.length || earlier > 0;
  return (
    <section class="timeline" aria-label="Timeline">
      {hasMore ? (
        <button type="button" class="earlier" disabled={fetching} onClick={() => void follow.showEarlier()}>
          {fetching ? "Fetching …" : "Earlier"}
        </button>
      ) : null}
      {caughtUp || rows.length > 0 ? null : <p class="muted">Reading the journal …</p>}
      {caughtUp && rows.length === 0 ? <p class="muted">Nothing has happened yet.</p> : null}
      <ol class="rows">
        {shown.map((row) =>
          // The open question stands below, to be answered.
          row.type === "question" && row.request.interaction_id === asked ? null : <RowView key={row.key} row={row} />,
        )}
      </ol>
    </section>
  );
}

/** A row never changes: the same element again is not even compared. */
function RowView({ row }: { readonly row: Row }): JSX.Element {
  return useMemo(() => <DrawnRow row={row} />, [row]);
}

function DrawnRow({ row }: { readonly row: Row }): JSX.Element {
  const channel: Channel | "question" = row.type === "question" ? "question" : row.said.channel;
  return (
    <li class={`row row-${channel}`}>
      <span class="channel" title={clockTime(row.at)}>
        {channel}
      </span>
      <div class="said">{row.type === "question" ? <PastQuestion row={row} /> : <SaidView said={row.said} />}</div>
    </li>
  );
}

function PastQuestion({ row }: { readonly row: Extract<Row, { type: "question" }> }): JSX.Element {
  const { request } = row;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Folded text={renderBlock(request)} most={12} />
      {request.subject === undefined ? null : (
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>what was decided on</summary>
          {isOpen ? <Subject request={request} /> : null}
        </details>
      )}
    </>
  );
}

export function SaidView({ said }: { readonly said: Said }): JSX.Element {
  const { form, text } = said;
  if (form === "markdown") return <Markdown text={text} />;
  if (form === "diff") return <Diff lines={text.replace(/\n$/, "").split("\n")} />;
  if (form === "start") return <Folded text={text} most={6} className="start" />;
  if (form === "output") return <Folded text={text} most={12} className="output" />;
  if (form === "code") return <code>{text}</code>;
  return <Folded text={text} most={20} className="plain" />;
}

type FoldedProps = { readonly text: string; readonly most: number; readonly className?: string };

/** How much of one line is shown before it is folded. */
const longLine = 2_000;

/** The beginning of a long text; the rest on request. */
function Folded({ text, most, className = "plain" }: FoldedProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const lines = text.replace(/\n$/, "").split("\n");
  const head = lines.slice(0, most).join("\n");
  const start = head.length > longLine ? head.slice(0, longLine) : head;
  const left = lines.length - most;
  if (start.length === lines.join("\n").length) {
    return (
      <pre class={className}>
        <Visible text={start} />
      </pre>
    );
  }
  const more = left > 0 ? `${grouped(left)} lines more` : `${grouped(text.length - start.length)} characters more`;
  return (
    <>
      <pre class={className}>
        <Visible text={isOpen ? text : start} />
      </pre>
      <details class="fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{isOpen ? "less" : more}</summary>
      </details>
    </>
  );
}
