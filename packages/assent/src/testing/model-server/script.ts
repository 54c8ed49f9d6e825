import type { Json } from "../../core/index.ts";

/** The APIs that the server speaks. */
export type FormatName = "openai-chat" | "openai-responses" | "anthropic";

/** What one model request gets: a reply, or a fault in the place of one or in the middle of one. */
export type ScriptEntry = {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** What the model thought, as the API shows it. */
  readonly reasoning?: string;
  /** The model's own words of refusal; Anthropic's Messages have only a text that the filter ended. */
  readonly refusal?: string;
  /** `null`: the reply does not say what it took. */
  readonly usage?: ScriptedUsage | null;
  /** `stop`, `calls`, `length`, `filter` or `refusal`, in the API's own word; anything else goes as it is. */
  readonly finish?: string;
  /** Where the calls stand, if not where they should. */
  readonly stray?: Stray;
  readonly fault?: Fault;
  /** After the last entry this one answers, as often as it is asked. */
  readonly repeat?: boolean;
};

/** A call that the model makes. */
export type ScriptedCall = {
  readonly tool: string;
  /** An object as a model means it, or a text to be sent as it is. */
  readonly arguments: Json;
  /** Made up where it is not given; `null` leaves the field out. */
  readonly id?: string | null;
};

/** `cached` is the part of `input` that came out of the provider's cache. */
export type ScriptedUsage = { readonly input: number; readonly output: number; readonly cached?: number };

/**
 * - `choice`: in a second choice; where the API has none, under an index that was never begun.
 * - `after-finish`: after the reply has said why it ends.
 * - `after-end`: after the last event of the stream.
 *
 * An answer in one piece has only the second choice; in the other APIs it leaves such calls out.
 */
export type Stray = "choice" | "after-finish" | "after-end";

/** Counted are the events of the stream; a whole answer (`stream` is false) is cut into four parts that count as events. */
export type Fault =
  /** Any HTTP answer; without a body, the API's own error for that status. */
  | { readonly status: number; readonly body?: Json; readonly headers?: Readonly<Record<string, string>> }
  | { readonly close: "before-answer" | "after-headers" }
  /** So many events, then the connection is gone. */
  | { readonly cut: number }
  /** So many events, then the body ends as if it were whole. */
  | { readonly end: number }
  /** Silence before the answer or after so many events, until the client leaves. */
  | { readonly hang: "answer" | number }
  /** After so many events nothing but signs of life, every so many milliseconds (20), until the client leaves. */
  | { readonly pings: number; readonly every?: number }
  /** This text as the event stream. */
  | { readonly raw: string }
  /**
   * An error in the middle of the stream, or after so many events. `failed`: Responses tells it as `response.failed`. A
   * whole answer is the error itself, with its status.
   */
  | { readonly error: ScriptedError; readonly after?: number; readonly failed?: boolean }
  /** An answer of another kind with status 200. */
  | { readonly contentType: string; readonly body: string }
  | { readonly redirect: string; readonly status?: number }
  /** So many milliseconds before each event. */
  | { readonly slow: number }
  /** The stream in packets of so many bytes: characters and lines are torn. */
  | { readonly bytes: number }
  | { readonly malformed: Malformed };

/** An error in the words of an API. */
export type ScriptedError = {
  readonly message: string;
  readonly type?: string;
  readonly code?: string;
  readonly status?: number;
};

/**
 * - `json`: an event in the middle is half of its JSON.
 * - `utf8`: a byte that no character has.
 * - `order`: all before the end comes backwards.
 * - `type`: an event in the middle is JSON of a shape that nobody expects.
 * - `unknown`: an event that the API does not have, in the middle.
 */
export type Malformed = "json" | "utf8" | "order" | "type" | "unknown";
