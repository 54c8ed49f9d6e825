import * as v from "valibot";
import type { Json } from "../core/index.ts";
import { flag, list, optional, text } from "./schema.ts";

const names = v.exactOptional(list(text), []);

/** Of a shell: the names of what it had, whose texts are not kept. */
const shell = v.object({
  functions: names,
  aliases: names,
  traps: names,
  variables: names,
  places: names,
  options: v.exactOptional(v.record(text, flag), {}),
  disabled: names,
  inherited: names,
});

const path = v.object({
  path: text,
  real: text,
  use: v.picklist(["read", "write"]),
  outside: flag,
  self: optional(v.literal(true)),
  own: optional(v.literal("output")),
});

/** What a verdict was based on, as `call.judged` has it. An earlier version kept neither home nor what follows the shell. */
const facts = v.object({
  cwd: text,
  home: optional(v.nullable(text)),
  real_home: optional(text),
  links: v.exactOptional(v.record(text, text), {}),
  untold: names,
  shell: optional(v.nullable(shell)),
  paths: optional(list(path)),
  tier: optional(v.picklist(["safe", "elevated"])),
  outside: optional(v.object({ server: text, definition: text, changed: optional(v.literal(true)) })),
  served: optional(list(text)),
});

export type JudgedFacts = v.InferOutput<typeof facts>;
export type ShellNames = v.InferOutput<typeof shell>;

/** `null`: nothing of the kind is recorded. */
export function readFacts(recorded: Json): JudgedFacts | null {
  const read = v.safeParse(facts, recorded);
  return read.success ? read.output : null;
}
