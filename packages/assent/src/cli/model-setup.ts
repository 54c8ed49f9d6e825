import type { Flow } from "../core/index.ts";
import { badUrl, type CatalogueEntry, catalogue, type Environment, placeOf, serverPlaces } from "../providers/index.ts";
import { leftOpen, type ModelGiven, setUpKeys } from "../tools/index.ts";
import { messageOf } from "../wire/index.ts";
import { askServer, configureModel } from "./model.ts";
import { modelEnvironment, overriding, saveModel } from "./saved-model.ts";

/** What people call the providers that can be set up, and what those are called here. A question has seven options at most. */
const providers: Readonly<Record<string, string>> = {
  OpenAI: "openai-responses",
  Anthropic: "anthropic",
  Google: "google",
  "OpenAI-compatible server, such as vLLM": "openai-chat",
  Ollama: "ollama",
  "llama.cpp": "llama.cpp",
  "LM Studio": "lmstudio",
};

/** The questions by which a model is set up, on any surface (FLOW-5). */
export function modelFlow(): Flow {
  const step = { options: [], allow_free_text: true } as const;
  return {
    steps: [
      {
        ...step,
        key: setUpKeys.provider,
        question: "Which provider should it be?",
        options: labelled(Object.keys(providers)),
        allow_free_text: false,
      },
      {
        ...step,
        key: setUpKeys.key,
        question: `What is its API key, or ${leftOpen.key} where it needs none?`,
        sensitive: true,
      },
      {
        ...step,
        key: setUpKeys.model,
        question: "Which of its models should be used?",
        options: labelled([leftOpen.model]),
      },
      { ...step, key: setUpKeys.address, question: "At which address is it?", options: labelled([leftOpen.address]) },
    ],
  };
}

function labelled(labels: readonly string[]) {
  return labels.map((label, index) => ({ id: String(index + 1), label }));
}

type SetUp = { readonly name: string } | { readonly problem: string };

/** Checks what was filled in as it would be used, then saves it; nothing is saved that could not be used. */
export async function setUpModel(given: ModelGiven): Promise<SetUp> {
  const entry = catalogue.find(({ name }) => name === providers[given.provider]);
  if (entry === undefined) return { problem: `no provider is called ${JSON.stringify(given.provider)}` };
  const set = overriding(entry);
  if (set !== null) return { problem: `${set} is set in the environment, and counts before what is saved` };
  try {
    const named = await wholeSetUp(entry, given);
    if ("problem" in named) return named;
    const { key, address } = given;
    saveModel(entry, { name: named.name, key: entry.keys.length === 0 ? null : key, address });
    return named;
  } catch (error) {
    // What a name, a key or an address lacks is told by whoever reads it; so is a disk that is full.
    return { problem: messageOf(error) };
  }
}

async function wholeSetUp(entry: CatalogueEntry, { key, model, address }: ModelGiven): Promise<SetUp> {
  const [keyVariable] = entry.keys;
  const env = {
    ...modelEnvironment(),
    ...(keyVariable === undefined ? {} : { [keyVariable]: key ?? undefined }),
    [entry.baseVariable]: address ?? undefined,
  };
  const bare = model ?? entry.defaultModel ?? (await firstServed(entry, env));
  if (bare === null) return { problem: `expected the name of a model: which ones ${entry.name} has is not known here` };
  const prefix = `${entry.name}:`;
  const name = bare.startsWith(prefix) ? bare : `${prefix}${bare}`;
  const { target } = configureModel({ name, by: "the set-up" }, env);
  return { name: target.name };
}

/** What runs on this machine can be asked for its models. */
async function firstServed(entry: CatalogueEntry, env: Environment): Promise<string | null> {
  if (entry.host !== null) return null;
  const place = placeOf(entry, env);
  if (place.type === "bad-url") throw new Error(badUrl(place));
  const named = serverPlaces(env).find(({ name }) => name === entry.name);
  const server = named === undefined ? undefined : await askServer(named);
  return server?.type === "found" ? (server.models[0] ?? null) : null;
}
