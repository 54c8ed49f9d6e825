import type { RecordedEvent } from "./events.ts";
import { isLooseRecord } from "./loose.ts";

/**
 * What a client reads of its own server, without the schemas that the server has checked it by: they are most of what a page
 * would have to load. The wire is versioned by its path, so a body is what its row of the API says.
 */
export type Received<T> = { readonly type: "json"; readonly value: T } | { readonly type: "other" };

export function readReceived<T>(text: string): Received<T> {
  try {
    return { type: "json", value: JSON.parse(text) as T };
  } catch {
    return { type: "other" };
  }
}

/** One recorded event as it stands on its line; `null` where it is none. */
export function receivedEvent(value: unknown): RecordedEvent | null {
  if (!isLooseRecord(value)) return null;
  const { seq, at, session, type, v: _version, ...data } = value;
  if (typeof seq !== "number" || typeof at !== "number" || typeof session !== "string" || typeof type !== "string")
    return null;
  const given = type === "session.created" ? { ...data, session } : data;
  return { seq, session, event: { type, at, ...given } as RecordedEvent["event"] };
}
