import { domainToASCII } from "node:url";
import type { Flow, FlowStep, InteractionOption } from "../../core/interaction/index.ts";
import { mostSteps } from "../../core/interaction/index.ts";
import { type Loose, looseRecord, looseText } from "../../wire/index.ts";
import type { FormAnswer, FormEnd } from "../types.ts";
import { isContrary } from "./expected.ts";
import { type FieldValue, type FormField, readFields } from "./fields.ts";
import { outsideLine, outsideText } from "./words.ts";

/** What a server is told: the person's values, that they said no, or that they said neither. */
export type Elicited =
  | { readonly said: "accept"; readonly content?: Readonly<Record<string, FieldValue>> }
  | { readonly said: "decline" | "cancel" };

type Ask = (flow: Flow) => Promise<FormEnd>;

const decline: InteractionOption = { id: "decline", label: "Decline" };
const mostFields = mostSteps * 5;
const mostMessage = 2_000;
const mostLines = 40;
const mostTries = 3;
/** Of what a person's model is asked for a server, the set-up and the question each. */
const mostSampled = { characters: 8_000, lines: 200 };

/** Who asks, and which secrets it knows; what is typed as one is added. */
type From = { readonly server: string; readonly known: Set<string> };

/** Puts what a server wants to know to a person, question by question (BRG-1). Pure but for `ask`. */
export async function elicit(from: From, params: unknown, ask: Ask): Promise<Elicited> {
  const { server } = from;
  const given = looseRecord(params);
  if (given["mode"] === "url") return await openPage(server, given, ask);
  const schema = looseRecord(given["requestedSchema"]);
  const properties = Object.entries(looseRecord(schema["properties"]));
  const isImpossible = properties.some(([, each]) => isContrary(looseRecord(each)));
  if (properties.length > mostFields || isImpossible) return { said: "decline" };
  const [alone] = readFields(from, schema, [decline]);
  if (properties.length === 1 && alone !== undefined && canStandAlone(alone)) {
    return await askAlone(alone, subjectOf(server, given, alone.step), ask);
  }
  const fields = readFields(from, schema, []);
  return await askForm({ from, fields, subject: subjectOf(server, given) }, ask);
}

/** A secret has no options, and of several options one cannot be to say no: these are asked about first. */
function canStandAlone({ step }: FormField): boolean {
  return step.sensitive !== true && step.multi_select !== true && step.options.some(({ id }) => id === decline.id);
}

type Subject = { readonly from: string; readonly message: string[] };

/** The server's words, as its own. */
function subjectOf(server: string, given: Loose, step?: FlowStep): Subject {
  const message = messageLines(looseText(given["message"]));
  const about = looseRecord(step?.subject)["message"];
  return { from: server, message: Array.isArray(about) ? [...message, ...about.map(String)] : message };
}

function messageLines(message: string): string[] {
  const lines = outsideText(message, mostMessage).split("\n");
  return lines.length <= mostLines ? lines : [...lines.slice(0, mostLines - 1), "…"];
}

async function askAlone(field: FormField, subject: Subject, ask: Ask): Promise<Elicited> {
  let step: FlowStep = { ...field.step, subject };
  for (let tries = 0; tries < mostTries; tries += 1) {
    const end = await ask({ steps: [step] });
    if (end.type === "unanswered") return { said: "cancel" };
    const answer = end.answers[step.key];
    if (answer === undefined) return { said: "cancel" };
    if (chose(answer, decline.id)) return { said: "decline" };
    const read = field.read(answer);
    if ("value" in read) return { said: "accept", content: contentOf([[field.name, read.value]]) };
    step = again(field, subject, read.wrong);
  }
  return { said: "cancel" };
}

type Form = { readonly from: From; readonly fields: readonly FormField[]; readonly subject: Subject };

async function askForm({ from: asker, fields, subject }: Form, ask: Ask): Promise<Elicited> {
  const first = await ask({ steps: [leadingStep(asker.server, fields, subject)] });
  if (first.type === "unanswered") return { said: "cancel" };
  if (!chose(first.answers["answer"], "answer")) return { said: "decline" };
  const values: [string, FieldValue | null][] = [];
  for (let from = 0; from < fields.length; from += mostSteps) {
    const some = await askSome({ from: asker, subject, fields: fields.slice(from, from + mostSteps) }, ask);
    if (some === null) return { said: "cancel" };
    values.push(...some);
  }
  return { said: "accept", content: contentOf(values) };
}

function leadingStep(server: string, fields: readonly FormField[], subject: Subject): FlowStep {
  const names = fields.map(({ label }) => label).join(", ");
  const what = fields.length === 0 ? `Does ${server} get your yes?` : `Do you answer what ${server} asks?`;
  const message =
    fields.length === 0 ? subject.message : [...subject.message, `it asks for: ${outsideLine(names, 500)}`];
  return {
    key: "answer",
    question: what,
    options: [{ id: "answer", label: fields.length === 0 ? "Yes" : "Answer" }, decline],
    allow_free_text: false,
    subject: { ...subject, message },
  };
}

/** The fields of one flow; what does not fit is asked for again, alone. */
async function askSome(
  { from: { server, known }, fields }: Form,
  ask: Ask,
): Promise<[string, FieldValue | null][] | null> {
  const values = new Map<string, FieldValue | null>();
  let steps = fields.map(({ step }) => step);
  for (let tries = 0; tries < mostTries && steps.length > 0; tries += 1) {
    const end = await ask({ steps });
    if (end.type === "unanswered") return null;
    const asked = fields.filter(({ step }) => steps.some(({ key }) => key === step.key));
    steps = asked.flatMap((field) => {
      const answer = end.answers[field.step.key];
      const read = answer === undefined ? { wrong: "an answer" } : field.read(answer);
      if ("wrong" in read) return [again(field, { from: server, message: [] }, read.wrong)];
      values.set(field.name, read.value);
      if (field.step.sensitive === true && typeof read.value === "string") known.add(read.value);
      return [];
    });
  }
  return steps.length > 0 ? null : fields.map(({ name }) => [name, values.get(name) ?? null]);
}

function again({ step }: FormField, subject: Subject, wrong: string): FlowStep {
  return { ...step, subject: { ...subject, message: [...subject.message, `That did not fit: expected ${wrong}.`] } };
}

/** What is left empty is not there at all. */
function contentOf(values: readonly (readonly [string, FieldValue | null])[]): Record<string, FieldValue> {
  return Object.fromEntries(values.flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}

function chose(answer: FormAnswer | undefined, id: string): boolean {
  return answer !== undefined && "options" in answer && answer.options.includes(id);
}

/** Assent opens nothing: the person sees where it leads, in full and with the host apart, and goes there or not. */
async function openPage(server: string, given: Loose, ask: Ask): Promise<Elicited> {
  const url = URL.parse(looseText(given["url"]));
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:") || url.username !== "") {
    return { said: "decline" };
  }
  const host = domainToASCII(url.hostname) || url.hostname;
  const message = [
    ...messageLines(looseText(given["message"])),
    `page: ${outsideLine(url.href, 4_096)}`,
    `host: ${host}`,
  ];
  const end = await ask({
    steps: [
      {
        key: "page",
        question: `Open the page of ${server} at ${host}?`,
        options: [{ id: "open", label: "Open", description: "open it yourself, in your browser" }, decline],
        allow_free_text: false,
        subject: { from: server, message },
      },
    ],
  });
  if (end.type === "unanswered") return { said: "cancel" };
  return { said: chose(end.answers["page"], "open") ? "accept" : "decline" };
}

/** What a server wants a person's model to be asked. */
export type Wanted = { readonly system: string; readonly text: string };

/** The same as a person can be shown it, and as the model then gets it; `null` where that is too much. */
export function wholeOf({ system, text }: Wanted): Wanted | null {
  const shown = { system: wholeText(system), text: wholeText(text) };
  return shown.system === null || shown.text === null ? null : { system: shown.system, text: shown.text };
}

function wholeText(text: string): string | null {
  const { characters, lines } = mostSampled;
  if (text.length > characters) return null;
  // What hides becomes longer when it is shown.
  const shown = outsideText(text, characters * 10);
  return shown.length > characters || shown.split("\n").length > lines ? null : shown;
}

/** A server wants the person's model to answer; nothing is sent before they have seen all of it and say so. */
export async function allowsSampling(server: string, whole: Wanted, ask: Ask): Promise<boolean> {
  const system = whole.system === "" ? [] : ["it sets the model up with:", ...whole.system.split("\n")];
  const end = await ask({
    steps: [
      {
        key: "model",
        question: `May ${server} have your model answer this?`,
        options: [{ id: "allow", label: "Allow" }, decline],
        allow_free_text: false,
        subject: { from: server, message: [...system, "it asks the model:", ...whole.text.split("\n")] },
      },
    ],
  });
  return end.type === "filled" && chose(end.answers["model"], "allow");
}
