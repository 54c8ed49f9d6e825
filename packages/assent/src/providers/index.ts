export { type CatalogueEntry, catalogue, keyVariables, secretVariables } from "./catalogue.ts";
export type { LookedFor } from "./local.ts";
export {
  badUrl,
  type ConfiguredModel,
  contextOf,
  type Environment,
  findServers,
  firstModel,
  isLoopback,
  keyIn,
  type NamedModel,
  noTarget,
  openProvider,
  placeOf,
  readModelName,
  serverPlaces,
  targetOf,
  usualSettings,
} from "./models.ts";
export { scriptedProvider } from "./scripted.ts";
