import type { FormatName, ScriptEntry } from "../../src/testing/index.ts";

export const formats: readonly FormatName[] = ["openai-chat", "openai-responses", "anthropic"];

/** One fault and all that must come of it, whoever asked. */
export type FaultCase = {
  readonly title: string;
  readonly proves: readonly string[];
  /** Where the fault exists; in all unless given. */
  readonly formats?: readonly FormatName[];
  readonly script: readonly ScriptEntry[] | ((format: FormatName) => readonly ScriptEntry[]);
  readonly env?: Readonly<Record<string, string>>;
  /** `gone`: nobody listens at the address any more. */
  readonly server?: "gone";
  /** Sent to the process as soon as this many model requests have come and this is shown. */
  readonly signal?: { readonly name: NodeJS.Signals; readonly requests: number; readonly shown?: RegExp };
  readonly expected: Expected | ((format: FormatName) => Expected);
  /** What `assent resume` must come to afterwards. */
  readonly resumed?: Expected;
};

export type Expected = {
  readonly exit: number;
  /** What a person reads, in this order; the session is `s1` in it, whatever its id is. */
  readonly shown: readonly RegExp[];
  readonly unseen?: readonly RegExp[];
  /** All of stdout: the text that the exchange ended with. */
  readonly stdout: string | RegExp;
  /** All that the journal says of it, in short: see `briefly`. */
  readonly events: readonly string[];
  /** What the commands appended to the file `count`, in all. */
  readonly executed: string;
  /** How many requests of any kind the server has seen, in all. */
  readonly requests: number;
  readonly next?: readonly Next[];
};

/** What a request must say. */
export type Next = {
  /** Its number, from 1. */
  readonly request: number;
  readonly called?: readonly RegExp[];
  /** The results of tools in it: all of them, in order. */
  readonly results?: readonly RegExp[];
  /** Said somewhere by a person. */
  readonly said?: RegExp;
  /** Nowhere in it. */
  readonly unsaid?: RegExp;
  readonly tools?: "offered" | "none";
  /** An earlier request whose bytes it has. */
  readonly same?: number;
};

// ── Replies ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Leaves a mark for each time that it runs; the policy lets it. */
export function marking(mark = "x"): string {
  return `echo ${mark} >> count`;
}

/** What a model says that runs the command once. */
export function running(mark = "x", id?: string): ScriptEntry {
  return { calls: [{ tool: "terminal", arguments: { command: marking(mark) }, ...(id === undefined ? {} : { id }) }] };
}

export const hello = "Hello there, friend.";
export const fine: ScriptEntry = { text: "All is well." };

export const opening: ScriptEntry = {
  calls: [{ tool: "agentic", arguments: { user_prompt: "do it", objective: "mark the file" } }],
};
export const completing: ScriptEntry = {
  calls: [{ tool: "complete", arguments: { result: "The file is marked.", status: "success" } }],
};

/** A value that each format has its own one of. */
export function by<T>(chat: T, responses: T, anthropic: T): (format: FormatName) => T {
  return (format) => ({ "openai-chat": chat, "openai-responses": responses, anthropic })[format];
}

// ── What the journal says ──────────────────────────────────────────────────────────────────────────────────────────

const started = "exchange.started";
export const ran: readonly string[] = ["model.replied", "call.started", "call.finished", "turn.closed"];
const answered: readonly string[] = ["model.replied", "turn.closed", "exchange.ended answered"];

// ── What must come of it ───────────────────────────────────────────────────────────────────────────────────────────

type More = Partial<Expected> & {
  /** What was journalled before the fault. */
  readonly before?: readonly string[];
};

/** The exchange fails with this class; what it says and what can be done about it are shown once more at its end. */
export function fails(kind: string, detail: RegExp, { before = [], ...more }: More = {}): Expected {
  // Only where this side lost its patience is there a setting for it.
  const remedy = remedies[kind === "timeout" && detail.source.startsWith("HTTP") ? "timeout there" : kind];
  if (remedy === undefined) throw new Error(`expected a class with a remedy, found ${kind}`);
  return {
    exit: 1,
    shown: [
      new RegExp(`^system  the model failed \\(${kind}\\): .*${detail.source}.*; ${remedy.source}$`, "m"),
      endedFailed,
    ],
    stdout: "",
    events: [started, ...before, `model.failed ${kind} end`, "exchange.ended failed model"],
    executed: "",
    requests: 1,
    ...more,
  };
}

const endedFailed = /^system {2}ended: failed/m;

/** It ends as if nothing had been. */
export function goesWell({ before = [], shown = [], ...more }: More = {}): Expected {
  return {
    exit: 0,
    shown: [...shown, /^system {2}ended: answered$/m],
    unseen: [/the model failed \(.*tried \d/],
    stdout: `${fine.text}\n`,
    events: [started, ...before, ...answered],
    executed: "",
    requests: 1,
    ...more,
  };
}

/** A request is tried again, and that is told. */
export function retried(kind: string, detail: RegExp, tries = "2 of 4"): RegExp {
  return new RegExp(
    `^system  the model failed \\(${kind}\\): .*${detail.source}.*; try ${tries} in \\d+\\.\\d s$`,
    "m",
  );
}

/** What can be done about a failure, as a person is told. Written here again: it is a promise (SEL-10). */
const remedies: Readonly<Record<string, RegExp>> = {
  refused: /check the address, the network and that the server runs, then assent resume s1/,
  unauthorised: /check the key in (?:OPENAI|ANTHROPIC)_API_KEY, then assent resume s1/,
  "no-credit":
    /add credit with the provider, then assent resume s1; with another model: assent resume s1 --model <provider:model>/,
  "rate-limited": /wait a while, then assent resume s1/,
  overloaded: /wait a while, then assent resume s1; with another model: assent resume s1 --model <provider:model>/,
  "server-error": /the fault is the server's: wait a while, then assent resume s1/,
  timeout:
    /check the server and the network, then assent resume s1; ASSENT_MODEL_(?:FIRST_EVENT|IDLE|CONNECT)_TIMEOUT_MS gives it more time/,
  "timeout there": /check the server and the network, then assent resume s1/,
  "half-stream": /check the network, then assent resume s1/,
  "malformed-stream": /check that the base URL is that of a model's API with assent doctor, then assent resume s1/,
  "content-refused":
    /the provider's filter refused this: say it differently; with another model: assent resume s1 --model <provider:model>/,
  "not-found": /check the model's name and the base URL with assent doctor, then assent resume s1/,
  rejected:
    /check the model's settings with assent doctor, then assent resume s1; with another model: assent resume s1 --model <provider:model>/,
  redirected: /set the base URL to where the server really is, then assent resume s1; a key is never sent on/,
};

// ── How things are set ─────────────────────────────────────────────────────────────────────────────────────────────

export const once = { ASSENT_MODEL_RETRIES: "0" };
export const twice = { ASSENT_MODEL_RETRIES: "1" };

/** Known to the process, to the server and to nobody who reads. */
export const secretKey = "sk-faults-Zq8vN3xW7kLm2Rt5";
