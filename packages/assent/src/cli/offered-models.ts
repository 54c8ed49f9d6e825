import { catalogue, keyIn } from "../providers/index.ts";
import { lookForServers, writtenModels } from "./model.ts";
import { modelEnvironment, savedModel } from "./saved-model.ts";

/** What can be seen without asking anybody but the servers of this machine: nothing here is a promise. */
export async function offeredModels(): Promise<readonly string[]> {
  const env = modelEnvironment();
  const keyed = catalogue.flatMap(({ name, short, keys, defaultModel }) =>
    defaultModel !== null && keys.some((key) => keyIn(env, key) !== null) ? [`${short ?? name}:${defaultModel}`] : [],
  );
  const served = (await lookForServers()).flatMap((server) =>
    server.type === "found" ? server.models.map((model) => `${server.name}:${model}`) : [],
  );
  const saved = savedModel();
  return [...new Set([...(saved === null ? [] : [saved]), ...writtenModels().keys(), ...keyed, ...served])];
}
