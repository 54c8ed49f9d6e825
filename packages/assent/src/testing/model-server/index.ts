export { type ReadServerScript, readServerScript } from "./read-script.ts";
export type { RecordedRequest } from "./record.ts";
export type {
  Fault,
  FormatName,
  Malformed,
  ScriptEntry,
  ScriptedCall,
  ScriptedError,
  ScriptedUsage,
  Stray,
} from "./script.ts";
export { type ModelServer, type ModelServerOptions, openModelServer } from "./server.ts";
