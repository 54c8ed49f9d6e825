import type { JSX, TargetedEvent } from "preact";
import { expectedText, visibleLine } from "../assent.ts";
import { boundsOf, type Chosen, cancelled, chosen, picked, written } from "../state/choosing.ts";
import { idOf, type Question } from "../state/inbox.ts";
import { usePage } from "./context.ts";
import { Visible } from "./text.tsx";

type AnsweringProps = { readonly question: Question };

/** All ways to answer one question. */
export function Answering({ question }: AnsweringProps): JSX.Element {
  const { request } = question.interaction;
  const isMulti = request.multi_select === true && request.kind === "question";
  const hasOptions = request.options.length > 0 && !request.sensitive;
  return (
    <div class="answering">
      {!hasOptions ? null : isMulti ? <Several question={question} /> : <Options question={question} />}
      {request.allow_free_text || request.sensitive ? <TextAnswer question={question} /> : null}
      {request.allow_cancel ? <Cancel question={question} /> : null}
    </div>
  );
}

/** Sends it, and keeps the focus on the question: what was pressed is disabled until the server has answered. */
function useChoose({ interaction }: Question): (from: EventTarget | null, choice: Chosen) => void {
  const { inbox } = usePage();
  return (from, choice) => {
    inbox.choose(interaction.session, choice, "click");
    const isSent = inbox.slot(interaction.session)?.question?.sending != null;
    if (isSent && from instanceof Element) from.closest<HTMLElement>("[data-slot]")?.focus({ preventScroll: true });
  };
}

function Options({ question }: AnsweringProps): JSX.Element {
  const choose = useChoose(question);
  const { request } = question.interaction;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a frame around what is a list of buttons.
    <div class="options" role="group" aria-labelledby={`q-${idOf(question)}`}>
      {request.options.map(({ id, label }, index) => (
        <button
          key={id}
          type="button"
          class={id === request.default_option_id ? "option default" : "option"}
          aria-keyshortcuts={String(index + 1)}
          disabled={question.sending !== null}
          onClick={(event) => choose(event.currentTarget, chosen(request, id))}
        >
          <span class="number">{index + 1})</span> <Visible text={label} />
          {id === request.default_option_id ? <span class="default-word"> default</span> : null}
        </button>
      ))}
    </div>
  );
}

function Several({ question }: AnsweringProps): JSX.Element {
  const { inbox } = usePage();
  const choose = useChoose(question);
  const { request, session } = question.interaction;
  const { least, most } = boundsOf(request);
  const onSubmit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault();
    choose(event.currentTarget, picked(request, question.picked));
  };
  return (
    <form class="several" onSubmit={onSubmit} aria-labelledby={`q-${idOf(question)}`}>
      {request.options.map(({ id, label }, index) => (
        <label key={id} class="option">
          <input
            type="checkbox"
            checked={question.picked.includes(id)}
            disabled={question.sending !== null}
            onChange={() => inbox.pick(session, id)}
          />
          <span class="number">{index + 1})</span> <Visible text={label} />
        </label>
      ))}
      <p class="muted">
        Choose {least === most ? least : `${least} to ${most}`}; chosen: {question.picked.length}.
      </p>
      <button type="submit" class="send" disabled={question.sending !== null}>
        Send
      </button>
    </form>
  );
}

function TextAnswer({ question }: AnsweringProps): JSX.Element {
  const { inbox } = usePage();
  const choose = useChoose(question);
  const { request, session } = question.interaction;
  const isNo = request.kind === "confirmation";
  const id = `text-${idOf(question)}`;
  const expected = expectedText(request.response_schema)?.told;
  const label = request.sensitive ? "Your answer, hidden as you type" : isNo ? "No, because…" : "In your own words";
  const send = (from: EventTarget | null): void => choose(from, written(request, question.draft));
  const common = {
    id,
    value: question.draft,
    autocomplete: "off",
    disabled: question.sending !== null,
    ...(expected === undefined ? {} : { "aria-describedby": `${id}-expected` }),
  } as const;
  return (
    <form
      class="text-answer"
      onSubmit={(event) => {
        event.preventDefault();
        send(event.currentTarget);
      }}
    >
      <label for={id}>{label}</label>
      {request.sensitive ? (
        <input {...common} type="password" onInput={(event) => inbox.type(session, event.currentTarget.value)} />
      ) : (
        <textarea
          {...common}
          rows={1}
          onInput={(event) => inbox.type(session, event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.repeat) return;
            event.preventDefault();
            send(event.currentTarget);
          }}
        />
      )}
      <button type="submit" class="send" disabled={question.sending !== null}>
        {isNo ? "Send no" : "Send"}
      </button>
      {expected === undefined ? null : (
        <p class="muted" id={`${id}-expected`}>
          Expected: {visibleLine(expected)}
        </p>
      )}
    </form>
  );
}

function Cancel({ question }: AnsweringProps): JSX.Element {
  const choose = useChoose(question);
  return (
    <p class="cancel">
      <button
        type="button"
        class="quiet"
        disabled={question.sending !== null}
        onClick={(event) => choose(event.currentTarget, cancelled)}
      >
        Cancel
      </button>
      <span class="muted">gives no answer and ends the exchange</span>
    </p>
  );
}
