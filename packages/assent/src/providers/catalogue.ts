import type { Format } from "./format.ts";

/** The formats: a new one is a file and its line here. Each is loaded with the first request in it. */
export const formats = {
  "openai-chat": async (): Promise<Format> => (await import("./openai-chat.ts")).openaiChat,
  "openai-responses": async (): Promise<Format> => (await import("./openai-responses.ts")).openaiResponses,
  anthropic: async (): Promise<Format> => (await import("./anthropic.ts")).anthropic,
};

/** Which of the formats a provider speaks. */
export type FormatName = keyof typeof formats;

/** A provider as data: how it is named, where it is and what it is told by. */
export type CatalogueEntry = {
  readonly name: string;
  /** Another name for the same. */
  readonly short?: string;
  readonly format: FormatName;
  /** The variables that may hold its key; the first that is set counts. None: it takes no key. */
  readonly keys: readonly string[];
  /** The variable that names another place. */
  readonly baseVariable: string;
  readonly baseUrl: string;
  /** The vendor's own host; `null` for what runs on this machine. */
  readonly host: string | null;
  /** Taken when only a key is there; ASSENT_MODEL names another. */
  readonly defaultModel: string | null;
};

/** In the order in which they are looked for when no model is named. */
export const catalogue: readonly CatalogueEntry[] = [
  {
    name: "openai-responses",
    short: "openai",
    format: "openai-responses",
    keys: ["OPENAI_API_KEY"],
    baseVariable: "OPENAI_BASE_URL",
    baseUrl: "https://api.openai.com/v1",
    host: "api.openai.com",
    defaultModel: "gpt-5",
  },
  {
    name: "openai-chat",
    format: "openai-chat",
    keys: ["OPENAI_API_KEY"],
    baseVariable: "OPENAI_BASE_URL",
    baseUrl: "https://api.openai.com/v1",
    host: "api.openai.com",
    defaultModel: null,
  },
  {
    name: "anthropic",
    format: "anthropic",
    keys: ["ANTHROPIC_API_KEY"],
    baseVariable: "ANTHROPIC_BASE_URL",
    baseUrl: "https://api.anthropic.com",
    host: "api.anthropic.com",
    defaultModel: "claude-sonnet-4-5",
  },
  {
    name: "google",
    format: "openai-chat",
    keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    baseVariable: "GEMINI_BASE_URL",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    host: "generativelanguage.googleapis.com",
    defaultModel: "gemini-2.5-pro",
  },
  local("ollama", "OLLAMA_HOST", 11434),
  local("llama.cpp", "LLAMA_CPP_BASE_URL", 8080),
  local("lmstudio", "LMSTUDIO_BASE_URL", 1234),
  local("vllm", "VLLM_BASE_URL", 8000),
];

/** All variables that may hold a key: each once. */
export const keyVariables: readonly string[] = [...new Set(catalogue.flatMap(({ keys }) => keys))];

/** Among these names of variables those that hold the keys Assent works with: commands run without them (TERM-7). */
export function secretVariables(names: readonly string[]): readonly string[] {
  return [...names.filter((name) => /^ASSENT_.*(?:KEY|TOKEN|SECRET|PASSWORD)/.test(name)), ...keyVariables];
}

/** Speaks as OpenAI's servers do, at the port that it takes unless told otherwise. */
function local(name: string, baseVariable: string, port: number): CatalogueEntry {
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  return { name, format: "openai-chat", keys: [], baseVariable, baseUrl, host: null, defaultModel: null };
}
