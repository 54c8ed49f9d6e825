import { isUtf8 } from "node:buffer";
import { resolve } from "node:path";
import * as v from "valibot";
import type { SeenFile, ToolResult } from "../../core/index.ts";
import { type Place, type Plan, secretMark } from "../../runtime/ports.ts";
import { type Current, digestBytes, readCurrent, sayBytes } from "./content.ts";
import { unifiedDiff } from "./diff.ts";
import { baseOf, isGuarded, type Located, leadsTo, locate, shownName } from "./paths.ts";
import { replaceFile } from "./replace.ts";
import { asResult, failure, type Trouble, trouble } from "./trouble.ts";

/** What a tool makes of a file: its new text, or why not. `secret`: the reason speaks of what is in the file. */
export type Made =
  | { readonly type: "made"; readonly content: string; readonly done: string }
  | (Trouble & { readonly secret?: true });

export type Changing = {
  readonly tool: string;
  readonly path: string;
  readonly make: (current: Exclude<Current, Trouble>, located: Located) => Made;
};

const noted = v.variant("type", [
  v.object({
    type: v.literal("change"),
    path: v.string(),
    real: v.string(),
    /** The digest of what the change is based on; `null` where nothing was. */
    before: v.nullable(v.string()),
    content: v.string(),
    done: v.string(),
  }),
  v.object({ type: v.literal("same"), path: v.string(), real: v.string(), before: v.string() }),
  v.object({ type: v.literal("trouble"), path: v.string(), text: v.string() }),
]);

export function planChange({ tool, path, make }: Changing, place: Place): Plan {
  const cwd = baseOf(place);
  const located = locate(path, "write", place);
  if (located.type === "trouble") return { tool, cwd, fails: located.text };
  const { name, real, planned } = located;
  const current = readCurrent(real, `cannot write ${name}`);
  if (current.type === "trouble") return { tool, cwd, paths: [planned], fails: current.text };
  const made = changedSince(current, located, place.seen) ?? make(current, located);
  if (made.type === "trouble") return failing({ tool, cwd, paths: [planned] }, made, isGuarded(planned) ? path : null);
  const { content, done } = made;
  const hidden = hidesSecret(current, located, content);
  if (hidden !== null) return { tool, cwd, paths: [planned], fails: hidden.text };
  const before = current.type === "file" ? current.digest : null;
  // What is there already is not written again: then this only reads.
  if (before === digestOf(content)) {
    return { tool, cwd, paths: [{ ...planned, use: "read" }], more: { type: "same", path, real, before } };
  }
  const more = { type: "change", path, real, before, content, done };
  const diff = diffOf(planned.path, current, content);
  return { tool, cwd, paths: [planned], change: { path: planned.path, diff }, more };
}

/** Bytes that are no text cannot be shown line by line. */
function diffOf(path: string, current: Exclude<Current, Trouble>, content: string): string {
  if (current.type === "absent") return unifiedDiff(path, null, content);
  const { bytes } = current;
  if (isUtf8(bytes) && !bytes.includes(0)) return unifiedDiff(path, bytes.toString(), content);
  return `[in place of a binary file of ${sayBytes(bytes.length)}]\n${unifiedDiff(path, null, content)}`;
}

/** A reason that tells something of a file that a person guards waits until that person was asked. */
function failing(plan: Plan, { text, secret }: Trouble & { readonly secret?: true }, guarded: string | null): Plan {
  if (!secret || guarded === null) return { ...plan, fails: text };
  return { ...plan, more: { type: "trouble", path: guarded, text } };
}

/** What a model read as the mark is a value that it does not know: written back, the value would be lost (INTG-4). */
function hidesSecret(current: Exclude<Current, Trouble>, { name }: Located, content: string): Trouble | null {
  if (!content.includes(secretMark)) return null;
  const marks = (text: string) => text.split(secretMark).length;
  const isFile = current.type === "file";
  if (isFile && marks(content) <= marks(current.bytes.toString())) return null;
  const remedy = isFile
    ? "and would be lost; leave that line as it is, with edit_file"
    : "and would not be in it; have a command make the file from what has the value";
  return trouble(`cannot write ${name}: ${secretMark} stands for a value that is hidden from you ${remedy}`);
}

/** A file that is gone may be written anew: it could not be read again first. */
function changedSince(current: Current, { name, real }: Located, seen: readonly SeenFile[]): Trouble | null {
  const known = seen.find(({ path }) => path === real);
  if (known === undefined || current.type !== "file" || current.digest === known.digest) return null;
  return trouble(`cannot write ${name}: it changed since it was read; read it again with read_file first`);
}

/** Does exactly what was planned, or nothing. */
export async function runChange({ change, more, paths, cwd }: Plan): Promise<ToolResult> {
  if (!v.is(noted, more)) return { type: "error", text: "the plan holds no change" };
  if (more.type === "trouble") return asResult(trouble(more.text));
  const { path, real, before } = more;
  const name = shownName(path);
  const what = `cannot write ${name}`;
  const isAsJudged = (): boolean => leadsTo(resolve(cwd, path), real) && digestNow(real) === before;
  const changed = `${what}: it changed since it was judged; read it again with read_file`;
  if (!isAsJudged()) return { type: "error", text: changed };
  if (more.type === "same") {
    const seen = [{ path: real, digest: more.before }];
    return { type: "output", text: `no change: ${name} has this content already`, seen };
  }
  const { content, done } = more;
  try {
    const outcome = await replaceFile({ real, content, isAsJudged });
    if (outcome === "changed") return { type: "error", text: changed };
  } catch (error) {
    return asResult(failure(what, error));
  }
  const files = paths?.map((planned) => planned.real) ?? [];
  const seen = [{ path: real, digest: digestOf(content) }];
  return { type: "output", text: done, files, ...(change === undefined ? {} : { diff: change.diff }), seen };
}

function digestNow(real: string): string | null | undefined {
  const current = readCurrent(real, "");
  if (current.type === "trouble") return undefined;
  return current.type === "file" ? current.digest : null;
}

function digestOf(content: string): string {
  return digestBytes(Buffer.from(content));
}
