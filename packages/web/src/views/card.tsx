import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { InteractionRequest } from "../assent.ts";
import { mostAttempts } from "../assent.ts";
import { sessionPath } from "../routes.ts";
import { idOf, isBefore, nameOf, type Question, type Slot } from "../state/inbox.ts";
import { may } from "../state/page.ts";
import { useStore } from "../state/store.ts";
import { lasting, useNow } from "../time.ts";
import { Answering } from "./answering.tsx";
import { usePage, useRole } from "./context.ts";
import { Subject } from "./subject.tsx";
import { Ago, Visible } from "./text.tsx";

type CardProps = { readonly slot: Slot; readonly inSession: boolean };

/** A session's place among the questions: its question, or for a while what became of it. */
export function Card({ slot, inSession }: CardProps): JSX.Element {
  const { inbox } = usePage();
  const { session, question, last, lastOf } = slot;
  const isActive = useStore(inbox.state, ({ active }) => active === session);
  const place = useRef<HTMLElement>(null);
  useFocus(place, isActive && question !== null);
  const id = question === null ? null : idOf(question);
  useEffect(() => {
    // Only what has been drawn can have been seen.
    if (id === null) return;
    const frame = requestAnimationFrame(() => {
      inbox.shown(id);
      if (place.current !== null) place.current.dataset["seen"] = id;
    });
    return () => {
      cancelAnimationFrame(frame);
      delete place.current?.dataset["seen"];
    };
  }, [id, inbox]);
  useMoved(place, () => inbox.moved(session));
  const classes = `card${isActive && question !== null ? " active" : ""}${question === null ? " over" : ""}`;
  return (
    <article
      class={classes}
      ref={place}
      tabIndex={-1}
      data-slot={session}
      aria-label={question === null ? "What became of a question" : `Question in ${nameOf(question.interaction)}`}
      onFocusIn={() => inbox.activate(session)}
    >
      {last === null ? null : (
        <p class="last">
          {id === null ? null : isBefore(lastOf, id) ? "The question before: " : "An earlier question: "}
          <Visible text={last} />
        </p>
      )}
      {question === null ? null : <Asked key={id} question={question} inSession={inSession} />}
    </article>
  );
}

/** Told when something above has come or gone: what is clicked then may be another question than the one that was aimed at. */
function useMoved(place: { readonly current: HTMLElement | null }, moved: () => void): void {
  const before = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (place.current === null) return;
    const top = place.current.getBoundingClientRect().top + window.scrollY;
    if (before.current !== null && Math.abs(top - before.current) > 4) moved();
    before.current = top;
  });
}

/** Where the focus was on a question that has gone, it comes to the one that is next; it is taken from nothing else. */
function useFocus(place: { readonly current: HTMLElement | null }, isNext: boolean): void {
  useLayoutEffect(() => {
    const focused = document.activeElement;
    const other = focused?.closest("[data-slot]");
    if (!isNext || !other || other === place.current || focused !== other) return;
    place.current?.focus({ preventScroll: true });
    place.current?.scrollIntoView({ block: "nearest" });
  }, [isNext, place]);
  useLayoutEffect(() => {
    const here = place.current;
    return () => {
      if (here === null || !here.contains(document.activeElement)) return;
      const next = document.querySelector<HTMLElement>("[data-slot].active") ?? document.getElementById("main");
      if (next !== here) next?.focus({ preventScroll: true });
    };
  }, [place]);
}

function Asked({ question, inSession }: { readonly question: Question; readonly inSession: boolean }): JSX.Element {
  const role = useRole();
  const { interaction, notice, sending } = question;
  const { request, attempts = 0 } = interaction;
  return (
    <>
      <Head question={question} inSession={inSession} />
      <Subject request={request} />
      <QuestionText request={request} />
      {attempts === 0 || notice !== null ? null : (
        <p class="attempts">
          {attempts} of {mostAttempts} invalid answers; at the {ordinal(mostAttempts)} it is given up.
        </p>
      )}
      {notice === null ? null : (
        <p class="notice">
          <Visible text={notice} />
        </p>
      )}
      {may(role, "answer") ? (
        <Answering question={question} />
      ) : (
        <>
          <ol class="shown-options">
            {request.options.map(({ id, label }, index) => (
              <li key={id}>
                {index + 1}) <Visible text={label} />
              </li>
            ))}
          </ol>
          <p class="muted">Your role is viewer: you can look, not answer.</p>
        </>
      )}
      {sending === null ? null : <p class="muted">Sending: {sending} …</p>}
    </>
  );
}

function ordinal(count: number): string {
  return count === 4 ? "fourth" : `${count}th`;
}

function Head({ question, inSession }: { readonly question: Question; readonly inSession: boolean }): JSX.Element {
  const { interaction } = question;
  const { session, cwd, at, request } = interaction;
  return (
    <header class="card-head">
      <h2>{inSession ? "Question" : <a href={sessionPath(session)}>{nameOf(interaction)}</a>}</h2>
      {inSession ? null : (
        <span class="cwd">
          <Visible text={cwd} />
        </span>
      )}
      <span class="age">
        asked <Ago at={at} />
        {request.timeout_ms === undefined ? null : <Expiry at={at + request.timeout_ms} />}
      </span>
    </header>
  );
}

function Expiry({ at }: { readonly at: number }): JSX.Element {
  const now = useNow(1_000);
  return <span>, {at <= now ? "expires now" : `expires in ${lasting(at - now)}`}</span>;
}

/** Repeated after its subject, a very long command scrolls: it was shown in full just above. */
const longQuestion = 600;

function QuestionText({ request }: { readonly request: InteractionRequest }): JSX.Element {
  const { question, interaction_id: id, subject } = request;
  const isLong = question.length > longQuestion && subject !== undefined;
  // In a command the order of characters is what runs: no script may turn it round (APPR-6).
  const classes = `question${subject === undefined ? "" : " literal"}${isLong ? " long" : ""}`;
  if (!isLong) {
    return (
      <p class={classes} id={`q-${id}`}>
        <Visible text={question} />
      </p>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys.
    <section class={classes} id={`q-${id}`} tabIndex={0} aria-label="The question in full">
      <Visible text={question} />
    </section>
  );
}
