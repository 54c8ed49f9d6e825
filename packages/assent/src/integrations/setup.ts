import type { Flow, FlowState, FlowStep, StepAnswer } from "../core/index.ts";
import type { Catalogue } from "./catalogue.ts";
import { namedIn, openSecret, openSecretLine, readServerCommand } from "./command-words.ts";
import { fillUrl, readWholeUrl } from "./template.ts";
import { type CatalogueEntry, type Configured, type Failed, type Field, failed } from "./types.ts";

/** What a person has said already: fields that are no secrets by their keys, and `name` where the entry is named. */
export type Known = Readonly<Record<string, string>>;

/** A flow as it stands when it is confirmed, such as `Place.flow`. */
export type Filled = { readonly flow: Flow; readonly state: FlowState };

/** What a person filled in; of each secret the name under which the session keeps it. */
export type Given = {
  readonly name: string;
  readonly service: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  /** Where the person was: a command that they typed means what it means there. */
  readonly folder?: string;
};

/** What a person types, or chooses, to leave something out. */
const nothing = { typed: "none", label: "None" } as const;
/** A shorter secret would be found in ordinary texts: all of these would be hidden, and what names it could not be run (INTG-4). */
const longEnough = { pattern: String.raw`\S.{6,}\S`, expected: "at least 8 characters" } as const;
const usualId = "usual";
const nameKey = "name";

const nameField: Field = {
  key: nameKey,
  question: "What should it be called?",
  secret: false,
  pattern: "[a-z0-9][a-z0-9-]{0,23}",
  expected: "lower-case letters, digits and dashes, at most 24",
};

/** The questions that are left: a step for each field, the name first where it gets one; `null` when all is known (FLOW-5). */
export function setUpFlow(entry: CatalogueEntry, known: Known): Flow | null {
  const steps = asked(entry, known).map((field) => stepOf(field, entry, known));
  return steps.length === 0 ? null : { steps };
}

/** Everything that can be asked about. */
export function fieldsOf({ named, fields }: CatalogueEntry): readonly Field[] {
  return named ? [nameField, ...fields] : fields;
}

/** Of secrets nothing is known before they are typed where nobody sees them. */
function asked(entry: CatalogueEntry, known: Known): readonly Field[] {
  return fieldsOf(entry).filter(({ key, secret }) => {
    if (secret) return !isNeedless(key, entry, known);
    return !Object.hasOwn(known, key);
  });
}

/** A command that does not say where its token goes has no use for one. */
function isNeedless(key: string, { tools }: CatalogueEntry, known: Known): boolean {
  if (tools.type !== "mcp-given" || tools.token !== key) return false;
  const address = known[tools.address];
  return address !== undefined && !isUrl(address) && !address.includes(`{${key}}`);
}

function stepOf(field: Field, entry: CatalogueEntry, known: Known): FlowStep {
  const { key, secret, find } = field;
  const host = hostFor(field, entry, known);
  const message = [...(find === undefined ? [] : [find]), ...(host === null ? [] : [`it is sent to ${host}`])];
  return {
    key,
    question: questionOf(field),
    options: secret ? [] : optionsOf(field),
    allow_free_text: true,
    ...(secret ? { sensitive: true } : {}),
    ...schemaOf(withoutOpenSecret(field, entry)),
    ...(message.length === 0 ? {} : { subject: { from: entry.title, message } }),
  };
}

/** A command has its secret by `{token}`; one that was typed as it is would be in the journal once it was taken. */
function withoutOpenSecret(field: Field, { tools }: CatalogueEntry): Field {
  const { key, pattern = ".*", expected = "a command or a URL" } = field;
  if (tools.type !== "mcp-given" || tools.address !== key) return field;
  return {
    ...field,
    pattern: `(?!${openSecretLine})(?:${pattern})`,
    expected: `${expected}, with NAME={${tools.token}} where a secret goes`,
  };
}

/** Whoever enters a token sees whom it goes to: the address may be another's idea. */
function hostFor({ key }: Field, { tools }: CatalogueEntry, known: Known): string | null {
  if (tools.type !== "mcp-given" || tools.token !== key) return null;
  return URL.parse(known[tools.address] ?? "")?.host || null;
}

/** A text that nobody sees cannot be left empty: a word stands for that. */
function questionOf({ question, secret, optional }: Field): string {
  return secret && optional ? `${question.replace(/\?$/, "")}, or ${nothing.typed} where it needs none?` : question;
}

function optionsOf({ usual, optional }: Field): FlowStep["options"] {
  return [
    ...(usual === undefined ? [] : [{ id: usualId, label: usual }]),
    ...(optional ? [{ id: nothing.typed, label: nothing.label }] : []),
  ];
}

function schemaOf(field: Field): Pick<FlowStep, "response_schema"> {
  const { secret, optional } = field;
  const pattern = patternOf(field);
  if (pattern === undefined) return {};
  const expected = field.expected ?? (secret && field.pattern === undefined ? longEnough.expected : undefined);
  const whole = secret && optional ? `${nothing.typed}|${pattern}` : pattern;
  return {
    response_schema: {
      type: "string",
      // What is pasted often has a blank at its end.
      pattern: String.raw`\s*(?:${whole})\s*`,
      ...(expected === undefined ? {} : { description: expected }),
    },
  };
}

/** What a value must be as a whole. A secret has its least length, whatever else it must be. */
function patternOf({ pattern, secret }: Field): string | undefined {
  if (!secret) return pattern;
  return pattern === undefined ? longEnough.pattern : `(?=${longEnough.pattern})(?:${pattern})`;
}

/** What else is there, so that each name means one thing. */
type Others = { readonly catalogue: Catalogue; readonly configured: readonly Configured[] };

/** What the flow has found out and what was known, checked; nothing of it is a secret. */
export function given(
  entry: CatalogueEntry,
  known: Known,
  { filled, ...others }: Others & { readonly filled: Filled | null },
): Given | Failed {
  const answers = new Map((filled?.state.answers ?? []).map(({ key, answer }) => [key, answer]));
  const read = fieldsOf(entry).map((field) => ({ field, value: givenFor(field, answers.get(field.key), known) }));
  for (const { field, value } of read) {
    const wrong = faultOf(field, value);
    if (wrong !== null) return failed(`${field.key}: ${wrong}`);
  }
  const valuesOf = (secret: boolean) =>
    Object.fromEntries(
      read.flatMap(({ field, value }) => (value === null || field.secret !== secret ? [] : [[field.key, value]])),
    );
  const { [nameKey]: name = "", ...fields } = { [nameKey]: entry.name, ...valuesOf(false) };
  const result: Given = { name, service: entry.name, fields, secrets: valuesOf(true) };
  const wrong = nameFault(result, others) ?? addressFault(entry, result);
  return wrong === null ? result : failed(wrong);
}

/** Of a secret, under which name it is kept. */
function givenFor(field: Field, answer: StepAnswer | undefined, known: Known): string | null {
  if (field.secret) return answer?.type === "set" ? answer.secret : null;
  return textOf(field, answer) ?? (known[field.key]?.trim() || null);
}

function textOf({ usual, optional }: Field, answer: StepAnswer | undefined): string | null {
  if (answer?.type === "selected") return answer.options[0] === usualId ? (usual ?? null) : null;
  // Typed in full, the label of an option is a text like any other.
  return answer?.type === "free-text" ? leftOut(answer.text, optional) || null : null;
}

function leftOut(typed: string, optional: true | undefined): string | null {
  const text = typed.trim();
  return optional && text.toLowerCase() === nothing.typed ? null : text;
}

function faultOf(field: Field, text: string | null): string | null {
  if (text === null) return field.optional ? null : "is missing";
  return field.secret || fits(field, text)
    ? null
    : `expected ${field.expected ?? "another text"}, found ${JSON.stringify(text)}`;
}

/** One line that matches as a whole. Also of a secret, which must not be shown. */
export function fits(field: Field, text: string): boolean {
  const pattern = patternOf(field);
  // Such a character would end a header, and what comes after it would be another.
  if (/[\p{Cc}\u2028\u2029]/u.test(text)) return false;
  return pattern === undefined || new RegExp(`^(?:${pattern})$`, "u").test(text);
}

/** Each name means one thing. */
function nameFault({ name, service }: Given, { catalogue, configured }: Others): string | null {
  const meant = catalogue.find(name);
  if (meant !== null && meant.name !== service) return `name: ${name} is what ${meant.title} is called`;
  if (meant?.named) return `name: ${name} is what all of them are called`;
  const other = configured.find((each) => each.name === name);
  return other === undefined || other.service === service ? null : `name: ${name} is set up for ${other.service}`;
}

/** Where requests would go is known before anything is saved. */
function addressFault(entry: CatalogueEntry, { fields, secrets }: Given): string | null {
  const { tools, verify } = entry;
  // Only the places of the secrets count here.
  const values = { ...fields, ...Object.fromEntries(Object.keys(secrets).map((key) => [key, "x"])) };
  if (tools.type === "mcp-given") return givenFault(fields[tools.address] ?? "", tools);
  const urls = [...(verify === null ? [] : [verify.url]), ...(tools.type === "mcp-url" ? [tools.url] : [])];
  for (const url of urls) {
    const filled = fillUrl(url, values);
    if (filled.type === "broken") return filled.reason;
  }
  return null;
}

const urlExpected =
  "expected a URL such as https://example.com, without a name or password in it; http only to this machine";

function givenFault(
  given: string,
  { address, token }: { readonly address: string; readonly token: string },
): string | null {
  const read = isUrl(given) ? readWholeUrl(given) : readServerCommand(given, [token]);
  // A reason that repeats a URL would repeat the password in it.
  if (read.type === "broken") return `${address}: ${isUrl(given) ? urlExpected : read.reason}`;
  if (/^[^:]+:\/\/[^/]*\{/.test(given)) return `${address}: {${token}} goes behind the host, in the path or the query`;
  const variable = openSecret(read.type === "words" ? namedIn(read) : [...read.url.searchParams], token);
  if (variable === null) return null;
  const before = read.type === "words" && !Object.hasOwn(read.env, variable) ? " before the command" : "";
  return `${address}: ${variable} looks like a secret, and what stands here is shown: write ${variable}={${token}}${before}, and it is asked for where nobody sees it`;
}

/** Before it is recorded what a person has said: a secret may be in it. */
export function knownFault({ tools }: CatalogueEntry, known: Known): string | null {
  const given = tools.type === "mcp-given" ? known[tools.address] : undefined;
  return tools.type === "mcp-given" && given !== undefined ? givenFault(given, tools) : null;
}

export function isUrl(address: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(address);
}

/** A token that nothing would use, or the lack of one that is wanted; said without its value. */
export function tokenFault({ tools }: CatalogueEntry, fields: Known, secrets: Known): string | null {
  if (tools.type !== "mcp-given") return null;
  const { address, token } = tools;
  const command = fields[address] ?? "";
  const [wanted, there] = [command.includes(`{${token}}`), Object.hasOwn(secrets, token)];
  if (wanted === there || (isUrl(command) && !wanted)) return null;
  if (wanted) return `${token}: is missing`;
  return `${token}: the command does not say where it goes, as in TOKEN={${token}} npx …`;
}

/** A secret as it was typed: `null` where a person said that there is none. */
export function secretTyped({ optional }: Field, typed: string): string | null {
  return leftOut(typed, optional);
}
