import { existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { leastHidden, type Secrets } from "../runtime/ports.ts";
import { decodeIntegration, encodeIntegration, messageOf } from "../wire/index.ts";
import { type NamedFile, whileUnchanged } from "./files.ts";
import { type Configured, type Failed, failed } from "./types.ts";

export type StoreOptions = {
  readonly folder: string;
  readonly secrets: Secrets;
  readonly write: (file: string, text: string) => void;
  readonly remove: (path: string) => void;
};

/** What is set up: a file each, for its owner alone, and its secrets where they are kept and nowhere else (INTG-4). */
export type ConfiguredStore = {
  /** By name; the same list while nothing has changed. */
  list(): readonly Configured[];
  problems(): readonly string[];
  get(name: string): Configured | null;
  /** Without `secrets` those that it has stay; otherwise these are all that it has. */
  put(configured: Configured, secrets?: Readonly<Record<string, string>>): Failed | null;
  remove(name: string): void;
  secret(name: string, key: string): string | null;
  values(): readonly string[];
};

type Kept = {
  readonly list: readonly Configured[];
  readonly problems: readonly string[];
  readonly values: readonly string[];
};

export function openConfigured(options: StoreOptions): ConfiguredStore {
  const { folder, secrets, remove } = options;
  const kept = whileUnchanged(folder, (files) => readAll(files, secrets));
  const get = (name: string) => kept().list.find((each) => each.name === name) ?? null;
  const known = everKnown(() => kept().values);
  const { values } = known;
  return {
    list: () => kept().list,
    problems: () => kept().problems,
    get,
    put: (configured, given) => {
      known.look();
      try {
        if (given === undefined) replaceFile(fileOf(configured.name, options), encodeIntegration(configured), options);
        else replaceWhole(configured, { given, before: get(configured.name) }, options);
        return null;
      } catch (error) {
        return failed(`${configured.name} could not be saved: ${messageOf(error)}`);
      } finally {
        known.look();
      }
    },
    remove(name) {
      known.look();
      // The secrets first: whatever happens between, nothing is left of them.
      replaceSecrets(name, {}, secrets);
      remove(fileOf(name, options));
    },
    secret: (name, key) => secrets.read(secretName(name, key)),
    values,
  };
}

/** What is recorded at once, and what belongs to it, asks for the values several times: the folder is read for the first. */
const atOnceMs = 1;

/**
 * What was replaced or removed may still open something: it stays hidden as long as this process lives. `values` may miss what
 * another process did just now; `look` misses nothing, and has to be called around what this one does.
 */
function everKnown(now: () => readonly string[]): Readonly<Record<"values" | "look", () => readonly string[]>> {
  let known: readonly string[] = [];
  let looked = Number.NEGATIVE_INFINITY;
  const look = () => {
    const fresh = now().filter((value) => !known.includes(value));
    if (fresh.length > 0) known = [...known, ...fresh];
    looked = performance.now();
    return known;
  };
  return { look, values: () => (performance.now() - looked < atOnceMs ? known : look()) };
}

function fileOf(name: string, { folder }: StoreOptions): string {
  return join(folder, `${name}.json`);
}

type Replaced = { readonly given: Readonly<Record<string, string>>; readonly before: Configured | null };

/** With its secrets, all of it or none. */
function replaceWhole(configured: Configured, { given, before }: Replaced, options: StoreOptions): void {
  const { name } = configured;
  const { secrets, remove } = options;
  const kept = keptSecrets(name, secrets);
  const file = fileOf(name, options);
  const moves = before !== null && !(alike(before.fields, configured.fields) && before.folder === configured.folder);
  try {
    // Whatever happens between: the new secrets are for the new address, and must not be found beside the old one.
    if (moves) remove(file);
    if (moves && existsSync(file)) throw new Error("what was set up before could not be removed");
    // Before the file, so that whoever sees it finds what it needs; and whoever reads the values sees the file change.
    replaceSecrets(name, given, secrets);
    replaceFile(file, encodeIntegration(configured), options);
  } catch (error) {
    restore(() => {
      replaceSecrets(name, kept, secrets);
      if (moves) options.write(file, encodeIntegration(before));
    });
    throw error;
  }
}

type Fields = Configured["fields"];

/** Whether both lead to the same place. */
export function alike(one: Fields, other: Fields): boolean {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}

/** A name has no dot in it. */
function secretName(name: string, key: string): string {
  return `${name}.${key}`;
}

function keptSecrets(name: string, secrets: Secrets): Readonly<Record<string, string>> {
  const beginning = secretName(name, "");
  return Object.fromEntries(
    secrets.names(beginning, 0).map((each) => [each.slice(beginning.length), secrets.read(each) ?? ""]),
  );
}

function replaceSecrets(name: string, given: Readonly<Record<string, string>>, secrets: Secrets): void {
  for (const each of secrets.names(secretName(name, ""), 0)) {
    if (!Object.hasOwn(given, each.slice(name.length + 1))) secrets.remove(each);
  }
  for (const [key, value] of Object.entries(given)) secrets.put({ name: secretName(name, key), value });
}

function restore(body: () => void): void {
  try {
    body();
  } catch {
    // The same disk that kept the new ones from being written.
  }
}

/** All of it or none: whoever reads it meanwhile reads the one of before. */
function replaceFile(file: string, text: string, { write, remove }: StoreOptions): void {
  const fresh = `${file}.${process.pid}.new`;
  try {
    write(fresh, text);
    renameSync(fresh, file);
  } catch (error) {
    remove(fresh);
    throw error;
  }
}

function readAll(files: readonly NamedFile[], secrets: Secrets): Kept {
  const list: Configured[] = [];
  const problems: string[] = [];
  for (const { name, file } of files) {
    const read = readFile(name, file);
    if ("reason" in read) problems.push(`${file}: ${read.reason}`);
    else list.push(read);
  }
  // Also of those whose file is damaged: what is secret stays so.
  const values = secrets.names("", 0).flatMap((name) => secrets.read(name) ?? []);
  return { list, problems, values: [...new Set(values.filter(({ length }) => length >= leastHidden))] };
}

function readFile(name: string, file: string): Configured | { readonly reason: string } {
  try {
    const read = decodeIntegration(readFileSync(file, "utf8"));
    if (read.type === "broken") return read;
    if (read.configured.name === name) return read.configured;
    return { reason: `name: expected ${JSON.stringify(name)}, found ${JSON.stringify(read.configured.name)}` };
  } catch {
    return { reason: "it cannot be read" };
  }
}
