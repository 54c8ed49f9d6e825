export { type CatalogueEntry, catalogue, keyVariables, secretVariables } from "./catalogue.ts";
export type { LookedFor, ServerPlace } from "./local.ts";
export {
  badUrl,
  type ConfiguredModel,
  contextOf,
  type Environment,
  findServers,
  firstModel,
  isLoopback,
  isSound,
  keyIn,
  type NamedModel,
  namedPlace,
  namedVariables,
  noTarget,
  openProvider,
  placeOf,
  readModelName,
  servedAt,
  serverPlaces,
  targetOf,
  unsoundKey,
  usualSettings,
} from "./models.ts";
export { scriptedProvider } from "./scripted.ts";
