import type { EventType, ModelRequest } from "../core/index.ts";
import type { ModelQuestion } from "../runtime/index.ts";
import { type Check, noEvents } from "./scenario.ts";

export type Facts = { readonly events: readonly EventType[]; readonly asked: readonly ModelQuestion[] };

/** The check as the file has it when it holds, otherwise what is the case. */
export function checked(check: Check, { events, asked }: Facts): string {
  switch (check.type) {
    case "events":
      return events.length === 0 ? `events ${noEvents}` : `events ${events.join(" ")}`;
    case "no-events":
      return check.events.some((type) => events.includes(type))
        ? `events ${events.join(" ")}`
        : `events not ${check.events.join(" ")}`;
    case "requests":
      return `requests ${asked.length}`;
    case "again":
      return `again ${repetitions(asked)}`;
    case "told":
      return `told ${oneLine(lastText(asked.at(-1)?.request))}`;
    case "knows": {
      const newest = asked.at(-1)?.request;
      return `${newest !== undefined && says(newest, check.text) ? "knows" : "does not know"} ${check.text}`;
    }
    case "untold":
      return `${asked.some(({ request }) => says(request, check.text)) ? "told" : "untold"} ${check.text}`;
    default:
      return check satisfies never;
  }
}

/** How many requests at the end say the same as the one before them; all that may differ is the number they bear. */
function repetitions(asked: readonly ModelQuestion[]): number {
  const plain = asked.map(({ system, request, wanted }) => {
    const { messages, closing, tools: offered } = request;
    return JSON.stringify({
      ...{ system, wanted, messages, offered },
      closing: closing.replace(/^\[request \d+\](?:\n\n)?/u, ""),
    });
  });
  const last = plain.findLastIndex((request) => request !== plain.at(-1));
  return Math.max(0, plain.length - last - 2);
}

function lastText(request: ModelRequest | undefined): string {
  if (request === undefined) return "";
  return request.closing === "" ? (request.messages.at(-1)?.text ?? "") : request.closing;
}

/** A check is one line. */
function oneLine(text: string): string {
  return text.replaceAll("\n", "\\n");
}

function says({ messages, closing }: ModelRequest, text: string): boolean {
  return [closing, ...messages.map((message) => JSON.stringify(message)), ...messages.map((each) => each.text)].some(
    (part) => part.includes(text),
  );
}
