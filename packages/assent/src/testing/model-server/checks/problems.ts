import { isLooseRecord, type Loose, looseList, looseRecord, looseText, parseJson } from "../../../wire/index.ts";

/** What is wrong with one request, as it is found: where, what was expected, what came. */
export type Problems = {
  readonly found: readonly string[];
  /** Says so where `fine` is false, and gives it back. */
  expect(fine: boolean, where: string, what: string): boolean;
};

export function openProblems(): Problems {
  const found: string[] = [];
  return {
    found,
    expect(fine, where, what) {
      if (!fine) found.push(`${where}: ${what}`);
      return fine;
    },
  };
}

export function isFilled(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** As an error shows a value: short. */
export function shown(value: unknown): string {
  const json = JSON.stringify(value) ?? "nothing";
  return json.length > 60 ? `${json.slice(0, 60)}…` : json;
}

export function isObjectText(value: unknown): boolean {
  const parsed = typeof value === "string" ? parseJson(value) : { type: "broken" as const };
  return parsed.type === "parsed" && isLooseRecord(parsed.value);
}

/** A model, and `stream` as a truth value: what all three APIs want. */
export function checkHead(body: Loose, problems: Problems): void {
  problems.expect(isFilled(body["model"]), "model", `expected a name, found ${shown(body["model"])}`);
  const { stream } = body;
  problems.expect(stream === undefined || typeof stream === "boolean", "stream", "expected true or false");
}

/** A field that must be a whole number of at least so much, where it is given. */
export function checkCount(body: Loose, [name, least]: readonly [string, number], problems: Problems): void {
  const value = body[name];
  const fine = value === undefined || (typeof value === "number" && Number.isSafeInteger(value) && value >= least);
  problems.expect(fine, name, `expected a whole number of at least ${least}, found ${shown(value)}`);
}

/** A content that may not be empty: a text, or a list of parts whose texts are not empty either. */
export function checkContent(content: unknown, where: string, problems: Problems): void {
  if (typeof content === "string") {
    problems.expect(content !== "", where, "expected a text, found an empty one");
    return;
  }
  if (!problems.expect(Array.isArray(content), where, `expected a text or a list, found ${shown(content)}`)) return;
  problems.expect(looseList(content).length > 0, where, "expected parts, found an empty list");
  for (const [index, part] of looseList(content).entries()) {
    const type = looseText(looseRecord(part)["type"]);
    if (!problems.expect(type !== "", `${where}[${index}].type`, "expected a type")) continue;
    if (!type.endsWith("text")) continue;
    const text = looseRecord(part)["text"];
    problems.expect(isFilled(text), `${where}[${index}].text`, `expected a text, found ${shown(text)}`);
  }
}
