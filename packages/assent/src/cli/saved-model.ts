import { join } from "node:path";
import { type CatalogueEntry, catalogue, type Environment, keyIn, readModelName } from "../providers/index.ts";
import { openSecrets } from "../runtime/index.ts";
import { assentHome } from "./places.ts";

/** Under which the model is saved that was set up, beside its key and address. */
const modelVariable = "ASSENT_MODEL";

/** What was set up in the shell: each as the variable that would say the same, in a file of its owner's alone. */
function openSaved() {
  return openSecrets(join(assentHome(), "model"));
}

/** The environment as models are looked for in it: with what was saved, where it does not say otherwise itself. */
export function modelEnvironment(): Environment {
  const store = openSaved();
  const names = store.names("", 0);
  if (names.length === 0) return process.env;
  const counting = catalogue
    .filter((entry) => overriding(entry) === null)
    .flatMap(({ keys, baseVariable }) => [...keys, baseVariable]);
  const saved = names.filter((name) => counting.includes(name)).map((name) => [name, store.read(name) ?? undefined]);
  return { ...process.env, ...Object.fromEntries(saved) };
}

/** The model that was set up; `null` when none was, or when the environment has another key or address for it. */
export function savedModel(): string | null {
  const name = openSaved().read(modelVariable);
  const named = name === null ? null : readModelName(name);
  return named?.type === "named" && overriding(named.entry) === null ? name : null;
}

/**
 * The variable that is set for a provider. Then nothing that was saved for it counts: a key goes only where the person who
 * gave it said.
 */
export function overriding({ keys, baseVariable }: CatalogueEntry): string | null {
  return [...keys, baseVariable].find((name) => keyIn(process.env, name) !== null) ?? null;
}

/** Saves a model with its key and address; what it has none of is forgotten. */
export function saveModel({ keys, baseVariable }: CatalogueEntry, saved: SavedModel): void {
  const store = openSaved();
  const [keyVariable] = keys;
  const values: readonly (readonly [name: string | undefined, value: string | null])[] = [
    ...keys.slice(1).map((name) => [name, null] as const),
    [keyVariable, saved.key],
    [baseVariable, saved.address],
    [modelVariable, saved.name],
  ];
  for (const [name, value] of values) {
    if (name === undefined) continue;
    if (value === null) store.remove(name);
    else store.put({ name, value });
  }
}

export type SavedModel = { readonly name: string; readonly key: string | null; readonly address: string | null };
