import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { leastHidden, type Secrets } from "../runtime/ports.ts";
import { decodeIntegration, encodeIntegration } from "../wire/index.ts";
import { type NamedFile, whileUnchanged } from "./files.ts";
import { failed } from "./setup.ts";
import type { Configured, Failed } from "./types.ts";

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
  return {
    list: () => kept().list,
    problems: () => kept().problems,
    get,
    put: (configured, given) => {
      const before = keptSecrets(configured.name, secrets);
      try {
        // First, so that whoever sees the file finds what it needs; and whoever reads the values sees the file change.
        if (given !== undefined) replaceSecrets(configured.name, given, secrets);
        replaceFile(join(folder, `${configured.name}.json`), encodeIntegration(configured), options);
        return null;
      } catch (error) {
        restore(() => replaceSecrets(configured.name, before, secrets));
        return failed(
          `${configured.name} could not be saved: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    },
    remove(name) {
      // The secrets first: whatever happens between, nothing is left of them.
      replaceSecrets(name, {}, secrets);
      remove(join(folder, `${name}.json`));
    },
    secret: (name, key) => secrets.read(secretName(name, key)),
    values: () => kept().values,
  };
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
