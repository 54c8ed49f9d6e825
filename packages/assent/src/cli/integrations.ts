import { exitCodes } from "../adapters/headless/index.ts";
import type { Integrations } from "../integrations/index.ts";
import {
  findListed,
  listedIntegrations,
  setUpInput,
  setUpNamed,
  shownIntegration,
  unasked,
  unknownService,
  verifiable,
  verifiedLines,
} from "../slash/index.ts";
import { type Given, partOf, readFlags, suggestion, UsageError } from "./flags.ts";
import { followExchange, waysOf } from "./follow.ts";
import { refuseInsideRun } from "./inside.ts";
import { openMachineIntegrations } from "./integrating.ts";
import { made, openAssent, person } from "./open.ts";
import { stderr, stdout } from "./output.ts";
import { integrationsSpec } from "./specs/integrations.ts";

const { parts } = integrationsSpec;

/** `assent integrations`: what `/integrations` does, for those who are in no session (INTG-2). */
export async function integrations(argv: readonly string[]): Promise<number> {
  const [first, ...rest] = argv;
  if (first === undefined || first.startsWith("-")) return list(readFlags(argv, integrationsSpec));
  const part = partOf("integrations", first, parts);
  switch (part) {
    case "list":
      return list(readFlags(rest, parts.list));
    case "show":
      return show(rest);
    case "verify":
      return verify(rest);
    case "setup":
      return setUp(rest);
    case "remove":
      return remove(rest);
    default:
      return part satisfies never;
  }
}

function list(given: Given): number {
  const all = openMachineIntegrations();
  print(listedIntegrations(all, { json: given.has("json") }));
  const problems = all.problems();
  for (const problem of problems) stderr.write(`assent: cannot be read: ${problem}\n`);
  return problems.length === 0 ? exitCodes.done : exitCodes.failed;
}

function show(argv: readonly string[]): number {
  const given = readFlags(argv, parts.show);
  const [typed = ""] = given.arguments;
  const all = openMachineIntegrations();
  const found = findListed(all, typed);
  if (found === null) throw unknown(typed, all);
  print(shownIntegration(all, found, { json: given.has("json") }));
  return exitCodes.done;
}

async function verify(argv: readonly string[]): Promise<number> {
  const given = readFlags(argv, parts.verify);
  const [typed] = given.arguments;
  const all = openMachineIntegrations();
  const names = typed === undefined ? all.configured().map(({ name }) => name) : verifiable(typed, all);
  if (names === null) throw unknown(typed ?? "", all);
  if (names.length === 0) stderr.write("assent: nothing is set up\n");
  try {
    const checked = await Promise.all(
      names.map(async (name) => ({ name, checked: await all.verify(name, unasked("verify")) })),
    );
    print(verifiedLines(checked, { json: given.has("json") }));
    return checked.every(({ checked: { status } }) => status === "passed") ? exitCodes.done : exitCodes.failed;
  } finally {
    await all.servers.closeAll();
  }
}

/** A flow in a session of its own: its questions can be answered from anywhere, as any (FLOW-5). */
async function setUp(argv: readonly string[]): Promise<number> {
  const given = readFlags(argv, parts.setup);
  const [typed = ""] = given.arguments;
  const ways = waysOf(given);
  const refused = refuseInsideRun(changing);
  if (refused !== null) return refused;
  const { host, integrations: all } = openAssent(ways);
  try {
    const wanted = setUpNamed(all, typed);
    if (wanted === null) throw unknown(typed, all);
    const session = made(host.create({ cwd: process.cwd(), limits: {} }));
    const { refusal } = host.submit(session, {
      ...withExpiry(setUpInput(wanted, { line: `/integrations setup ${typed}`, integrations: all }), ways.expiryMs),
      ...{ by: person("integrations"), authority: "act" },
    });
    if (refusal !== null) throw new UsageError(`${typed}: ${refusal.detail}`);
    return await followExchange(host, { session, exchange: 1, after: 0, joins: false, given });
  } finally {
    await host.close();
  }
}

function withExpiry(input: ReturnType<typeof setUpInput>, expiryMs: number | null): ReturnType<typeof setUpInput> {
  if (input.type === "command" || expiryMs === null) return input;
  return { ...input, flow: { ...input.flow, timeout_ms: expiryMs } };
}

/** The whole line was typed for nothing else: who types it is not asked once more. */
async function remove(argv: readonly string[]): Promise<number> {
  const [typed = ""] = readFlags(argv, parts.remove).arguments;
  const refused = refuseInsideRun(changing);
  if (refused !== null) return refused;
  const all = openMachineIntegrations();
  const found = all.find(typed);
  if (found === null) {
    const near = suggestion(
      typed,
      all.configured().map(({ name }) => name),
    );
    throw new UsageError(`nothing is set up under the name ${JSON.stringify(typed)}${near}`);
  }
  const failed = await all.remove(found.name);
  stderr.write(`assent: ${failed === null ? `${found.name} is removed, with its secrets` : failed.failed}\n`);
  return failed === null ? exitCodes.done : exitCodes.failed;
}

/** What is connected is not an agent's to change (APPR-10). */
const changing = "change what is connected";

function unknown(typed: string, all: Integrations): UsageError {
  return new UsageError(unknownService(typed, all).problem);
}

function print(lines: readonly string[]): void {
  for (const line of lines) stdout.write(`${line}\n`);
}
