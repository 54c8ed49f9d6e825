import type { SessionSummary } from "../../runtime/index.ts";
import { type Said, saidSystem } from "../../show/index.ts";

/** More than fit on a screen are found by their name. */
const mostPicked = 20;

/** What came of a line that was typed to choose: a session, or a word about it. */
type Picked = { readonly session: string } | { readonly said: readonly Said[] };

/** A choice of sessions; it is open until one is chosen, or none is wanted. */
export class Picking {
  #sessions: readonly SessionSummary[] | null = null;

  get isOpen(): boolean {
    return this.#sessions !== null;
  }

  open(sessions: readonly SessionSummary[]): void {
    this.#sessions = sessions;
  }

  close(): void {
    this.#sessions = null;
  }

  /** What was typed wrong can be put right: it is no prompt. */
  take(typed: string): Picked {
    const picked = pickedFrom(typed, this.#sessions ?? []);
    if ("problem" in picked) return { said: saidSystem(`${picked.problem}; ${leaving}`) };
    this.close();
    return "session" in picked ? picked : { said: saidSystem("stayed here") };
  }
}

const leaving = "Enter alone stays here";

/** Sessions to choose from, each with its number. */
export function describePick(sessions: readonly SessionSummary[]): string {
  const lines = sessions.slice(0, mostPicked).map((each, index) => {
    const { session, name, cwd, prompt, changed, asks, open } = each;
    const when = new Date(changed).toISOString().slice(0, 16).replace("T", " ");
    const state = asks ? "asks  " : open ? "open  " : "";
    const what = name ?? (prompt ?? "").split("\n")[0]?.slice(0, 60) ?? "";
    return `${String(index + 1).padStart(2)}) ${session}  ${when}  ${state}${what}  ${cwd}`;
  });
  const more = sessions.length > mostPicked ? [`and ${sessions.length - mostPicked} older ones`] : [];
  return [...lines, ...more, `a number, an id or a name opens one; ${leaving}`].join("\n");
}

/** The one that was meant by a number of the list, the beginning of an id, or a name. */
export function pickedFrom(
  typed: string,
  sessions: readonly SessionSummary[],
): { readonly session: string } | { readonly problem: string } | { readonly none: true } {
  const word = typed.trim();
  if (word === "") return { none: true };
  const numbered = /^[1-9]\d?$/.test(word) ? sessions.slice(0, mostPicked)[Number(word) - 1] : undefined;
  const found = numbered ?? sessions.find(({ session, name }) => session === word || name === word);
  if (found !== undefined) return found;
  const begins = sessions.filter(({ session }) => session.startsWith(word));
  const [only, ...others] = begins;
  if (only !== undefined && others.length === 0) return only;
  return { problem: `expected a number of the list, an id or a name, found ${JSON.stringify(word)}` };
}
