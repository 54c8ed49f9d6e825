import { defaultLimits, inputTypes } from "../core/index.ts";
import { describeGiven, isLooseRecord, type Loose, looseRecord, suggestion } from "../wire/index.ts";
import type { Ports } from "./ports.ts";
import type { Creation, HoldOptions } from "./session-host.ts";
import { journalAnswers } from "./sound-journal.ts";

type Expected = { readonly what: string; readonly fits: (given: unknown) => boolean };

const isFunction = (given: unknown) => typeof given === "function";
const isText = (given: unknown): given is string => typeof given === "string";
const aFunction: Expected = { what: "a function", fits: isFunction };
const aText: Expected = { what: "a text", fits: isText };
const anObject: Expected = { what: "an object", fits: isLooseRecord };

const paths: Expected = { what: "a list of paths", fits: (given) => Array.isArray(given) && given.every(isText) };

const aFlag: Expected = { what: "true or false", fits: (given) => typeof given === "boolean" };
const aProvider = thingWith('a provider, such as openModel("…")', "ask");

type Wanted = "journal" | "provider" | "tools";

/** What each port must have, by its name. What can be left out is looked at where it is there. */
const wanted: Readonly<Record<Wanted, Expected>> = {
  journal: thingWith("a journal, such as openMemoryJournal()", ...Object.keys(journalAnswers)),
  provider: aProvider,
  tools: { what: "a list of tools, such as openTools()", fits: Array.isArray },
};
const optional: Readonly<Record<Exclude<keyof Ports, Wanted>, Expected>> = {
  policy: { what: "a policy, or a function that opens one", fits: (given) => isFunction(given) || isPolicy(given) },
  secrets: thingWith("a store of secrets, such as openSecrets(folder)", "put", "read", "remove", "names"),
  grants: thingWith("a store of grants, such as openGrants(folder)", "list", "damage", "put", "remove", "use"),
  clock: thingWith("a clock", "now", "after"),
  holder: { what: "a holder", fits: (given) => isLooseRecord(given) && isText(given["host"]) },
  ...{ joined: aFunction, runs: aFunction, rules: aFunction, served: aFunction, closing: aFunction },
  ...{ newId: aFunction, context: aFunction, hidden: aFunction },
  own: paths,
  expiryMs: { what: "a number of milliseconds, or null", fits: (given) => given === null || Number.isFinite(given) },
  softOffers: {
    what: '"regenerate", "warn" or "off"',
    fits: (given) => given === "regenerate" || given === "warn" || given === "off",
  },
};
const tier: Expected = { what: '"safe" or "elevated"', fits: (given) => given === "safe" || given === "elevated" };
const ofTool: Readonly<Record<string, Expected>> = {
  ...{ name: aText, description: aText, parameters: anObject, tier, read: aFunction },
};
const milliseconds: Expected = { what: "a number of milliseconds", fits: Number.isFinite };
const ofDefinition: Readonly<Record<string, Expected>> = {
  ...{ name: aText, description: aText, parameters: anObject, tier, run: aFunction },
  schema: { what: "a schema that follows Standard Schema", fits: isStandardSchema },
};
const optionalOfTool: Readonly<Record<string, Expected>> = {
  timeoutMs: milliseconds,
  available: aFunction,
  hands: {
    what: "hands with plan and run, or a function that loads them",
    fits: (given) => isFunction(given) || isHands(given),
  },
};

/** Options that cannot work are told where they are given, in the words of who gave them, and not by what breaks later. */
export function checkOptions(options: unknown): void {
  const given = checkBag("openHost", options, { wanted, optional });
  const tools: readonly unknown[] = Array.isArray(given["tools"]) ? given["tools"] : [];
  for (const [at, tool] of tools.entries()) checkTool(tool, at);
}

/** What a tool is defined with. */
export function checkDefinition(definition: unknown): void {
  const given = looseRecord(definition);
  const name = isText(given["name"]) ? ` ${JSON.stringify(given["name"])}` : "";
  const optional = { timeoutMs: milliseconds, parallel: aFlag };
  checkBag(`defineTool${name}`, definition, { wanted: ofDefinition, optional });
}

/** An option that does not exist would be passed over without a word: most are there to forbid something. */
export function checkNames(place: string, given: unknown, known: readonly string[]): void {
  if (!isLooseRecord(given)) throw new TypeError(`${place}: expected an object, found ${describeGiven(given)}`);
  const strange = Object.keys(given).find((name) => !known.includes(name));
  if (strange === undefined) return;
  const near = suggestion(strange, known);
  const there = near === "" ? `; there are ${known.join(", ")}` : near;
  throw new TypeError(`${place}: there is no option ${JSON.stringify(strange)}${there}`);
}

const ofCreation: Readonly<Record<Exclude<keyof Creation, "cwd">, Expected>> = { limits: anObject, model: aText };
const ofHold: Readonly<Record<keyof HoldOptions, Expected>> = {
  ...{ unattended: aFunction, attended: aFunction, readOnly: aFlag, provider: aProvider },
  ...{ lend: aFunction, onFailure: aFunction, onBreaks: aFunction, onWork: aFunction },
};

/** What a session is made with. */
export function checkCreation(creation: unknown): void {
  const { limits = {} } = checkBag("create", creation, { wanted: { cwd: aText }, optional: ofCreation });
  checkNames("create: limits", limits, Object.keys(defaultLimits));
}

/** How a session is worked on. */
export function checkHold(options: unknown): void {
  checkBag("hold", options, { wanted: {}, optional: ofHold });
}

/** Folders that are out of bounds: a single text would be taken for a list of its letters, and nothing would be. */
export function checkPaths(place: string, given: Readonly<Record<string, unknown>>): void {
  const optional = Object.fromEntries(Object.keys(given).map((name) => [name, paths]));
  checkFields(place, given, { wanted: {}, optional });
}

/** What is submitted must be an input; what is in it is looked at when it is recorded. */
export function checkInput(body: unknown): void {
  const type = looseRecord(body)["type"];
  if (isText(type) && inputTypes.includes(type)) return;
  const found = type === undefined ? describeGiven(body) : `the type ${JSON.stringify(type)}`;
  throw new TypeError(`submit: expected an input, whose type is one of ${inputTypes.join(", ")}; found ${found}`);
}

/** A policy that came later. */
export function checkPolicy(given: unknown): void {
  if (isPolicy(given)) return;
  throw new TypeError(`policy: expected a policy with a version and judge, found ${describeGiven(given)}`);
}

/** The hands of a tool that came later. */
export function checkHands(tool: string, given: unknown): void {
  if (!isHands(given)) {
    throw new TypeError(`the hands of ${tool}: expected an object with plan and run, found ${describeGiven(given)}`);
  }
}

function checkTool(tool: unknown, at: number): void {
  const name = isLooseRecord(tool) && isText(tool["name"]) ? `tool ${JSON.stringify(tool["name"])}` : `tools[${at}]`;
  checkFields(`openHost: ${name}`, tool, { wanted: ofTool, optional: optionalOfTool });
}

type Fields = Readonly<Record<"wanted" | "optional", Readonly<Record<string, Expected>>>>;

function checkFields(place: string, given: unknown, fields: Fields): Loose {
  if (!isLooseRecord(given)) throw new TypeError(`${place}: expected an object, found ${describeGiven(given)}`);
  for (const [name, { what, fits }] of Object.entries(fields.wanted)) {
    if (!fits(given[name]))
      throw new TypeError(`${place}: ${name}: expected ${what}, found ${describeGiven(given[name])}`);
  }
  for (const [name, { what, fits }] of Object.entries(fields.optional)) {
    if (given[name] === undefined || fits(given[name])) continue;
    throw new TypeError(`${place}: ${name}: expected ${what}, found ${describeGiven(given[name])}`);
  }
  return given;
}

/** As above, and nothing else. */
function checkBag(place: string, given: unknown, fields: Fields): Loose {
  const checked = checkFields(place, given, fields);
  checkNames(place, given, [...Object.keys(fields.wanted), ...Object.keys(fields.optional)]);
  return checked;
}

function thingWith(what: string, ...methods: readonly string[]): Expected {
  return {
    what: `${what}, with ${methods.join(", ")}`,
    fits: (given) => isLooseRecord(given) && methods.every((name) => isFunction(given[name])),
  };
}

function isStandardSchema(given: unknown): boolean {
  // That of some libraries is a function.
  const standard = typeof given === "object" || typeof given === "function" ? Object(given)["~standard"] : null;
  return isLooseRecord(standard) && isFunction(standard["validate"]);
}

function isPolicy(given: unknown): boolean {
  return isLooseRecord(given) && isFunction(given["judge"]) && isText(given["version"]);
}

function isHands(given: unknown): boolean {
  return isLooseRecord(given) && isFunction(given["plan"]) && isFunction(given["run"]);
}
