import { lstatSync, readFileSync } from "node:fs";
import { type ClientFile, decodeClientFile } from "../wire/token.ts";
import { clientFile } from "./places.ts";

/** What the server of this person has written for their programs; `null` where there is none. */
export function readClientFile(): ClientFile | null {
  try {
    const read = decodeClientFile(readFileSync(clientFile(), "utf8"));
    return "reason" in read ? null : read;
  } catch {
    return null;
  }
}

/** The ports at which a server of this person listens now. */
export function servedPorts(): readonly string[] {
  // Asked before each call: mostly there is none.
  if (lstatSync(clientFile(), { throwIfNoEntry: false }) === undefined) return [];
  const read = readClientFile();
  if (read === null || read.socket !== undefined || !isAlive(read.pid)) return [];
  const { port, protocol } = new URL(read.url);
  return [port || (protocol === "https:" ? "443" : "80")];
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
