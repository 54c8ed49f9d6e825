import { describeGiven, isLooseRecord, messageOf } from "../wire/index.ts";
import { type Journal, JournalError } from "./ports.ts";

type Asked = Exclude<keyof Journal, "places">;
type Check = { readonly expected: string; readonly fits: (answer: unknown) => boolean };

const anything: Check = { expected: "anything", fits: () => true };
const holder: Check = { expected: "a holder or null", fits: (answer) => answer === null || isHolder(answer) };
const outlines: Check = {
  expected: "an object with sessions and damage",
  fits: (answer) => isLooseRecord(answer) && Array.isArray(answer["sessions"]) && Array.isArray(answer["damage"]),
};

/** Every method, and what it answers: also what a journal that a program brings must have. */
export const journalAnswers: Readonly<Record<Asked, Check>> = {
  append: { expected: '{ type: "appended" } or { type: "stale", newest }', fits: isAppended },
  read: {
    expected: "an object with events and damage",
    fits: (answer) => isLooseRecord(answer) && Array.isArray(answer["events"]) && answer["damage"] !== undefined,
  },
  outline: outlines,
  heads: { expected: "a Map of numbers", fits: (answer) => answer instanceof Map },
  revision: { expected: "a number", fits: (answer) => typeof answer === "number" },
  takeLease: { expected: "the holder that has the lease", fits: isHolder },
  releaseLease: anything,
  leaseHolder: holder,
  remove: holder,
  verify: { expected: "a list of checks", fits: Array.isArray },
  close: anything,
};

/**
 * A journal that a program brings: what it throws, and what it answers that is no answer, such as a promise, is a failure of the
 * journal that says so. Nothing goes on that is not known to be recorded.
 */
export function soundJournal(journal: Journal): Journal {
  const { places } = journal;
  return {
    ...(places === undefined ? {} : { places }),
    append: (...given) => checked("append", () => journal.append(...given)),
    read: (...given) => checked("read", () => journal.read(...given)),
    outline: () => checked("outline", () => journal.outline()),
    heads: () => checked("heads", () => journal.heads()),
    revision: () => checked("revision", () => journal.revision()),
    takeLease: (...given) => checked("takeLease", () => journal.takeLease(...given)),
    releaseLease: (...given) => checked("releaseLease", () => journal.releaseLease(...given)),
    leaseHolder: (...given) => checked("leaseHolder", () => journal.leaseHolder(...given)),
    remove: (...given) => checked("remove", () => journal.remove(...given)),
    verify: (...given) => checked("verify", () => journal.verify(...given)),
    close: () => checked("close", () => journal.close()),
  };
}

function checked<T>(name: Asked, ask: () => T): T {
  const answer = answered(name, ask);
  const { expected, fits } = journalAnswers[name];
  if (fits(answer)) return answer;
  const found = `expected ${expected}, found ${describeGiven(answer)}`;
  throw new JournalError("io", `the journal's ${name} gave no answer: ${found}; it must answer at once`);
}

function answered<T>(name: Asked, ask: () => T): T {
  try {
    return ask();
  } catch (error) {
    if (error instanceof JournalError) throw error;
    throw new JournalError("io", `the journal's ${name} broke: ${messageOf(error)}`);
  }
}

function isAppended(answer: unknown): boolean {
  if (!isLooseRecord(answer)) return false;
  return answer["type"] === "appended" || (answer["type"] === "stale" && typeof answer["newest"] === "number");
}

function isHolder(answer: unknown): boolean {
  return isLooseRecord(answer) && typeof answer["host"] === "string";
}
