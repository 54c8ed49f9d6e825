import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { removeQuietly, writePrivate } from "../runtime/index.ts";
import { type ClientFile, decodeClientFile, encodeClientFile } from "../wire/token.ts";
import { clientFile, servingFolder } from "./places.ts";

/** What the server of this person has written for their programs; `null` where there is none. */
export function readClientFile(file: string = clientFile()): ClientFile | null {
  try {
    const read = decodeClientFile(readFileSync(file, "utf8"));
    return "reason" in read ? null : read;
  } catch {
    return null;
  }
}

/** Says where a server is: to this person's programs, and to the policy, which must know of all of them. What it returns ends that. */
export function tellServed(served: ClientFile, token: string): () => void {
  const own = join(servingFolder(), `${served.pid}.json`);
  writePrivate(own, encodeClientFile(served));
  writePrivate(clientFile(), encodeClientFile({ ...served, token }));
  return () => {
    removeQuietly(own);
    // Another that still runs is the one to speak to from now on.
    const [other] = living();
    if (other !== undefined) writePrivate(clientFile(), encodeClientFile({ ...other, token }));
  };
}

/** The servers of this person that run now. */
function living(): readonly ClientFile[] {
  const folder = servingFolder();
  // Asked before each call: mostly there is none.
  if (!existsSync(folder)) return [];
  const found = filesIn(folder).flatMap((name) => readClientFile(join(folder, name)) ?? []);
  return found.filter(({ pid }) => isAlive(pid));
}

/** The ports at which servers of this person listen now, and the paths of their sockets. */
export function servedPlaces(): readonly string[] {
  return living().map(({ url, socket }) => {
    const { port, protocol } = new URL(url);
    return socket ?? (port || (protocol === "https:" ? "443" : "80"));
  });
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch {
    return [];
  }
}

/** A number that another process has by now only makes the policy ask where it need not. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
