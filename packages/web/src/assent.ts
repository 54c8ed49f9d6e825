/**
 * All that the page has of Assent itself: the client, and the pure functions by which every surface shows the same words. They
 * are taken file by file, for an index would bring along what no page needs.
 */
export * from "../../assent/src/client.ts";
export type { InteractionRequest, Json, SessionEvent } from "../../assent/src/core/index.ts";
export { isBlank } from "../../assent/src/core/interaction/blank.ts";
export { expectedText } from "../../assent/src/core/interaction/expected-text.ts";
export { mostAttempts } from "../../assent/src/core/interaction/ladder.ts";
export { renderBlock } from "../../assent/src/core/interaction/render.ts";
export { takesBlank } from "../../assent/src/core/interaction/response.ts";
export { visibleLine, visibleParts } from "../../assent/src/core/interaction/visible.ts";
export type { Live, Retry } from "../../assent/src/runtime/ports.ts";
export { type AskedPart, askedParts, isRecord } from "../../assent/src/show/approval.ts";
export { chainLines } from "../../assent/src/show/chain.ts";
export { forkFor, refusedFor } from "../../assent/src/show/going-on.ts";
export type { Channel, Said } from "../../assent/src/show/said.ts";
export { Showing } from "../../assent/src/show/showing.ts";
export { describeUsage, grouped, saidPrompt, saidRetry, scopeWords } from "../../assent/src/show/told.ts";
export type { RecordedEvent } from "../../assent/src/wire/events.ts";
