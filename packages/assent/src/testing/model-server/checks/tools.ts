import { isLooseRecord, type Loose, looseList, looseRecord } from "../../../wire/index.ts";
import { type Problems, shown } from "./problems.ts";

/** How an API writes down a tool: where its name and its schema are. */
export type ToolShape = {
  /** `null` for what is no function, such as a search that the provider runs. */
  definition(tool: Loose): Loose | null;
  readonly schema: string;
  readonly name: RegExp;
};

/** The names of the functions that are offered. */
export function checkTools(body: Loose, shape: ToolShape, problems: Problems): ReadonlySet<string> {
  const names = new Set<string>();
  if (body["tools"] === undefined) return names;
  if (!problems.expect(Array.isArray(body["tools"]), "tools", `expected a list, found ${shown(body["tools"])}`)) {
    return names;
  }
  for (const [index, tool] of looseList(body["tools"]).entries()) {
    const where = `tools[${index}]`;
    const definition = shape.definition(looseRecord(tool));
    if (definition === null) continue;
    const name = definition["name"];
    if (!checkName(name, { where: `${where}.name`, pattern: shape.name }, problems)) continue;
    problems.expect(!names.has(name), `${where}.name`, `expected another name than ${shown(name)}, which is taken`);
    names.add(name);
    checkSchema(definition, `${where}.${shape.schema}`, { problems, field: shape.schema });
  }
  return names;
}

export function checkName(
  name: unknown,
  { where, pattern }: { readonly where: string; readonly pattern: RegExp },
  problems: Problems,
): name is string {
  const fine = typeof name === "string" && pattern.test(name);
  return problems.expect(fine, where, `expected a name like ${pattern.source}, found ${shown(name)}`);
}

function checkSchema(
  definition: Loose,
  where: string,
  { problems, field }: { readonly problems: Problems; readonly field: string },
): void {
  const schema = definition[field];
  const isObject = isLooseRecord(schema) && schema["type"] === "object";
  if (!problems.expect(isObject, where, `expected a schema of an object, found ${shown(schema)}`)) return;
  if (definition["strict"] === true) checkStrict(looseRecord(schema), where, problems);
}

/** What OpenAI wants of a schema that it is to hold the model to. */
function checkStrict(schema: Loose, where: string, problems: Problems): void {
  if (schema["type"] === "object") {
    const closed = schema["additionalProperties"] === false;
    problems.expect(closed, `${where}.additionalProperties`, "expected false in a strict schema");
    const names = Object.keys(looseRecord(schema["properties"]));
    const missing = names.filter((name) => !looseList(schema["required"]).includes(name));
    problems.expect(
      missing.length === 0,
      `${where}.required`,
      `expected also ${missing.join(", ")} in a strict schema`,
    );
  }
  const inner = {
    ...looseRecord(schema["properties"]),
    ...(isLooseRecord(schema["items"]) ? { items: schema["items"] } : {}),
  };
  for (const [name, value] of Object.entries(inner)) checkStrict(looseRecord(value), `${where}.${name}`, problems);
}

/** The calls of a request by their ids: each once, each answered once. */
export type Answered = {
  call(id: string, where: string): void;
  answer(id: string, where: string): void;
  /** Nothing may be left without an answer. */
  finish(where: string): void;
};

/** Ids stay taken for the whole request. */
export function openAnswered(what: string, problems: Problems): Answered {
  const taken = new Set<string>();
  const open = new Set<string>();
  return {
    call(id, where) {
      problems.expect(!taken.has(id), where, `expected an id of its own, found ${shown(id)} again`);
      taken.add(id);
      open.add(id);
    },
    answer(id, where) {
      problems.expect(open.delete(id), where, `expected the id of a call that has no ${what} yet, found ${shown(id)}`);
    },
    finish(where) {
      const left = [...open];
      open.clear();
      problems.expect(left.length === 0, where, `expected a ${what} for every call, found none for ${left.join(", ")}`);
    },
  };
}
