import type { Json } from "../../core/index.ts";
import type { FormatName } from "./script.ts";

/** One request as it came. */
export type RecordedRequest = {
  /** Its place among all requests, from 1. */
  readonly number: number;
  /** Its place among the model requests, which is the number of the entry that it gets; `null` for any other. */
  readonly entry: number | null;
  readonly method: string;
  readonly path: string;
  /** Keys are `***`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** `null` where the body is no JSON. */
  readonly json: Json;
  readonly format: FormatName | null;
  /** What the API would refuse; the first is what the client is told. */
  readonly problems: readonly string[];
  /** How far its answer is: `left` is a connection that ended before the answer did, on whoever's account. */
  readonly state: "open" | "answered" | "left";
};

const secretHeaders = ["authorization", "proxy-authorization", "x-api-key", "api-key", "x-goog-api-key"];

/** As they came. */
type GivenHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Headers as they may be shown: no key is in them, under whatever name it came. */
export function maskHeaders(headers: GivenHeaders, key: string | null): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, maskValue(name, [value].flat().join(", "), key)]),
  );
}

function maskValue(name: string, value: string, key: string | null): string {
  if (secretHeaders.includes(name)) return value.replace(/^(bearer |basic )?.*$/is, "$1***");
  return key === null ? value : value.replaceAll(key, "***");
}

/** A request that shows the key in the way of any of the APIs. */
export function hasKey(headers: GivenHeaders, key: string): boolean {
  return headers["authorization"] === `Bearer ${key}` || headers["x-api-key"] === key;
}
