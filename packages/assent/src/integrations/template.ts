import type { Template } from "./types.ts";

/** What stands for keys in a template: of one without a value, nothing is there. */
export type Values = Readonly<Record<string, string>>;

type Part = { readonly text: string } | { readonly key: string };

const keyPattern = /^[a-z][a-z0-9_]{0,39}$/;

/** `null` where a brace stands alone or has something else than a key in it. */
export function partsOf(template: Template): readonly Part[] | null {
  const parts: Part[] = [];
  let end = 0;
  for (const found of template.matchAll(/\{\{|\}\}|\{([^{}]*)\}|[{}]/g)) {
    parts.push({ text: template.slice(end, found.index) });
    end = found.index + found[0].length;
    const key = found[1];
    if (key !== undefined && keyPattern.test(key)) parts.push({ key });
    else if (found[0] === "{{" || found[0] === "}}") parts.push({ text: found[0].charAt(0) });
    else return null;
  }
  return [...parts, { text: template.slice(end) }];
}

export function keysOf(template: Template): readonly string[] {
  return (partsOf(template) ?? []).flatMap((part) => ("key" in part ? [part.key] : []));
}

/** `null` where a key has no value: then what it was for is left out. */
export function fill(
  template: Template,
  values: Values,
  written: (value: string) => string = (value) => value,
): string | null {
  let filled = "";
  for (const part of partsOf(template) ?? []) {
    const value = "key" in part ? valueIn(values, part.key) : part.text;
    if (value === null) return null;
    filled += "key" in part ? written(value) : value;
  }
  return filled;
}

/** Those that have all of their values. */
export function fillAll(
  templates: Readonly<Record<string, Template>>,
  values: Values,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(templates).flatMap(([name, template]) => {
      const filled = fill(template, values);
      return filled === null ? [] : [[name, filled]];
    }),
  );
}

export type FilledUrl =
  | { readonly type: "url"; readonly url: URL }
  | { readonly type: "broken"; readonly reason: string };

/**
 * A URL that goes where its fields say and nowhere else: what a model gives is written so that it stays in its place, in
 * the path or the query. Reasons name keys and hosts, and no other value.
 */
export function fillUrl(template: Template, fields: Values, parameters: Values = {}): FilledUrl {
  const { origin, path, search } = splitUrl(template);
  const base = fill(origin, fields);
  if (base === null) return broken(`${keysOf(origin).join(", ")}: is missing`);
  const address = readAddress(base);
  if (address.type === "broken") return broken(`${keysOf(origin)[0] ?? "url"}: ${address.reason}`);
  const values = { ...parameters, ...fields };
  const segments = fillPath(path, values);
  if (segments.type === "broken") return segments;
  const { href, host } = address.url;
  const before = segments.path === "" ? href : href.replace(/\/+$/, "");
  const url = URL.parse(`${before}${segments.path}${fillSearch(search, values)}`);
  if (url === null || url.host !== host) return broken("expected a URL, found none");
  return { type: "url", url };
}

/** Where requests go: everything before the path. `{url}/…` has all of it in one field. */
export function splitUrl(template: Template): {
  readonly origin: Template;
  readonly path: Template;
  readonly search: Template;
} {
  const [before = "", search = ""] = cutAt(template, template.indexOf("?"));
  const scheme = before.indexOf("://");
  const slash = before.indexOf("/", scheme < 0 ? 0 : scheme + 3);
  const [origin = "", path = ""] = cutAt(before, slash, 0);
  return { origin, path, search };
}

type Address = { readonly type: "address"; readonly url: URL } | { readonly type: "broken"; readonly reason: string };

/** An address as a person gives it: a URL that may have a path; without encryption to this machine only. */
export function readAddress(given: string): Address {
  const url = URL.parse(given);
  const shaped = /^https?:\/\/[^/?#@\\\s]+(?:\/[^?#@\\\s]*)?$/i.test(given);
  return url === null || !shaped ? broken(`${expected}, found ${JSON.stringify(given)}`) : encrypted(url);
}

/** The same, and it may have a query: nothing is added to it. */
export function readWholeUrl(given: string): Address {
  const url = URL.parse(given);
  const shaped = /^https?:\/\/[^\s\\@#]+$/i.test(given);
  return url === null || !shaped ? broken(`${expected}, found ${JSON.stringify(given)}`) : encrypted(url);
}

const expected = "expected a URL such as https://example.com";

function encrypted(url: URL): Address {
  if (url.protocol === "https:" || isThisMachine(url.hostname)) return { type: "address", url };
  return broken(`expected https, found http, by which everyone on the way to ${url.host} reads the secrets`);
}

function isThisMachine(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

type FilledPath =
  | { readonly type: "path"; readonly path: string }
  | { readonly type: "broken"; readonly reason: string };

function fillPath(path: Template, values: Values): FilledPath {
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    const filled = fill(segment, values, encodeURIComponent);
    const keys = keysOf(segment).join(", ");
    if (filled === null) return broken(`${keys}: is missing`);
    // They mean another place than the one they stand for.
    if (keys !== "" && /^\.{0,2}$/.test(filled))
      return broken(`${keys}: expected a name, found ${JSON.stringify(filled)}`);
    segments.push(filled);
  }
  return { type: "path", path: segments.join("/") };
}

/** What has no value is not asked for. */
function fillSearch(search: Template, values: Values): string {
  const pairs = search.split("&").flatMap((pair) => {
    const filled = fill(pair, values, encodeURIComponent);
    return filled === null || filled === "" ? [] : [filled];
  });
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

function cutAt(text: string, index: number, skipped = 1): readonly string[] {
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + skipped)];
}

function valueIn(values: Values, key: string): string | null {
  return Object.hasOwn(values, key) ? (values[key] ?? null) : null;
}

function broken(reason: string): { readonly type: "broken"; readonly reason: string } {
  return { type: "broken", reason };
}
