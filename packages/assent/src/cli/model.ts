import { lstatSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  type ConfiguredModel,
  catalogue,
  contextOf,
  type Environment,
  findServers,
  firstModel,
  keyIn,
  keyVariables,
  type LookedFor,
  type NamedModel,
  namedVariables,
  noTarget,
  placeOf,
  readModelName,
  type ServerPlace,
  servedAt,
  serverPlaces,
  targetOf,
} from "../providers/index.ts";
import { readModels, type WrittenModel } from "../wire/index.ts";
import { readPlain } from "./files.ts";
import { suggestion, UsageError } from "./flags.ts";
import { assentHome } from "./places.ts";
import { modelEnvironment, savedModel } from "./saved-model.ts";

/** Nobody has named a model, and none was found. */
export class NoModelError extends UsageError {}

/** A model's name and what decided for it. */
export type ChosenModel = {
  readonly name: string;
  /** The thing that named it, as an error would. */
  readonly by: string;
  /** Nobody has named it. */
  readonly found: boolean;
};

/** How long a start waits for the servers of this machine, all together. */
const discoveryMs = 150;
const namedMs = 2_000;
/** To ask more often costs minutes, and helps nobody. */
const mostRetries = 10;
/** What a timer can wait at most. */
const mostMs = 2_147_483_647;

/** A server on this machine that a person has named by a variable, and what it has said. */
export type NamedServer = { readonly variable: string; readonly host: string; readonly server: LookedFor };

/** What was found out of the servers of this machine. */
export type Looked = {
  /** Those that are where they usually are. */
  readonly servers: () => Promise<readonly LookedFor[]>;
  readonly named: readonly NamedServer[];
};

/** Which model is meant: the one that is named, or what the keys and servers that are there make likely (CLI-5). */
export async function chooseModel(
  flag: string | undefined,
  remembered: string | null,
  { servers, named }: Looked = { servers: lookForServers, named: [] },
): Promise<ChosenModel> {
  if (flag !== undefined) return { name: flag, by: "--model", found: false };
  if (remembered !== null) return { name: remembered, by: "the session's model", found: false };
  const set = process.env["ASSENT_MODEL"];
  if (set) return { name: set, by: "ASSENT_MODEL", found: false };
  const saved = savedModel();
  if (saved !== null) return { name: saved, by: "the model that was set up", found: false };
  return modelOfKeys(named) ?? modelOfServers(await servers(), named);
}

/** The servers of this machine, looked for all at once. */
export function lookForServers(): Promise<readonly LookedFor[]> {
  return findServers(serverPlaces(modelEnvironment()), lookingMs());
}

/** How long they are looked for: it stands in the way of a start. */
function lookingMs(): number {
  return readNumber("ASSENT_MODEL_DISCOVERY_MS") ?? discoveryMs;
}

/** One that somebody has named: no start waits for it, and so it may take its time. */
export async function askServer(place: ServerPlace): Promise<LookedFor | undefined> {
  return (await findServers([place], Math.max(lookingMs(), namedMs)))[0];
}

/** What can be done about a server that is there and slow. */
export const moreTime = "ASSENT_MODEL_DISCOVERY_MS gives it more time";

function modelOfKeys(named: Looked["named"]): ChosenModel | null {
  const env = modelEnvironment();
  for (const entry of catalogue) {
    const key = entry.keys.find((name) => keyIn(env, name) !== null);
    if (key === undefined || entry.defaultModel === null) continue;
    const place = placeOf(entry, env);
    // Whatever serves there has models of its own, and a key must not be tried out on it.
    if (place.type === "place" && place.url.hostname !== entry.host) {
      const { host } = place.url;
      const known = named.find(({ variable }) => variable === entry.baseVariable);
      throw new UsageError(withoutModel(known ?? { variable: entry.baseVariable, host }));
    }
    return { name: `${entry.name}:${entry.defaultModel}`, by: `${key} is set`, found: true };
  }
  return null;
}

/** A person has named a server and no model of it: how one is chosen, by its own name where that is known. */
function withoutModel({ variable, host, server }: Omit<NamedServer, "server"> & Partial<NamedServer>): string {
  const known = server?.type === "found" && server.models.length > 0 ? server : null;
  const name = (known && firstModel([known])) ?? `${servedAt(variable)}:<model>`;
  const has = known === null ? "whose models are not known here" : `which has ${countedModels(known.models)}`;
  return `no model is set, and ${variable} names ${host}, ${has}; name one with --model ${name} or ASSENT_MODEL`;
}

/** How many there are, and the first of them. */
export function countedModels(models: readonly string[]): string {
  const more = models.length > 3 ? ", …" : "";
  return `${models.length} ${models.length === 1 ? "model" : "models"}: ${models.slice(0, 3).join(", ")}${more}`;
}

function modelOfServers(servers: readonly LookedFor[], named: Looked["named"]): ChosenModel {
  const name = firstModel(servers);
  const server = servers.find((each) => name?.startsWith(`${each.name}:`));
  if (name !== null && server !== undefined) return { name, by: `found at ${server.baseUrl}`, found: true };
  const asked = named.find((each) => each.server.type === "found" && each.server.models.length > 0);
  throw new NoModelError(asked === undefined ? nothingFound(servers) : withoutModel(asked));
}

/** All that was looked for. An address alone names no model; without a word of it, it would look as if it had not been seen. */
function nothingFound(servers: readonly LookedFor[]): string {
  const looked = servers.map((each) => each.name).join(", ");
  const slow = servers.filter((each) => each.type === "missing" && each.why === "time-out").map((each) => each.name);
  // With no time at all nobody was asked.
  const told =
    slow.length === 0 || lookingMs() === 0 ? "" : `${slow.join(", ")} did not answer within ${lookingMs()} ms: `;
  const [variable] = namedVariables(modelEnvironment());
  const address =
    variable === undefined ? "" : `, and ${variable} names none (--model ${servedAt(variable)}:<model> goes there)`;
  return (
    `no model is set${address}: name one with --model or ASSENT_MODEL, such as openai:<model>, ollama:<model> or scripted:<file>; ` +
    `looked for a key in ${keyVariables.join(", ")} and for models of ${looked} on this machine; ` +
    `${told === "" ? "" : `${told}${moreTime}; `}` +
    "assent doctor tells more, assent demo needs none"
  );
}

/** A model's name made whole, so that it means the same from any folder; what cannot be used is told here. */
export function wholeName({ name, by }: Pick<ChosenModel, "name" | "by">): string {
  const script = scriptOf(name);
  return script === null ? configureModel({ name, by }).target.name : `scripted:${resolve(script)}`;
}

/** The file of a scripted model; `null` for any other. */
export function scriptOf(name: string): string | null {
  const script = name.startsWith("scripted:") ? name.slice("scripted:".length) : "";
  return script === "" ? null : script;
}

/** All that is known of a model: where it is, its key, its window, its prices. */
export function configureModel(
  { name, by }: Pick<ChosenModel, "name" | "by">,
  env: Environment = modelEnvironment(),
): ConfiguredModel {
  const named = checkedName({ name, by });
  const written = writtenModels().get(`${named.entry.name}:${named.model}`) ?? {};
  const settings = modelSettings();
  const maxOutput = readNumber("ASSENT_MODEL_MAX_OUTPUT") || (written.max_output ?? null);
  const found = targetOf(named, env, maxOutput);
  if (found.type !== "found") throw new UsageError(noTarget(found, { name, by, provider: named.entry.name }));
  const { target, keyName } = found;
  const context = contextOf(named, readNumber("ASSENT_MODEL_CONTEXT") || (written.context ?? null));
  return { target, keyName, format: named.entry.format, context, prices: written.prices ?? null, settings };
}

/** Whether what the model does is counted in money; a script says so itself. */
export function pricesKnown(name: string): boolean {
  return scriptOf(name) !== null || configureModel({ name, by: "model" }).prices !== null;
}

function checkedName({ name, by }: Pick<ChosenModel, "name" | "by">): Extract<NamedModel, { type: "named" }> {
  const read = name === "scripted:" ? ({ type: "incomplete" } as const) : readModelName(name);
  switch (read.type) {
    case "named":
      return read;
    case "unknown-provider": {
      const known = [...read.known, "scripted"];
      const found = `${JSON.stringify(read.provider)} in ${JSON.stringify(name)}`;
      throw new UsageError(
        `${by}: expected a provider of ${known.join(", ")}, found ${found}${suggestion(read.provider, known)}`,
      );
    }
    case "incomplete": {
      const expected = "<provider>:<model>, such as openai:gpt-5, ollama:qwen3:8b or scripted:<file>";
      throw new UsageError(`${by}: expected ${expected}, found ${JSON.stringify(name)}${likely(name)}`);
    }
    default:
      return read satisfies never;
  }
}

/** Whose model that is, when its name says so. */
function likely(name: string): string {
  const vendors: readonly (readonly [RegExp, string])[] = [
    [/^(?:gpt-|o\d)/, "openai"],
    [/^claude-/, "anthropic"],
    [/^gemini-/, "google"],
  ];
  const vendor = vendors.find(([beginning]) => beginning.test(name))?.[1];
  return vendor === undefined ? "" : `; did you mean ${vendor}:${name}?`;
}

const timeouts = {
  ASSENT_MODEL_CONNECT_TIMEOUT_MS: "connectMs",
  ASSENT_MODEL_FIRST_EVENT_TIMEOUT_MS: "firstEventMs",
  ASSENT_MODEL_IDLE_TIMEOUT_MS: "idleMs",
} as const;

/** What the environment says about waiting and trying again; a time of 0 is as long as it takes. */
export function modelSettings(): ConfiguredModel["settings"] {
  const times = Object.entries(timeouts).flatMap(([variable, setting]) => {
    const value = readNumber(variable);
    return value === null ? [] : [[setting, value === 0 ? mostMs : value] as const];
  });
  const retries = readNumber("ASSENT_MODEL_RETRIES", mostRetries);
  // Whoever names a model needs none of it; but it is wrong all the same.
  lookingMs();
  return { ...Object.fromEntries(times), ...(retries === null ? {} : { retries }) };
}

function readNumber(variable: string, most = mostMs): number | null {
  const given = process.env[variable];
  if (!given) return null;
  const value = /^\d{1,10}$/.test(given) ? Number(given) : -1;
  if (value >= 0 && value <= most) return value;
  const expected = `a whole number from 0 to ${most}`;
  throw new UsageError(`${variable}: expected ${expected}, found ${JSON.stringify(given)}`);
}

/** Where a person says what is known of their models. */
export function modelsFile(): string {
  return join(assentHome(), "models.json");
}

/** What that file says, by whole name; nothing when it is not there. */
export function writtenModels(): ReadonlyMap<string, WrittenModel> {
  const file = modelsFile();
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return new Map();
  const read = readPlain(file);
  if ("problem" in read) throw new UsageError(`cannot read ${file}: ${read.problem}`);
  const written = readModels(read.text);
  if (written.type === "broken") throw new UsageError(`${file}: ${written.reason}`);
  const models = new Map<string, WrittenModel>();
  for (const [name, model] of Object.entries(written.models)) {
    const { entry, model: bare } = checkedName({ name, by: file });
    const whole = `${entry.name}:${bare}`;
    if (models.has(whole)) throw new UsageError(`${file}: ${JSON.stringify(name)} is there twice`);
    models.set(whole, model);
  }
  return models;
}
