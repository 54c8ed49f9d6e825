import type { InteractionRequest } from "../assent.ts";
import { chosen, picked } from "./choosing.ts";
import type { Page } from "./page.ts";
import { may } from "./page.ts";

/** After a key in a text field so long a pause must come before a number is an answer: the field may have gone meanwhile. */
const typingMs = 1_500;

export type Keys = {
  onKeyDown(event: KeyboardEvent): void;
  onPointer(event: Event): void;
};

/** What keys do outside of text fields: numbers answer, j and k go from question to question, ? tells of the keys. */
export function keysOf(page: Page, showHelp: () => void, now: () => number = () => performance.now()): Keys {
  let typingUntil = 0;
  const inField = ({ key, shiftKey, target }: KeyboardEvent): void => {
    const hasLeft = key === "Tab" || key === "Escape" || (key === "Enter" && !shiftKey);
    typingUntil = hasLeft ? 0 : now() + typingMs;
    if (key === "Escape" && target instanceof HTMLElement) target.blur();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isTextField(event.target)) inField(event);
    else if (isForOthers(event)) return;
    // Somebody types on, though the field is gone.
    else if (now() < typingUntil && event.key.length === 1) typingUntil = now() + typingMs;
    else if (!event.repeat && take(page, event, showHelp)) event.preventDefault();
  };
  return {
    onKeyDown,
    onPointer: ({ type }) => {
      page.inbox.pointed();
      if (type === "pointerdown") typingUntil = 0;
    },
  };
}

/** A shortcut of the browser, half a character, or something stands over the page. */
function isForOthers({ ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey || isComposing || document.querySelector("dialog[open]") !== null;
}

function take(page: Page, event: KeyboardEvent, showHelp: () => void): boolean {
  const { key } = event;
  if (/^[1-9]$/.test(key)) return takeNumber(page, Number(key));
  switch (key) {
    case "j":
      return goTo(page.inbox.move(1));
    case "k":
      return goTo(page.inbox.move(-1));
    // As long as there is more of a question to see, arrows scroll as ever.
    case "ArrowDown":
      return seesEdge("bottom") && goTo(page.inbox.move(1));
    case "ArrowUp":
      return seesEdge("top") && goTo(page.inbox.move(-1));
    case "Enter":
      return event.target instanceof HTMLElement && event.target.matches("a, button, summary, input")
        ? false
        : sendPicked(page);
    case "?":
      showHelp();
      return true;
    default:
      return false;
  }
}

/** Whether that end of the active question is on the screen. */
function seesEdge(edge: "top" | "bottom"): boolean {
  const at = document.querySelector("[data-slot].active")?.getBoundingClientRect()[edge];
  return at === undefined || (at >= 0 && at <= window.innerHeight);
}

/** Whether there was somewhere to go. */
function goTo(session: string | null): boolean {
  if (session === null) return false;
  const slot = document.querySelector<HTMLElement>(`[data-slot="${CSS.escape(session)}"]`);
  slot?.focus({ preventScroll: true });
  slot?.scrollIntoView({ block: "nearest" });
  return slot !== null;
}

function takeNumber(page: Page, number: number): boolean {
  const target = targetOf(page);
  if (target === null) return false;
  const { session, request } = target;
  const option = request.options[number - 1];
  if (option === undefined || request.sensitive) return false;
  if (request.multi_select && request.kind === "question") {
    if (page.inbox.isArmed(session)) page.inbox.pick(session, option.id);
    else page.inbox.tooSoon(session);
    return true;
  }
  leaveFor(session);
  page.inbox.choose(session, chosen(request, option.id), "key");
  return true;
}

function sendPicked(page: Page): boolean {
  const target = targetOf(page);
  if (target === null || !target.request.multi_select || target.request.kind !== "question") return false;
  const question = page.inbox.slot(target.session)?.question;
  if (question === undefined || question === null || question.picked.length === 0) return false;
  page.inbox.choose(target.session, picked(target.request, question.picked), "key");
  return true;
}

/** What was pressed is about to be disabled: the question itself keeps the focus. */
function leaveFor(session: string): void {
  document.querySelector<HTMLElement>(`[data-slot="${CSS.escape(session)}"]`)?.focus({ preventScroll: true });
}

function targetOf(page: Page): { readonly session: string; readonly request: InteractionRequest } | null {
  const { signedIn } = page.state.value;
  if (signedIn.type !== "in" || !may(signedIn.me.role, "answer")) return null;
  const { active } = page.inbox.state.value;
  const slot = page.inbox.shownSlots().find(({ session }) => session === active);
  if (slot === undefined || slot.question === null) return null;
  return { session: slot.session, request: slot.question.interaction.request };
}

function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !["checkbox", "radio", "button", "submit"].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable;
}
