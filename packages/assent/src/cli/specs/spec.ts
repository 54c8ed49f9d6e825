/** What can stand at a place of the command line: words that are always the same, or names of what is there. */
export type Completes =
  | "session"
  | "interaction"
  /** Of the newest session of this folder. */
  | "call"
  | "grant"
  /** What is set up, or can be. */
  | "service"
  /** What is set up. */
  | "integration"
  | "model"
  | "file"
  | "folder"
  | "command"
  | readonly string[];

export type OptionSpec = {
  /** What its value is called; an option without it takes none. */
  readonly value?: string;
  readonly does: string;
  readonly completes?: Completes;
};

export type ArgumentSpec = {
  /** As the usage shows it: `<needed>` or `[possible]`. */
  readonly name: string;
  readonly completes?: Completes;
  /** How many of it there may be; one unless said. */
  readonly most?: number;
};

/** What a command understands: read from here, and told from here by its help, the completion and the docs (CLI-1). */
export type CommandSpec = {
  readonly does: string;
  readonly options: Readonly<Record<string, OptionSpec>>;
  readonly arguments: readonly ArgumentSpec[];
  /** Commands of its own, by the word that follows its name. */
  readonly parts?: Readonly<Record<string, CommandSpec>>;
  /** Options that look like its own, and are commands. */
  readonly alsoKnown?: Readonly<Record<string, OptionSpec>>;
  /** Paragraphs; lines that begin with a space stay as they are. */
  readonly more?: readonly string[];
};

/** Of whatever lists something. */
export const jsonOption = { json: { does: "one object a line" } } as const;

/** Every command has it, and none reads it. */
export const helpOption = { help: { does: "tells what the command does (also -h)" } } as const;

/** A command by itself does nothing where one of its parts must be named. */
export function needsPart({ parts, options, arguments: expected }: CommandSpec): boolean {
  return parts !== undefined && Object.keys(options).length === 0 && expected.length === 0;
}

/** The arguments, as the usage shows them. */
export function shownArguments(spec: CommandSpec): string {
  if (needsPart(spec)) return "<what>";
  return spec.arguments.map(({ name, most = 1 }) => (most > 1 ? `${name}…` : name)).join(" ");
}
