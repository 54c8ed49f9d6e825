import type { Json, Usage } from "../core/index.ts";
import type { ModelQuestion, RawCall } from "../runtime/ports.ts";

/** A model and where it is: all that a request needs beside what is asked. */
export type Target = {
  /** As people name it, `provider:model`: what was thought belongs to it and goes to no other. */
  readonly name: string;
  readonly model: string;
  /** Without a slash at its end; the format's path is put behind it. */
  readonly baseUrl: string;
  readonly key: string | null;
  /** The most tokens of a reply, where the API wants to be told or a person has said so. */
  readonly mostOutput: number | null;
  /** The vendor's own service: it knows fields that a compatible server may refuse. */
  readonly native: boolean;
};

/** How one API writes requests and streams replies. Pure: it is given texts and gives texts. */
export type Format = {
  readonly path: string;
  /** Beside those of every request, which say that JSON goes there and events come back. */
  headers(target: Target): Readonly<Record<string, string>>;
  /** The body. Every request begins with the bytes of the one before, up to that one's closing part (STATE-1). */
  encode(question: ModelQuestion, target: Target): string;
  /** Reads one reply. */
  open(): StreamReader;
};

/** One event of a stream, as server-sent events have them; `name` is empty where the stream names none. */
export type StreamEvent = { readonly name: string; readonly data: string };

/** Never throws, whatever comes. It may be fed further after `end`: calls that come then are flawed. */
export type StreamReader = {
  read(event: StreamEvent): Sign;
  /** All that has come so far. */
  reading(): Reading;
};

export type Sign =
  /** Nothing of the reply: a ping. A stream that brings no more than these is idle. */
  | { readonly type: "idle" }
  /** Something of the reply; `text` is what a person may read of it, often nothing. */
  | { readonly type: "progress"; readonly text: string }
  /** The reply is whole. */
  | { readonly type: "end" }
  | { readonly type: "error"; readonly error: ServerError }
  | { readonly type: "malformed"; readonly detail: string };

/** What a server says went wrong, in its answer or in the middle of a stream. `status` is `null` in a stream that names none. */
export type ServerError = { readonly status: number | null; readonly code: string; readonly message: string };

export type Reading = {
  readonly text: string;
  readonly calls: readonly RawCall[];
  readonly usage: Usage;
  /** What the API wants back with the next request, in its own form; `null` when there is nothing. */
  readonly reasoning: Json | null;
  /** The text is the model's own refusal. */
  readonly refusal: boolean;
  /** A filter of the provider ended the reply. */
  readonly filtered: boolean;
  /** The output limit ended the reply. */
  readonly cut: boolean;
  /** The reply may be taken as whole should the stream close now: some servers close without saying the end. */
  readonly whole: boolean;
};
