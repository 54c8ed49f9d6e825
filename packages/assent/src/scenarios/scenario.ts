import type { EventType, Flow, Limits, SoftOffers, ToolResult, Unattended } from "../core/index.ts";
import type { JudgedLine, ScriptedReply } from "../wire/index.ts";

/**
 * A whole exchange, or several, as a person and a model have it: what is typed, what the model replies, which commands
 * run and all that is shown, in one order. The file is the expectation itself; nothing ever rewrites it (SCEN-1).
 *
 *     # title, on the first line; later lines with # are comments
 *     > text            a person types it, as in the shell: a reply if a question is open, else a prompt; /name and !command
 *                       are commands; > alone is an empty line
 *     >| text           a further line of what is typed
 *     > ^C              the key Ctrl-C: ends the exchange and what runs
 *     >> text           typed while the model is asked, or the command executes, that stands before it
 *     model {"text":…}  the model is asked here, and replies this: a line of a script file, which may also say that it
 *                       failed, or that the history does not fit
 *     judged {…}        the policy's word on the next call, in the place of what it would say
 *     executes command  the command runs here; of another tool its name and arguments stand there
 *     result {…}        what the command or tool before it gives; without it, a text that says that it ran
 *     later 60          so many seconds pass in which nobody types
 *     resume            the exchange in which the model failed, or that outgrew it, is gone on with
 *     flow {"steps":…}  the questions of a file are asked, without a model
 *     session           another session begins, with a script of its own: the model lines after it
 *     \text             a line of output that would otherwise be one of these
 *     anything else     a line of output, exactly
 *
 * Before the first thing that is typed in a session may stand what it is made with:
 *
 *     limits turns=2    its limits, by their names; window=8000 is how many tokens the model takes
 *     offers warn       what becomes of a text that asks in prose: regenerate, warn or off
 *     expires 60        for how many seconds a question stays open
 *     unattended deny   what becomes of a question, for nobody is there: deny, park or abort
 *     folder /work      where it works
 *     commands real     commands really run, in a folder that is made for it and removed
 *
 * After the output of what was typed may stand what is asked of the journal and of the model's requests:
 *
 *     events a b        the events since then, all of them, in order; none, where there were none
 *     events not a b    none of these is among them
 *     requests 2        so many requests were made in this session so far
 *     told text         the newest request ends with exactly this text, its line ends as \\n
 *     knows text        the newest request says this somewhere
 *     untold text       no request of this session says this anywhere
 *     again 2           the last two requests say the same as the one before them
 */
export type Scenario = {
  readonly title: string;
  /** Every line but the comments: what must come. */
  readonly expected: readonly string[];
  readonly parts: readonly Part[];
};

/** What begins with a line that a person types, or with a new session. */
export type Part = SessionPart | MovePart;

export type SessionPart = {
  readonly type: "session";
  /** As they stand in the file. */
  readonly lines: readonly string[];
  readonly settings: Settings;
  readonly script: readonly ModelLine[];
  readonly commands: readonly CommandLine[];
};

export type MovePart = Move & {
  readonly lines: readonly string[];
  readonly checks: readonly Check[];
  readonly judged: readonly JudgedForm[];
  /** What executes until the next part. */
  readonly executes: readonly string[];
  /** What is typed meanwhile, by what is under way then. */
  readonly meanwhile: readonly (Meanwhile & { readonly during: "model" | "command" })[];
};

export type Move =
  | { readonly type: "typed"; readonly text: string }
  | { readonly type: "later"; readonly seconds: number }
  | { readonly type: "flow"; readonly flow: Flow; readonly given: string }
  | { readonly type: "resume" };

export type Settings = {
  readonly limits: Partial<Limits>;
  readonly window: number | null;
  readonly softOffers: SoftOffers;
  readonly expiryMs: number | null;
  readonly unattended: Unattended | null;
  readonly folder: string;
  readonly real: boolean;
};

export const plainSettings: Settings = {
  limits: {},
  window: null,
  softOffers: "regenerate",
  expiryMs: null,
  unattended: null,
  folder: "/work",
  real: false,
};

/** A reply, the line as it stands in the file, and what is typed before it comes. */
export type ModelLine = {
  readonly line: string;
  readonly reply: ScriptedReply;
  readonly judged: readonly JudgedForm[];
  readonly meanwhile: readonly Meanwhile[];
};

export type CommandLine = {
  readonly command: string;
  readonly meanwhile: readonly Meanwhile[];
  readonly result: { readonly line: string; readonly result: ToolResult } | null;
};

export type JudgedForm = { readonly line: string; readonly judged: JudgedLine };
export type Meanwhile = { readonly lines: readonly string[]; readonly text: string };

export type Check =
  | { readonly type: "events" | "no-events"; readonly events: readonly EventType[] }
  | { readonly type: "requests" | "again"; readonly count: number }
  | { readonly type: "told" | "knows" | "untold"; readonly text: string };

/** The key that ends what runs, as it is written. It is no text, whoever reads lines. */
export const interruptKey = "^C";

const checks = ["events", "requests", "told", "knows", "untold", "again"] as const;
export type CheckWord = (typeof checks)[number];

/** What stands after `events` where there were none. */
export const noEvents = "none";

const forms = [">", ">|", ">>", "model", "judged", "executes", "result", "later", "resume", "flow", "session"] as const;
export type FormWord = (typeof forms)[number];
/** What a person does: each begins a part. */
export type MoveWord = Extract<FormWord, ">" | "later" | "resume" | "flow">;

const heads = ["limits", "offers", "expires", "unattended", "folder", "commands"] as const;
export type HeadWord = (typeof heads)[number];

export type Split = { readonly word: string; readonly rest: string };

export function splitLine(line: string): Split {
  const space = line.indexOf(" ");
  return space < 0 ? { word: line, rest: "" } : { word: line.slice(0, space), rest: line.slice(space + 1) };
}

export function isComment(line: string): boolean {
  return line === "#" || line.startsWith("# ");
}

export function checkWord(word: string): CheckWord | null {
  return checks.find((each) => each === word) ?? null;
}

/** `resume` and `session` are whole lines; the others have more after them. */
export function formWord({ word, rest }: Split): FormWord | null {
  const form = forms.find((each) => each === word) ?? null;
  return (form === "resume" || form === "session") && rest !== "" ? null : form;
}

export function moveWord(form: FormWord | null): MoveWord | null {
  return form === ">" || form === "later" || form === "resume" || form === "flow" ? form : null;
}

export function headWord(word: string): HeadWord | null {
  return heads.find((each) => each === word) ?? null;
}

/** A line of output as it stands in a file. */
export function outputLine(line: string): string {
  const split = splitLine(line);
  const taken = isComment(line) || line.startsWith("\\") || line.startsWith(">");
  return taken || formWord(split) !== null || checkWord(split.word) !== null ? `\\${line}` : line;
}
