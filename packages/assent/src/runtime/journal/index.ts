export { type MemoryStore, memoryStore, openMemoryJournal } from "./memory.ts";
export { openSqliteJournal } from "./sqlite.ts";
