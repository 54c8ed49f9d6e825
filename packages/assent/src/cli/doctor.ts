import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { exitCodes } from "../adapters/headless/index.ts";
import { visibleLine } from "../core/index.ts";
import {
  badUrl,
  type ConfiguredModel,
  catalogue,
  type Environment,
  firstModel,
  isLoopback,
  isSound,
  keyIn,
  keyVariables,
  type LookedFor,
  namedPlace,
  namedVariables,
  placeOf,
  unsoundKey,
  usualSettings,
} from "../providers/index.ts";
import { openSqliteJournal } from "../runtime/index.ts";
import { findProgram } from "../tools/index.ts";
import { messageOf } from "../wire/index.ts";
import { readFlags, suggestion, UsageError } from "./flags.ts";
import {
  askServer,
  type ChosenModel,
  chooseModel,
  configureModel,
  countedModels,
  type Looked,
  lookForServers,
  modelSettings,
  modelsFile,
  moreTime,
  type NamedServer,
  scriptOf,
  wholeName,
  writtenModels,
} from "./model.ts";
import { openModel } from "./open.ts";
import { stdout } from "./output.ts";
import { assentHome } from "./places.ts";
import { ruleFiles, rulesIn } from "./rules.ts";
import { modelEnvironment } from "./saved-model.ts";
import { doctorSpec } from "./specs/others.ts";

/** `absent` is nothing to worry about; `problem` is. */
type Finding = { readonly status: "ok" | "absent" | "problem"; readonly what: string; readonly why: string };

/** `assent doctor`: what is there and what is not, one line each; nothing is asked of any model but with --live. */
export async function doctor(argv: readonly string[]): Promise<number> {
  const given = readFlags(argv, doctorSpec);
  const json = given.has("json");
  if (given.has("live")) {
    const name = wholeName(await chooseModel(given.text("model"), null));
    return (await import("./doctor-live.ts")).examine(name, { json });
  }
  const tell = (finding: Finding) => stdout.write(`${json ? JSON.stringify(finding) : describe(finding)}\n`);
  const model = await lookAtAll(tell, (looked) => chooseModel(given.text("model"), null, looked));
  return model.status === "ok" ? exitCodes.done : exitCodes.failed;
}

/** The same as a text, with the model that is in use, if one is. */
export async function doctorText(used: string | null): Promise<string> {
  const lines: string[] = [];
  const choose = async (looked: Looked) =>
    used === null ? chooseModel(undefined, null, looked) : { name: used, by: "in use", found: false };
  await lookAtAll((finding) => lines.push(describe(finding)), choose);
  return lines.join("\n");
}

type Choose = (looked: Looked) => Promise<ChosenModel>;

/** Tells each as soon as it is known; the last one, the model, is returned as well. */
async function lookAtAll(tell: (finding: Finding) => void, choose: Choose): Promise<Finding> {
  for (const look of [node, home, journal, shell]) tell(await look());
  for (const [program, without] of Object.entries(programs)) tell(await optionalProgram(program, without));
  tell(await pty());
  for (const finding of keys()) tell(finding);
  const named = await places(tell);
  const servers = await findAll(tell);
  tell(file());
  for (const finding of await policyFiles()) tell(finding);
  tell(await settings());
  const model = await usedModel(() => choose({ servers: async () => servers, named }), named);
  tell(model);
  return model;
}

const marks = { ok: "ok", absent: "--", problem: "!!" } as const;

function describe({ status, what, why }: Finding): string {
  return `${marks[status]}  ${what.padEnd(20)} ${why}`;
}

function ok(what: string, why: string): Finding {
  return { status: "ok", what, why: visibleLine(why) };
}

function absent(what: string, why: string): Finding {
  return { status: "absent", what, why: visibleLine(why) };
}

function problem(what: string, why: string): Finding {
  return { status: "problem", what, why: visibleLine(why) };
}

function node(): Finding {
  return ok("Node", `${process.versions.node} at ${process.execPath}`);
}

function home(): Finding {
  const folder = assentHome();
  try {
    const found = statSync(folder, { throwIfNoEntry: false });
    if (found === undefined) return homeToBe(folder);
    if (!found.isDirectory()) return problem("home", `${folder} is not a folder`);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    const mode = (found.mode & 0o777).toString(8);
    if ((found.mode & 0o077) === 0) return ok("home", `${folder} is yours alone (${mode})`);
    return problem("home", `${folder} is open to others (${mode}): chmod 700 it`);
  } catch (error) {
    return problem("home", `${folder} cannot be written: ${messageOf(error)}`);
  }
}

/** The first session makes it, if what there is of its path already lets it. */
function homeToBe(folder: string): Finding {
  let parent = dirname(folder);
  while (!existsSync(parent)) parent = dirname(parent);
  if (!statSync(parent).isDirectory()) return problem("home", `${folder} cannot be made: ${parent} is not a folder`);
  accessSync(parent, constants.W_OK | constants.X_OK);
  return absent("home", `${folder} is not there yet; the first session makes it`);
}

/** Looked at only when it is there: opening makes one. */
function journal(): Finding {
  const file = join(assentHome(), "journal.db");
  if (!existsSync(file)) return absent("journal", "no sessions yet");
  try {
    const opened = openSqliteJournal(file);
    const { sessions, damage } = opened.outline();
    opened.close();
    if (damage.length === 0) return ok("journal", `sessions: ${sessions.length}`);
    return problem("journal", `${damage.length} of ${sessions.length} sessions cannot be read whole`);
  } catch (error) {
    return problem("journal", messageOf(error));
  }
}

async function shell(): Promise<Finding> {
  const name = process.env["ASSENT_SHELL"] || "bash";
  const [found, bash] = [await findProgram(name), await findProgram("bash")];
  if (found !== null && bash !== null) return ok("shell", found);
  const missed = found !== null || name === "bash" ? "bash" : `${name}, which ASSENT_SHELL names,`;
  return problem("shell", `${missed} was not found on PATH: commands cannot be run`);
}

const programs = {
  ripgrep: ["rg", "files are searched without it, more slowly"],
  git: ["git", "what git ignores is still known; its own commands are not there"],
} as const;

async function optionalProgram(what: string, [program, without]: readonly [string, string]): Promise<Finding> {
  const found = await findProgram(program);
  return found === null ? absent(what, `not found on PATH; ${without}`) : ok(what, found);
}

async function pty(): Promise<Finding> {
  try {
    await import("@lydell/node-pty");
    return ok("pty", "programs that want one can be given one");
  } catch {
    return absent("pty", "node-pty is not there: programs that want a terminal get none");
  }
}

/** That a key is there and how long it is; never what it is. */
function keys(): readonly Finding[] {
  const env = modelEnvironment();
  return keyVariables.map((name) => {
    const key = keyIn(env, name);
    if (key === null) return absent(name, "not set");
    const characters = `${key.length} ${key.length === 1 ? "character" : "characters"}`;
    const known = `${keyIn(process.env, name) === null ? "saved" : "set"}, ${characters}`;
    return isSound(key) ? ok(name, known) : problem(name, `${known}: ${unsoundKey}`);
  });
}

/** Only those that a person has set; a server on this machine is asked for its models. */
async function places(tell: (finding: Finding) => void): Promise<readonly NamedServer[]> {
  const entries = new Map(catalogue.map((entry) => [entry.baseVariable, entry]));
  const env = modelEnvironment();
  const named: NamedServer[] = [];
  for (const [variable, entry] of entries) {
    if (!env[variable]) continue;
    const place = placeOf(entry, env);
    const server = await askNamed(variable, env);
    if (server !== null) named.push(server);
    if (place.type !== "place") tell(problem(variable, badUrl(place)));
    else tell(server === null ? ok(variable, place.url.href) : ofNamed(server));
  }
  return named;
}

/** The usual servers of this machine are asked all at once, these one by one: `null` for what is one of those, or elsewhere. */
async function askNamed(variable: string, env: Environment): Promise<NamedServer | null> {
  const place = namedVariables(env).includes(variable) ? namedPlace(variable, env) : null;
  if (place === null) return null;
  try {
    const { name, baseUrl, host } = place;
    const server = await askServer({ name, baseUrl });
    return server === undefined ? null : { variable, host, server };
  } catch (error) {
    // How long it may take is set to what is no number: that is told where the others are looked for.
    if (error instanceof UsageError) return null;
    throw error;
  }
}

function ofNamed({ variable, server }: NamedServer): Finding {
  const { status, why } = ofServer(server);
  const name = firstModel([server]);
  const only = server.type === "found" && server.models.length === 1;
  const how = name === null ? pathHint(server) : `; --model ${name} names ${only ? "it" : "one"}`;
  return { status, what: variable, why: `${why}${how}` };
}

/** What is wrong with how they are looked for is told instead of them. */
async function findAll(tell: (finding: Finding) => void): Promise<readonly LookedFor[]> {
  try {
    const servers = await lookForServers();
    for (const server of servers) tell(ofServer(server));
    return servers;
  } catch (error) {
    tell(problem("servers", messageOf(error)));
    return [];
  }
}

function ofServer(server: LookedFor): Finding {
  const { name, baseUrl } = server;
  if (server.type === "missing") return absent(name, `${baseUrl}: ${whyMissing(server)}`);
  const { models } = server;
  if (models.length === 0) return absent(name, `${baseUrl}: it has no models`);
  return ok(name, `${baseUrl}: ${countedModels(models)}`);
}

function whyMissing({ why, detail }: Extract<LookedFor, { readonly type: "missing" }>): string {
  return `${why}: ${detail}${why === "time-out" ? `; ${moreTime}` : ""}`;
}

/** Something answers there, and the path is not where an API usually is. */
function pathHint(server: LookedFor): string {
  const isElsewhere = server.type === "missing" && server.why === "not a model server";
  return isElsewhere && !/\/v\d\w*$/.test(server.baseUrl) ? "; the base URL usually ends with /v1" : "";
}

function file(): Finding {
  try {
    const { size } = writtenModels();
    return size === 0 ? absent("models.json", `nothing in ${modelsFile()}`) : ok("models.json", `models: ${size}`);
  } catch (error) {
    return problem("models.json", messageOf(error));
  }
}

/** The rules that people have written, for themselves and for this folder: while one is broken, everything asks. */
async function policyFiles(): Promise<readonly Finding[]> {
  const here = process.cwd();
  const found = ruleFiles(here).flatMap((path) => {
    const written = rulesIn(path);
    return written === null ? [] : [{ path, written }];
  });
  if (found.length === 0) return [absent("policy.json", `neither ${ruleFiles(here).join(" nor ")} is there`)];
  // Knows thousands of programs: only whoever has rules waits for it.
  const { machineContradiction } = await import("../runtime/machine-policy.ts");
  return found.map(({ path, written }) => {
    const fault = written.type === "broken" ? written.reason : machineContradiction(written.rules, here);
    if (fault !== null) return problem("policy.json", `${path}: ${fault}; until it is mended everything asks`);
    const { length } = written.type === "read" ? written.rules : [];
    return ok("policy.json", `${path}: ${length} ${length === 1 ? "rule" : "rules"}`);
  });
}

async function settings(): Promise<Finding> {
  try {
    const { connectMs, firstEventMs, idleMs, retries } = { ...(await usualSettings()), ...modelSettings() };
    const times = `connect ${connectMs} ms, first event ${firstEventMs} ms, idle ${idleMs} ms`;
    return ok("settings", `${times}, retries ${retries}`);
  } catch (error) {
    return problem("settings", messageOf(error));
  }
}

/** Which model would be used, and whether it could be. */
async function usedModel(choose: () => Promise<ChosenModel>, named: readonly NamedServer[]): Promise<Finding> {
  try {
    const chosen = await choose();
    const name = wholeName(chosen);
    // Reads the script, if it is one.
    openModel(name);
    if (scriptOf(name) !== null) return ok("model", `${name} (${chosen.by})`);
    const known = `${name} (${chosen.by})${knownOf(chosen)}`;
    const fault = await faultAt(chosen, named);
    return fault === null ? ok("model", known) : problem("model", `${known}; ${fault}`);
  } catch (error) {
    if (error instanceof UsageError) return problem("model", error.message);
    throw error;
  }
}

/** What is on this machine can be asked whether it is there and has the model; nothing else is asked without --live. */
async function faultAt(chosen: ChosenModel, named: readonly NamedServer[]): Promise<string | null> {
  const { target } = configureModel(chosen);
  if (!isLoopback(new URL(target.baseUrl).hostname)) return null;
  const path = target.name.startsWith("anthropic:") ? "/v1" : "";
  const baseUrl = `${target.baseUrl}${path}`;
  const asked = named.find((each) => each.server.baseUrl === baseUrl)?.server;
  const server = asked ?? (await askServer({ name: "model", baseUrl }));
  if (server?.type === "found") return whyNotListed(target, server.models);
  if (server === undefined) return null;
  return `${whyMissing(server)}${pathHint(server)}`;
}

/** Ollama lists `name:latest` for `name`; llama.cpp answers with the model that it has, whatever the name. */
function whyNotListed({ name, model }: ConfiguredModel["target"], models: readonly string[]): string | null {
  if (name.startsWith("llama.cpp:") || models.includes(model) || models.includes(`${model}:latest`)) return null;
  if (models.length === 0) return "the server has no models";
  return `${model} is not among what the server lists (${countedModels(models)})${suggestion(model, models)}`;
}

function knownOf(chosen: ChosenModel): string {
  const { target, context, prices } = configureModel(chosen);
  const parts = [
    `at ${target.baseUrl}`,
    context === null ? "window not known" : `window ${context} tokens`,
    target.mostOutput === null ? "" : `replies of at most ${target.mostOutput} tokens`,
    prices === null ? "" : "prices known",
  ];
  return `, ${parts.filter((part) => part !== "").join(", ")}`;
}
