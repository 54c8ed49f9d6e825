import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { messageOf } from "../wire/index.ts";
import { decodeToken, encodeToken, type Role, type SavedToken } from "../wire/token.ts";
import { syncFolder, writePrivate } from "./durable-file.ts";

const ending = ".json";
/** 256 random bits: nothing slower than a plain hash is needed to keep them. */
const secretBytes = 32;
const idBytes = 5;
const shape = /^assent_([0-9a-f]{10})_/;
/** A token that was taken back elsewhere opens nothing any more after so long. */
const mostLateMs = 500;

/** Who may speak to a server, and as what: one file a token, with its hash alone (SRV-1). */
export type Tokens = {
  /** The token itself is told here, once. */
  create(given: { readonly name: string; readonly role: Role; readonly expires?: number }): NewToken;
  list(): readonly SavedToken[];
  /** What cannot be read, each with where it is: it opens nothing. */
  damage(): readonly string[];
  /** By its id or its name; the tokens that are gone. */
  revoke(idOrName: string): readonly SavedToken[];
  /** Whose it is; `null` for one that is unknown, over or taken back. */
  bearer(token: string): SavedToken | null;
  /** The token of this id, if it is neither over nor taken back. */
  counting(id: string): SavedToken | null;
};

export type NewToken = { readonly token: string; readonly saved: SavedToken };

export function openTokens(folder: string, now: () => number = Date.now): Tokens {
  return new TokenFiles(folder, now);
}

class TokenFiles implements Tokens {
  readonly #folder: string;
  readonly #now: () => number;
  #known: readonly (SavedToken | { readonly reason: string })[] = [];
  #looked = Number.NEGATIVE_INFINITY;

  constructor(folder: string, now: () => number) {
    this.#folder = folder;
    this.#now = now;
  }

  create({ name, role, expires }: Parameters<Tokens["create"]>[0]): NewToken {
    const id = randomBytes(idBytes).toString("hex");
    const token = `assent_${id}_${randomBytes(secretBytes).toString("base64url")}`;
    const until = expires === undefined ? {} : { expires };
    const saved = { id, name, role, hash: hashOf(token).toString("hex"), created: this.#now(), ...until };
    writePrivate(this.#file(id), encodeToken(saved), "wx");
    syncFolder(this.#folder);
    syncFolder(dirname(this.#folder));
    this.#looked = Number.NEGATIVE_INFINITY;
    return { token, saved };
  }

  list(): readonly SavedToken[] {
    const found = this.#read().flatMap((each) => ("reason" in each ? [] : [each]));
    return found.sort((one, other) => one.created - other.created || (one.id < other.id ? -1 : 1));
  }

  damage(): readonly string[] {
    return this.#read().flatMap((each) => ("reason" in each ? [each.reason] : []));
  }

  revoke(idOrName: string): readonly SavedToken[] {
    const meant = this.list().filter(({ id, name }) => id === idOrName || name === idOrName);
    for (const { id } of meant) rmSync(this.#file(id), { force: true });
    if (meant.length > 0) syncFolder(this.#folder);
    this.#looked = Number.NEGATIVE_INFINITY;
    return meant;
  }

  bearer(token: string): SavedToken | null {
    this.#look();
    const [, id] = shape.exec(token) ?? [];
    if (id === undefined) return null;
    // One that was made just now counts at once.
    const isNew = !this.#known.some((each) => "id" in each && each.id === id) && existsSync(this.#file(id));
    if (isNew) this.#lookNow();
    const hash = hashOf(token);
    return this.#counting().find((each) => isSame(Buffer.from(each.hash, "hex"), hash)) ?? null;
  }

  counting(id: string): SavedToken | null {
    this.#look();
    return this.#counting().find((each) => each.id === id) ?? null;
  }

  #counting(): readonly SavedToken[] {
    const now = this.#now();
    return this.#known.flatMap((each) =>
      "reason" in each || (each.expires !== undefined && each.expires <= now) ? [] : [each],
    );
  }

  #look(): void {
    if (performance.now() - this.#looked > mostLateMs) this.#lookNow();
  }

  #lookNow(): void {
    this.#known = this.#read();
    this.#looked = performance.now();
  }

  #file(id: string): string {
    return join(this.#folder, `${id}${ending}`);
  }

  #read(): readonly (SavedToken | { readonly reason: string })[] {
    return this.#files().map((file) => {
      try {
        const read = decodeToken(readFileSync(file, "utf8"));
        return "reason" in read ? { reason: `${file}: ${read.reason}` } : read;
      } catch (error) {
        return { reason: `${file}: ${messageOf(error)}` };
      }
    });
  }

  #files(): readonly string[] {
    try {
      return readdirSync(this.#folder).flatMap((name) => (name.endsWith(ending) ? [join(this.#folder, name)] : []));
    } catch {
      // Where there is no folder there are no tokens, and where it cannot be read none can be known.
      return [];
    }
  }
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
