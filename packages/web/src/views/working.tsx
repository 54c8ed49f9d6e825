import type { JSX } from "preact";
import { grouped, saidRetry } from "../assent.ts";
import type { Follow } from "../state/follow.ts";
import { useStore } from "../state/store.ts";
import { lasting, useNow } from "../time.ts";
import { Markdown } from "./markdown.tsx";
import { Visible } from "./text.tsx";
import { SaidView } from "./timeline.tsx";

/** What happens now, at the end of the timeline: it goes when what came of it is recorded. */
export function Working({
  follow,
  isAsking,
}: {
  readonly follow: Follow;
  readonly isAsking: boolean;
}): JSX.Element | null {
  const { live, detail, began } = useStore(follow.state, (state) => state);
  const { text, characters, retry, outputs } = live;
  const isOpen = detail?.open === true;
  if (!isOpen && text === "" && outputs.length === 0) return null;
  const isStopping = detail?.exchange?.stop != null;
  return (
    <section class="working" aria-label="What happens now">
      {outputs.map(({ call, text: output }) => (
        <div class="row row-tool" key={call}>
          <span class="channel">tool</span>
          <div class="said">
            <pre class="output live">
              <Visible text={output} />
            </pre>
          </div>
        </div>
      ))}
      {text === "" ? null : (
        <div class="row row-agent">
          <span class="channel">agent</span>
          <div class="said">
            <Markdown text={text} />
          </div>
        </div>
      )}
      {retry === null ? null : (
        <div class="row row-system">
          <span class="channel">system</span>
          <div class="said">
            {saidRetry(retry).map((said) => (
              <SaidView key={said.text} said={said} />
            ))}
          </div>
        </div>
      )}
      {!isOpen || isAsking ? null : (
        <p class="busy">
          <span class="spinner" aria-hidden="true" />
          {isStopping ? "Stopping" : detail.holder === null ? "Waits for a process to work on it" : "Working"}
          {began === null ? null : <Elapsed since={began} />}
          {characters === 0 ? "" : `, ${grouped(characters)} characters of a reply`}
        </p>
      )}
    </section>
  );
}

function Elapsed({ since }: { readonly since: number }): JSX.Element {
  const now = useNow(1_000);
  return <span> for {lasting(now - since)}</span>;
}
