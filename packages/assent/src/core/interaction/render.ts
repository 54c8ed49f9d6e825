import type { InteractionRequest } from "./request.ts";

/** The question as a block of text: instruction, blank line, numbered options; nothing before it, nothing after (TXT-1). */
export function renderBlock({ question, options }: InteractionRequest): string {
  if (options.length === 0) return question;
  return [question, "", ...options.map(({ label }, index) => `${index + 1}) ${label}`)].join("\n");
}
