import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type ApiSessionDetail, forkFor, isBlank } from "../assent.ts";
import { failureLine } from "../state/answers.ts";
import { usePage } from "./context.ts";
import { Notice, Visible } from "./text.tsx";

/** Text for the agent: a prompt, or steering while it works. */
export function PromptBox({ detail }: { readonly detail: ApiSessionDetail }): JSX.Element {
  const page = usePage();
  const { session, open, status } = detail;
  const [text, show] = useState(page.drafts.get(`prompt/${session}`));
  const [isNext, setNext] = useState(false);
  const [isSending, setSending] = useState(false);
  const [told, setTold] = useState<string | null>(null);
  // What is begun survives going elsewhere and coming back, and a reload; what is sent is gone wherever one has gone meanwhile.
  const setText = (typed: string): void => {
    page.drafts.set(`prompt/${session}`, typed);
    show(typed);
  };
  if (status === "aborted") {
    return <p class="muted">The session is aborted: it can be read; {forkFor(session)}.</p>;
  }
  const send = async (): Promise<void> => {
    if (isBlank(text) || isSending) return;
    setSending(true);
    const result = await page.client.prompt(session, { text, delivery: open && isNext ? "next" : "now" });
    setSending(false);
    if (result.type === "ok") {
      setText("");
      setTold(null);
      page.announce("Sent.");
    } else if (result.type === "refused") setTold(failureLine(result));
    // Nothing tells whether it arrived, and sent again it might count twice.
    else setTold("The server could not be reached. Look whether it is in the timeline before you send it again.");
  };
  const id = `prompt-${session}`;
  return (
    <form
      class="prompt-box"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <label for={id}>{open ? (isNext ? "For the next exchange" : "Steer what runs now") : "Prompt"}</label>
      <textarea
        id={id}
        rows={1}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.repeat) return;
          event.preventDefault();
          void send();
        }}
      />
      <button type="submit" class="send" disabled={isSending || isBlank(text)}>
        {open && !isNext ? "Steer" : open ? "Queue" : "Send"}
      </button>
      {open ? (
        <label class="next">
          <input type="checkbox" checked={isNext} onChange={(event) => setNext(event.currentTarget.checked)} />
          Queue it: wait for the end of this exchange
        </label>
      ) : null}
      <Notice told={told} />
    </form>
  );
}

export function Waiting({ waiting }: { readonly waiting: ApiSessionDetail["waiting"] }): JSX.Element | null {
  if (waiting.length === 0) return null;
  return (
    <section class="waiting" aria-label="Waiting">
      <h2>Waiting</h2>
      <ul>
        {waiting.map(({ id, type, text, held }) => (
          <li key={id}>
            <span class="muted">{held ? `${type}, held back` : type}</span> <Visible text={text} />
          </li>
        ))}
      </ul>
    </section>
  );
}
