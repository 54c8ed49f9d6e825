import type { Flow, InputBody, Person, Refusal } from "../core/index.ts";
import type { Integrations } from "../integrations/index.ts";
import type { Grants, SessionHost, SessionSummary, Submitted, Tool } from "../runtime/index.ts";
import { inShellWords, refusedFor, type Said } from "../show/index.ts";

/** One command that people type after a slash, and that a model may run if it is for anyone (SEL-7). */
export type SlashCommand = {
  readonly name: string;
  /** Other names for the same. */
  readonly also?: readonly string[];
  /** The whole line, as it is typed: `/name <needed> [possible]`. */
  readonly usage: string;
  /** The part of it that a model may use, where that is less. */
  readonly modelUsage?: string;
  /** What a model may use beside that when it is approved. */
  readonly modelAsks?: string;
  /** In one line. */
  readonly does: string;
  readonly more?: string;
  readonly examples: readonly string[];
  /** Whether such a line can change something: then a model's asks first. */
  readonly tier: Tier | ((given: string) => Tier);
  /** `person`: only typed; the model cannot run it. */
  readonly who: "anyone" | "person";
  /** Why a model may not run this very line, although the command is for anyone (APPR-10); `null` where it may. */
  readonly withheld?: (given: string) => string | null;
  /** What is recorded of what was typed behind it, where that may hold what is no session's to keep; otherwise all of it. */
  readonly recorded?: (given: string) => string;
  /** Whole words that could stand where the last argument is. */
  readonly complete?: (typed: string, place: SlashPlace) => readonly string[] | Promise<readonly string[]>;
  readonly run: (given: string, place: SlashPlace) => SlashResult | Promise<SlashResult>;
};

export type Tier = Tool["tier"];

/** How the one who runs a command is called where that is the model itself. */
export const modelAdapter = "slash_invoke";

export type SlashResult =
  /** Shown on the system channel; the model's observation. */
  { readonly type: "told"; readonly text: string } | Wrong | { readonly type: "errand"; readonly errand: Errand };

/** Told with the usage. */
export type Wrong = { readonly type: "wrong"; readonly problem: string };

/** What only a shell can do. */
export type Errand =
  | { readonly type: "leave" }
  | { readonly type: "clear" }
  /** `told` is said of it once it is there. */
  | { readonly type: "open"; readonly session: string; readonly told?: string }
  | { readonly type: "pick"; readonly sessions: readonly SessionSummary[] }
  /** A new session. */
  | { readonly type: "begin" }
  | { readonly type: "child"; readonly argv: readonly [string, ...string[]] }
  /** Unfolded, with its channels. */
  | { readonly type: "show"; readonly said: readonly Said[] };

export type SlashPlace = {
  readonly host: SessionHost;
  readonly session: string;
  readonly by: Person;
  readonly around: Surroundings;
  /** Nobody waits for it any longer; where it is not told, somebody does until the end. */
  readonly signal?: AbortSignal;
};

/** What a command may want to know or change that is not a session's; made by whoever started this process. */
export type Surroundings = {
  readonly version: string;
  /** All that can be typed here. */
  commands(): readonly SlashCommand[];
  /** How this program is started. */
  readonly program: readonly [string, ...string[]];
  readonly model: {
    /** The one in use; `null` when none is set. */
    name(): string | null;
    /**
     * Uses another from now on, and returns its whole name; what cannot be used is an exception that says why. `named`: a person
     * has named it, so that the session may go there, wherever it went before.
     */
    use(name: string, how: { readonly named: boolean }): Promise<string>;
    /** Another session is opened: whatever a person has named was for the one before it. The model stays in use. */
    unname(): void;
    /** Those that are there as far as can be seen. */
    offered(): Promise<readonly string[]>;
    setUp(): Flow;
  };
  readonly tools: readonly Tool[];
  readonly grants: Grants;
  /** What is connected, and what can be (INTG-2). */
  readonly integrations: Integrations;
  doctor(): Promise<string>;
  explain(command: string, cwd: string): Promise<string>;
  rules(): Promise<string>;
};

export function told(text: string): SlashResult {
  return { type: "told", text };
}

export function wrong(problem: string): Wrong {
  return { type: "wrong", problem };
}

export function errand(what: Errand): SlashResult {
  return { type: "errand", errand: what };
}

type ActedBody = Extract<InputBody, { readonly authority: "act" | "view" }>;
type Unacted<T> = T extends ActedBody ? Omit<T, "by" | "authority"> : never;

/** Brings an input to the session, as the one who typed the command. */
export function submit({ host, session, by }: SlashPlace, body: Unacted<ActedBody>): Submitted {
  const whole: ActedBody = { ...body, by, authority: "act" };
  return host.submit(session, whole);
}

/** What was refused is told as it is; otherwise this. */
export function unlessRefused({ session }: SlashPlace, refusal: Refusal | null, result: SlashResult): SlashResult {
  return refusal === null ? result : wrong(inShellWords(session, refusedFor(session, refusal)));
}

/** The words of what was typed behind a command. */
export function wordsOf(given: string): readonly string[] {
  return given.split(/\s+/u).filter((word) => word !== "");
}

/** As an error shows it: what was typed may hold characters that a terminal obeys. */
export function quoted(text: string): string {
  return JSON.stringify(text);
}

/** A command that takes no argument says so when it gets one. */
export function bare(run: (place: SlashPlace) => SlashResult | Promise<SlashResult>): SlashCommand["run"] {
  return (given, place) => (given.trim() === "" ? run(place) : wrong(`expected no argument, found ${quoted(given)}`));
}
