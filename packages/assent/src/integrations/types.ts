import type { Flow, Json } from "../core/index.ts";
import type { FormEnd } from "../runtime/ports.ts";

export type { FormAnswer, FormEnd } from "../runtime/ports.ts";

/** A service that can be connected, as data: no code knows one by its name (INTG-1). */
export type CatalogueEntry = {
  /** As it is typed: lower case letters, digits and dashes. */
  readonly name: string;
  readonly title: string;
  readonly aliases: readonly string[];
  /** In one line. */
  readonly about: string;
  /** At most seven: each is a step of the set-up. */
  readonly fields: readonly Field[];
  readonly verify: VerifyRequest | null;
  readonly tools: ToolSource;
  /** What is set up gets a name of its own, asked for first, so that there can be several. */
  readonly named: boolean;
};

export type Field = {
  readonly key: string;
  /** What is asked, such as "What is its API token?". */
  readonly question: string;
  readonly secret: boolean;
  /** What a value must match as a whole, a regular expression, and that in words. */
  readonly pattern?: string;
  readonly expected?: string;
  /** Where a person finds it. */
  readonly find?: string;
  /** Taken where nothing else is chosen. */
  readonly usual?: string;
  /** It may be left out. */
  readonly optional?: true;
};

/** A text in which `{key}` stands for the value of that field; `{{` and `}}` for the braces themselves. */
export type Template = string;

/** The request by which it is seen whether what was set up works (INTG-3). */
export type VerifyRequest = {
  readonly method: "GET" | "POST";
  readonly url: Template;
  readonly headers: Readonly<Record<string, Template>>;
  readonly body?: Template;
  readonly expect: { readonly status: readonly number[]; readonly contains?: string };
};

/** How its tools come. */
export type ToolSource =
  | { readonly type: "none" }
  | {
      readonly type: "mcp-command";
      readonly command: readonly Template[];
      readonly env: Readonly<Record<string, Template>>;
    }
  | { readonly type: "mcp-url"; readonly url: Template; readonly headers: Readonly<Record<string, Template>> }
  /** A field says it: a URL, or else a command of words as a shell would split them; `token` names a field, too. */
  | { readonly type: "mcp-given"; readonly address: string; readonly token: string }
  | {
      readonly type: "http";
      readonly headers: Readonly<Record<string, Template>>;
      readonly tools: readonly HttpTool[];
    };

/** Looks something up by a GET request. `{field}` and `{parameter}` in the path and query; the host takes fields only. */
export type HttpTool = {
  readonly name: string;
  readonly description: string;
  readonly url: Template;
  readonly parameters: Readonly<Record<string, { readonly description: string; readonly optional?: true }>>;
};

/** What a person has set up. The values of secrets are kept elsewhere. */
export type Configured = {
  readonly name: string;
  /** The entry of the catalogue. */
  readonly service: string;
  readonly fields: Readonly<Record<string, string>>;
  /** The keys of the fields that have a secret. */
  readonly secrets: readonly string[];
  /** Where a command that a person typed is started: the folder they were in. */
  readonly folder?: string;
  /** When, as ISO time. */
  readonly since: string;
  readonly checked: Checked | null;
  /** What a person accepted of its MCP server; `null` where it has none, or nothing was accepted yet. */
  readonly accepted: Accepted | null;
};

/** How a verification ended, with one line that says more (INTG-3). */
export type Checked = {
  readonly status: "passed" | "missing" | "failed";
  readonly detail: string;
  readonly at: string;
};

/** The definitions of an MCP server as a person saw and accepted them (INTG-5). */
export type Accepted = {
  /** Whether it is used: `/mcp disconnect` turns it off and keeps the rest. */
  readonly connected: boolean;
  readonly tools: readonly AcceptedTool[];
  readonly prompts: readonly OfferedPrompt[];
  readonly resources: boolean;
  /** Whether the server may have the person's model answer, each time when they say so. */
  readonly sampling: boolean;
};

export type AcceptedTool = OfferedDefinition & {
  /** A person says that it changes nothing: it runs without being asked about. */
  readonly safe: boolean;
};

/** A tool as its server tells of it: cleaned of hidden characters and cut to size, as models and people see it. */
export type OfferedDefinition = {
  /** As the server calls it. */
  readonly name: string;
  /** As a model calls it: `<server>__<tool>`, unique, of letters, digits, `_` and `-`, at most 64. */
  readonly offered: string;
  readonly description: string;
  /** A JSON Schema of its arguments. */
  readonly parameters: Json;
  /** What the server says of it, such as "only reads": hints, which decide nothing. */
  readonly claims: readonly string[];
  /** Of all that the server said of it, before it was cleaned and cut. */
  readonly digest: string;
};

export type OfferedPrompt = {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
};

/** A server as it is started or reached: with its secrets, so never shown or kept. */
export type ServerAddress =
  | {
      readonly type: "command";
      readonly command: readonly [string, ...string[]];
      readonly env: Readonly<Record<string, string>>;
      /** Where it is started, if not in the person's home. */
      readonly cwd?: string;
    }
  | { readonly type: "url"; readonly url: string; readonly headers: Readonly<Record<string, string>> };

export type McpServer = { readonly name: string; readonly address: ServerAddress; readonly sampling: boolean };

/** What a server offers now. What was left out, and why, is in `problems`, a line each. */
export type Offers = {
  readonly title: string;
  readonly version: string;
  /** The revision of the protocol that both speak. */
  readonly protocol: string;
  readonly tools: readonly OfferedDefinition[];
  readonly prompts: readonly OfferedPrompt[];
  readonly resources: readonly { readonly uri: string; readonly name: string; readonly description: string }[];
  readonly problems: readonly string[];
};

/** One line that names the server and says what happened; never a stack. */
export type Failed = { readonly failed: string };

export function failed(reason: string): Failed {
  return { failed: reason };
}

/** What a call of a server needs while it runs. */
export type McpWatch = {
  readonly session: string;
  readonly signal: AbortSignal;
  /** A line of progress. */
  readonly onProgress: (line: string) => void;
  /** Puts questions to a person; one form at a time. */
  readonly ask: (flow: Flow, takenBack?: AbortSignal) => Promise<FormEnd>;
};

export type McpCalled = { readonly text: string; readonly isError: boolean };

/** The connections of this process to outside servers. Every one of them may be hostile: none throws, none grows. */
export type McpServers = {
  /** Connects where that is not so yet, and tells what the server offers now. */
  open(server: McpServer, watch: McpWatch): Promise<Offers | Failed>;
  /** What an open connection offers, as last heard; `null` where none is open. */
  offers(name: string): Offers | null;
  call(
    server: McpServer,
    /** With the digest of what was accepted, a tool that its server describes otherwise by now is not called. */
    call: { readonly tool: string; readonly arguments: Json; readonly digest?: string },
    watch: McpWatch,
  ): Promise<McpCalled | Failed>;
  read(server: McpServer, uri: string, watch: McpWatch): Promise<McpCalled | Failed>;
  prompt(
    server: McpServer,
    prompt: { readonly name: string; readonly arguments: Readonly<Record<string, string>> },
    watch: McpWatch,
  ): Promise<McpCalled | Failed>;
  /** In words: "not connected", "connected", "stopped; tried again in 8 s". */
  state(name: string): string;
  close(name: string): Promise<void>;
  /** This session needs its servers no more; those that no other session uses are closed. */
  leave(session: string): Promise<void>;
  closeAll(): Promise<void>;
};

/** What the person's model says to a server that may have it answer; `null` where there is no model. */
export type Sample = (asked: {
  readonly system: string;
  readonly text: string;
  readonly signal: AbortSignal;
}) => Promise<string | Failed>;
