import type { InputBody } from "../core/index.ts";

/**
 * Words of the session itself, and names that it has given: a value that is spelled like one of them is not seen by it. What
 * is said in texts, whoever says it, is under other names.
 */
const own: ReadonlySet<string> = new Set([
  ...[
    "type",
    "role",
    "class",
    "state",
    "status",
    "verdict",
    "match",
    "scope",
    "mode",
    "delivery",
    "entry",
    "unattended",
  ],
  ...["session", "exchange", "interaction", "interaction_id", "call", "id", "original", "process", "waiting", "key"],
  ...[
    "selected_option_id",
    "selected_option_ids",
    "answer_id",
    "digest",
    "rule",
    "categories",
    "tool",
    "model",
    "signal",
  ],
  ...["soft_offers", "secret", "by", "authority", "seen"],
]);
/** Under these is anything, in anybody's words. */
const foreign: ReadonlySet<string> = new Set(["facts", "subject", "metadata", "response_schema", "content"]);
const none: ReadonlySet<string> = new Set();

/** Without the values that must not be seen (INTG-4); the same input where none is in it. */
export function redactedInput(body: InputBody, hide: (text: string) => string): InputBody {
  // The folder is where the work is done: by another name it would be another one.
  if (body.type !== "creation") return redactDeep(body, hide, own);
  return body.forks === undefined ? body : { ...body, forks: redactDeep(body.forks, hide, own) };
}

/** Plain data, with each text in it hidden but what is under a name in `kept`; the same data where there is nothing to hide. */
export function redactDeep<T>(data: T, hide: (text: string) => string, kept?: ReadonlySet<string>): T;
export function redactDeep(data: unknown, hide: (text: string) => string, kept: ReadonlySet<string> = none): unknown {
  if (typeof data === "string") return hide(data);
  if (typeof data !== "object" || data === null) return data;
  if (!Array.isArray(data)) return redactedFields(data, hide, kept);
  const items = data.map((item: unknown) => redactDeep(item, hide, kept));
  return items.every((item, index) => item === data[index]) ? data : items;
}

function redactedFields(data: object, hide: (text: string) => string, kept: ReadonlySet<string>): object {
  let changed: Record<string, unknown> | null = null;
  for (const [name, value] of Object.entries(data)) {
    if (kept.has(name)) continue;
    const shown: unknown = redactDeep(value, hide, foreign.has(name) ? none : kept);
    if (shown === value) continue;
    changed ??= { ...data };
    // A provider takes it as it gave it or not at all.
    if (name === "reasoning") delete changed[name];
    else changed[name] = shown;
  }
  return changed ?? data;
}
