import type { Integrations } from "../integrations/index.ts";
import {
  modelAdapter,
  quoted,
  type SlashCommand,
  type SlashPlace,
  type SlashResult,
  submit,
  told,
  unlessRefused,
  type Wrong,
  wrong,
} from "./command.ts";
import {
  beginSetUp,
  type Part,
  type Parted,
  readParts,
  refusedInside,
  runPart,
  setUpNamed,
  unasked,
} from "./connecting.ts";
import {
  findListed,
  integrationNames,
  listedIntegrations,
  shownIntegration,
  verifiedLines,
} from "./integrations-told.ts";
import { suggestion } from "./names.ts";

/** The tool whose hands remove what a person has said is to be removed. */
const removeTool = "integration_remove";

const service = { what: "a service", least: 1, most: 1 };
const parts: Readonly<Record<string, Part>> = {
  list: { what: "no argument", least: 0, most: 0, run: list },
  show: { ...service, run: show },
  verify: { what: "one service or none", least: 0, most: 1, run: verify },
  setup: { ...service, run: setUp },
  remove: { ...service, run: remove },
};

export const integrations: SlashCommand = {
  name: "integrations",
  usage: "/integrations [list | show <service> | verify [service] | setup <service> | remove <service>] [--json]",
  modelUsage: "/integrations [show <s>]",
  modelAsks: "/integrations verify [s] | remove <s>",
  does: "lists the services that are connected and that can be, tries them, sets one up or removes it",
  more:
    "verify makes one request with what was set up, and says passed, missing or failed. Secrets are kept for your eyes\n" +
    "only, and shown nowhere. --json lists one object a line.",
  examples: ["/integrations", "/integrations setup sentry", "/integrations verify", "/integrations show sentry --json"],
  tier: (given) => (["verify", "setup", "remove"].includes(readParts(given).part) ? "elevated" : "safe"),
  who: "anyone",
  withheld: (given) =>
    readParts(given).part === "setup" ? "setting up is a person's; run_interactive begins it for them" : null,
  complete: (typed, { around }) => completed(typed, around.integrations),
  run: (given, place) => runPart(parts, given, place),
};

function completed(typed: string, all: Integrations): readonly string[] {
  const [part = "", ...more] = typed.trimStart().split(/\s+/u);
  const own = all.configured().map(({ name }) => name);
  if (more.length === 0) return Object.keys(parts);
  if (more.length > 1) return part === "show" || part === "verify" ? ["--json"] : [];
  switch (part) {
    case "list":
      return ["--json"];
    case "show":
      return [...own, ...all.catalogue.entries().map(({ name }) => name)];
    case "setup":
      return all.catalogue.entries().map(({ name }) => name);
    case "verify":
    case "remove":
      return own;
    default:
      return [];
  }
}

function list({ json }: Parted, { around }: SlashPlace): SlashResult {
  const problems = around.integrations.problems();
  const problemLines = problems.map((problem) => (json ? JSON.stringify({ problem }) : `cannot be read: ${problem}`));
  return told([...listedIntegrations(around.integrations, { json }), ...problemLines].join("\n"));
}

function show({ words: [typed = ""], json }: Parted, { around }: SlashPlace): SlashResult {
  const found = findListed(around.integrations, typed);
  if (found === null) return unknownService(typed, around.integrations);
  return told(shownIntegration(around.integrations, found, { json }).join("\n"));
}

export function unknownService(typed: string, all: Integrations): Wrong {
  return wrong(`no service is named ${quoted(typed)}${suggestion(typed, integrationNames(all))}`);
}

async function verify({ words: [typed], json }: Parted, { around, session, signal }: SlashPlace): Promise<SlashResult> {
  const { integrations: all } = around;
  const names = typed === undefined ? all.configured().map(({ name }) => name) : verifiable(typed, all);
  if (names === null) return unknownService(typed ?? "", all);
  if (names.length === 0) return told("nothing is set up; /integrations lists what can be");
  const checked = await Promise.all(
    names.map(async (name) => ({ name, checked: await all.verify(name, unasked(session, signal)) })),
  );
  return told(verifiedLines(checked, { json }).join("\n"));
}

/** What can be set up is missing; `null` where there is no such thing. */
export function verifiable(typed: string, all: Integrations): readonly string[] | null {
  const name = all.find(typed)?.name ?? all.catalogue.find(typed)?.name;
  return name === undefined ? null : [name];
}

function setUp({ words: [typed = ""] }: Parted, place: SlashPlace): SlashResult {
  const wanted = setUpNamed(place.around.integrations, typed);
  if (wanted === null) return unknownService(typed, place.around.integrations);
  return refusedInside() ?? beginSetUp(wanted, `/integrations setup ${typed}`, place);
}

/** A person is asked in a flow of their own; what a model asks for has been approved when it comes here. */
async function remove({ words: [typed = ""] }: Parted, place: SlashPlace): Promise<SlashResult> {
  const { integrations: all } = place.around;
  const found = all.find(typed);
  if (found === null && all.catalogue.find(typed) !== null) return wrong(`${typed} is not set up`);
  if (found === null) {
    const known = all.configured().map(({ name }) => name);
    return wrong(`nothing is set up under the name ${quoted(typed)}${suggestion(typed, known)}`);
  }
  const refused = refusedInside();
  if (refused !== null) return refused;
  const { name } = found;
  if (place.by.adapter !== modelAdapter) return askToRemove(name, place);
  const failed = await all.remove(name);
  return failed === null ? told(`${name} is removed, with its secrets`) : wrong(failed.failed);
}

function askToRemove(name: string, place: SlashPlace): SlashResult {
  const step = {
    key: "remove",
    question: `Remove ${name} and its secrets?`,
    options: [
      { id: "remove", label: "Remove" },
      { id: "keep", label: "Keep" },
    ],
    allow_free_text: false,
  };
  const line = `/integrations remove ${name}`;
  const call = { tool: removeTool, arguments: JSON.stringify({ name }) };
  const { refusal } = submit(place, { type: "flow", flow: { steps: [step] }, name: line, ...call });
  return unlessRefused(place, refusal, told(`${name} stays unless you say so`));
}
