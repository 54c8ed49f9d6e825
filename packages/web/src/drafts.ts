type TabStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/** What a text was begun for: an answer by the id of its question, a prompt by its session, a field of a new session. */
export type DraftOf = `question/${string}` | `prompt/${string}` | `new/${string}`;

const prefix = "assent-draft/";
const ownerKey = "assent-drafts-of";

/**
 * Texts that were begun and not sent. They outlast a reload, in this tab alone, and go when they are sent, when there is nothing
 * left to send them to, when their writer signs out, and when somebody else signs in. Where nothing can be stored, they last as long as the page.
 */
export class Drafts {
  readonly #texts = new Map<string, string>();
  readonly #storage: TabStorage | null;
  #owner: string | null;

  constructor(storage: TabStorage | null) {
    this.#storage = storage;
    this.#owner = storage?.getItem(ownerKey) ?? null;
    for (const key of keysIn(storage)) this.#texts.set(key, storage?.getItem(key) ?? "");
  }

  get(of: DraftOf): string {
    return this.#texts.get(prefix + of) ?? "";
  }

  set(of: DraftOf, text: string): void {
    const key = prefix + of;
    if (text === "") {
      this.#remove(key);
      return;
    }
    this.#texts.set(key, text);
    try {
      // First: a text of nobody known is nobody's after a reload, and goes.
      if (this.#owner !== null) this.#storage?.setItem(ownerKey, this.#owner);
      this.#storage?.setItem(key, text);
    } catch {
      // It is too much for the storage; an older one must not come back in its place.
      this.#storage?.removeItem(key);
    }
  }

  /** Questions for which something was begun and that are not among these. */
  questionsBeside(open: ReadonlySet<string>): readonly string[] {
    const ofQuestions = `${prefix}question/`;
    const begun = [...this.#texts.keys()].filter((key) => key.startsWith(ofQuestions));
    return begun.map((key) => key.slice(ofQuestions.length)).filter((id) => !open.has(id));
  }

  /** From now on they are this one's; whether there was nothing of anybody else. What is of nobody known is of somebody else. */
  belongTo(name: string): boolean {
    const isSame = this.#owner === name;
    if (!isSame) this.clear();
    this.#owner = name;
    return isSame;
  }

  clear(): void {
    this.#storage?.removeItem(ownerKey);
    for (const key of [...this.#texts.keys()]) this.#remove(key);
  }

  #remove(key: string): void {
    this.#texts.delete(key);
    this.#storage?.removeItem(key);
    if (this.#texts.size === 0) this.#storage?.removeItem(ownerKey);
  }
}

function keysIn(storage: TabStorage | null): readonly string[] {
  const keys = Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index) ?? "");
  return keys.filter((key) => key.startsWith(prefix));
}

/** That of this tab; a browser may refuse it. */
export function tabStorage(): TabStorage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}
