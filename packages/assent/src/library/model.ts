import { contextOf, noTarget, openProvider, readModelName, scriptedProvider, targetOf } from "../providers/index.ts";
import { checkNames, type ModelQuestion, type Provider, systemClock } from "../runtime/index.ts";
import { describeGiven, type ScriptedReply } from "../wire/index.ts";

/** What is not as it usually is with a model. */
export type ModelOptions = {
  /** Where its key and its address are looked for, by their usual names: the variables of this process, unless given. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The most tokens of a reply. */
  readonly maxOutput?: number;
  /** How many tokens a request and its reply may have together, where that is not known of the model. */
  readonly context?: number;
  /** How long is waited at most, in milliseconds: for a connection, for the first event of a reply, and between two of them. */
  readonly connectMs?: number;
  readonly firstEventMs?: number;
  readonly idleMs?: number;
  /** How often a request is sent again that failed in passing. */
  readonly retries?: number;
  /**
   * Whether sessions that were sent to another address until now may be sent to this one. Unless given, only where this one is on
   * this machine: otherwise the exchange fails before anything is sent.
   */
  readonly named?: boolean;
};

const modelOptions: Readonly<Record<keyof ModelOptions, true>> = {
  ...{ env: true, maxOutput: true, context: true, named: true },
  ...{ connectMs: true, firstEventMs: true, idleMs: true, retries: true },
};

/**
 * A model by its name, `<provider>:<model>`, such as `anthropic:claude-sonnet-4-5` or `ollama:qwen3:8b`. A name that means nothing and
 * a key that is missing are errors, thrown here; what fails later is an answer of the provider.
 */
export function openModel(name: string, options: ModelOptions = {}): Provider {
  checkNames("openModel", options, Object.keys(modelOptions));
  const { env = process.env, maxOutput = null, context = null, named = false, ...settings } = options;
  const read = readModelName(name);
  if (read.type === "incomplete") throw new Error(`model: expected <provider>:<model>, found ${JSON.stringify(name)}`);
  if (read.type === "unknown-provider") {
    throw new Error(`model: expected a provider of ${read.known.join(", ")}, found ${JSON.stringify(read.provider)}`);
  }
  const { name: provider, format } = read.entry;
  const found = targetOf(read, env, maxOutput);
  if (found.type !== "found") throw new Error(noTarget(found, { name, by: "model", provider }));
  const { target, keyName } = found;
  const model = { target, keyName, format, context: contextOf(read, context), prices: null, settings };
  return openProvider(model, { clock: systemClock, named });
}

/** A script and who wants to see what it is asked. */
export type Script = {
  readonly replies: readonly ScriptedReply[];
  /** What the script is called when something is said of it. */
  readonly name?: string;
  readonly onQuestion?: (question: ModelQuestion) => void;
};

const scriptOptions: Readonly<Record<keyof Script, true>> = { replies: true, name: true, onQuestion: true };

/** A model that plays a script: its n-th reply answers a session's n-th request. For tests, demonstrations and examples. */
export function scriptedModel(given: Script): Provider {
  checkNames("scriptedModel", given, Object.keys(scriptOptions));
  const { name = "of this program", ...script } = given;
  const { replies } = script;
  if (!Array.isArray(replies)) {
    throw new TypeError(`scriptedModel: replies: expected a list of replies, found ${describeGiven(replies)}`);
  }
  return scriptedProvider({ ...script, name, clock: systemClock });
}
