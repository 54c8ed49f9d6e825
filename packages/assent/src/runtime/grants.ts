import { readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Grant } from "../core/index.ts";
import { codeOf, type DecodedGrant, decodeGrant, encodeGrant, messageOf } from "../wire/index.ts";
import { removeQuietly, syncFolder, writePrivate } from "./durable-file.ts";
import { type Grants, GrantsError } from "./ports.ts";

const ending = ".json";

/**
 * One file a grant, that people can read: so processes need not wait for each other, and one that is damaged takes no other
 * with it. Beside them, one file for each use of a grant that has a number of them.
 */
export function openGrants(folder: string): Grants {
  return new GrantFiles(resolve(folder));
}

class GrantFiles implements Grants {
  readonly #folder: string;
  readonly places: readonly string[];

  constructor(folder: string) {
    this.#folder = folder;
    this.places = [folder];
  }

  list(call?: string): readonly Grant[] {
    return this.#read()
      .found.flatMap(({ read }) => (read.type === "grant" ? [this.#left(read.grant, call)] : []))
      .sort((one, other) => one.created - other.created || (one.id < other.id ? -1 : 1));
  }

  damage(): readonly string[] {
    const { found, problem } = this.#read();
    const damaged = found.flatMap(({ file, read }) => (read.type === "unreadable" ? [`${file}: ${read.reason}`] : []));
    return problem === null ? damaged : [problem];
  }

  put(grant: Grant): void {
    this.#changing(() => {
      const file = this.#fileOf(grant.id);
      const fresh = `${file}.${process.pid}.new`;
      try {
        writePrivate(fresh, encodeGrant(grant));
        renameSync(fresh, file);
        syncFolder(this.#folder);
        syncFolder(dirname(this.#folder));
      } catch (error) {
        // What is told not to be saved must not be found there later.
        for (const left of [fresh, file]) removeQuietly(left);
        throw error;
      }
    });
  }

  remove(id: string): boolean {
    if (textOf(this.#fileOf(id)) === null) return false;
    this.#changing(() => {
      // In this order: a grant without its uses would count for more than it was given for.
      rmSync(this.#fileOf(id), { force: true });
      syncFolder(this.#folder);
    });
    removeQuietly(this.#usesOf(id));
    return true;
  }

  use(id: string, call: string): boolean {
    const read = this.#decode(id);
    if (read.type !== "grant") return false;
    const { uses = Number.POSITIVE_INFINITY } = read.grant;
    const folder = this.#usesOf(id);
    try {
      const taken = namesIn(folder);
      if (taken.some((name) => textOf(join(folder, name)) === call)) return true;
      for (let next = taken.length + 1; next <= uses; next++) if (take(join(folder, String(next)), call)) return true;
    } catch {
      // A use that cannot be counted is none.
    }
    return false;
  }

  #left(grant: Grant, call: string | undefined): Grant {
    const { uses, id } = grant;
    if (uses === undefined) return grant;
    const folder = this.#usesOf(id);
    try {
      const others = namesIn(folder).filter((name) => call === undefined || textOf(join(folder, name)) !== call);
      return { ...grant, uses: Math.max(0, uses - others.length) };
    } catch {
      return { ...grant, uses: 0 };
    }
  }

  #read(): { readonly found: readonly Found[]; readonly problem: string | null } {
    try {
      const files = namesIn(this.#folder).filter((name) => name.endsWith(ending));
      const found = files.flatMap((name) => {
        const id = idOf(name);
        return id === null ? [] : [{ file: join(this.#folder, name), read: this.#decode(id) }];
      });
      return { found, problem: null };
    } catch (error) {
      return { found: [], problem: `${this.#folder}: ${messageOf(error)}` };
    }
  }

  #decode(id: string): DecodedGrant {
    try {
      const read = decodeGrant(readFileSync(this.#fileOf(id), "utf8"));
      if (read.type === "unreadable" || read.grant.id === id) return read;
      return {
        type: "unreadable",
        reason: `id: expected ${JSON.stringify(id)}, found ${JSON.stringify(read.grant.id)}`,
      };
    } catch (error) {
      return { type: "unreadable", reason: messageOf(error) };
    }
  }

  /** An id may hold anything; a file's name may not. */
  #fileOf(id: string): string {
    return join(this.#folder, `${encodeURIComponent(id)}${ending}`);
  }

  #usesOf(id: string): string {
    return join(this.#folder, "uses", encodeURIComponent(id));
  }

  #changing(body: () => void): void {
    try {
      body();
    } catch (error) {
      throw new GrantsError(`${this.#folder}: ${messageOf(error)}`);
    }
  }
}

type Found = { readonly file: string; readonly read: DecodedGrant };

/** For tests and for a host that keeps nothing. */
export function openVolatileGrants(
  kept = new Map<string, Grant>(),
  used = new Map<string, readonly string[]>(),
): Grants {
  const callsOf = (id: string) => used.get(id) ?? [];
  const left = (grant: Grant, call?: string) => {
    const others = callsOf(grant.id).filter((other) => other !== call).length;
    return grant.uses === undefined ? grant : { ...grant, uses: Math.max(0, grant.uses - others) };
  };
  return {
    list: (call) => [...kept.values()].map((grant) => left(grant, call)),
    damage: () => [],
    put: (grant) => void kept.set(grant.id, grant),
    remove: (id) => kept.delete(id),
    use(id, call) {
      const grant = kept.get(id);
      if (grant === undefined || left(grant, call).uses === 0) return false;
      used.set(id, [...new Set([...callsOf(id), call])]);
      return true;
    },
  };
}

/** Whether this one was free. */
function take(slot: string, call: string): boolean {
  try {
    writePrivate(slot, call, "wx");
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
  syncFolder(dirname(slot));
  return true;
}

/** Where there is no folder, there is nothing in it. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

/** A file that no grant was put into may have any name. */
function idOf(name: string): string | null {
  try {
    return decodeURIComponent(name.slice(0, -ending.length));
  } catch {
    return null;
  }
}
