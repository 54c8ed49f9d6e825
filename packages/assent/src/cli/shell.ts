import { basename } from "node:path";
import { loadMarkdown, Shell, shortModel, typedLines, wantsTerminal } from "../adapters/shell/index.ts";
import type { Limits } from "../core/index.ts";
import { terminalName } from "../runtime/index.ts";
import { openRedacting } from "../runtime/redaction.ts";
import { type Said, saidSystem } from "../show/index.ts";
import type { Surroundings } from "../slash/index.ts";
import { enteredCommand } from "../tools/index.ts";
import { openSurrounded, type Surrounded } from "./around.ts";
import { whyNotAttached } from "./attaching.ts";
import { type Given, readFlags } from "./flags.ts";
import { waysOf } from "./follow.ts";
import { refuseInsideRun } from "./inside.ts";
import { checkCost, readLimits } from "./limits.ts";
import { made, person } from "./open.ts";
import { assentHome } from "./places.ts";
import { shellSpec } from "./specs/following.ts";
import { earlierSession, folder, type StartedModel, sessionMaker, startModel } from "./starting.ts";
import { tourGuide, tourTurns } from "./tour.ts";

/** `assent`: the shell (CLI-1). Where there is no terminal, what is piped in is done line by line. */
export async function shell(argv: readonly string[], root: string): Promise<number> {
  const given = readFlags(argv, shellSpec);
  const refused = refuseInsideRun("open a shell");
  if (refused !== null) return refused;
  const goesOn = given.has("session") || given.has("continue");
  const limits = readLimits(given, { isNew: !goesOn });
  const assent = openSurrounded(waysOf(given));
  try {
    const { stdin, stdout } = process;
    if (!stdin.isTTY || !stdout.isTTY) return await (await import("./piped.ts")).piped(assent, { given, limits, root });
    return await openShell(assent, { given, limits });
  } finally {
    await assent.host.close();
  }
}

type Opening = { readonly given: Given; readonly limits: Partial<Limits> };

async function openShell(assent: Surrounded, { given, limits }: Opening): Promise<number> {
  const { host, around } = assent;
  const earlier = earlierSession(host, given, { reads: true });
  const cwd = folder(given.text("cwd"));
  const tour = process.env["ASSENT_TOUR"];
  const bounds = tour === undefined ? limits : { ...limits, turns: tourTurns };
  const begin = sessionMaker(assent, { cwd, limits: bounds });
  const starting = startModel(assent, given.text("model"), earlier === null ? null : host.view(earlier).model);
  // What is known without asking anybody is known after a moment.
  const model = await Promise.race([starting, nextMoment()]);
  if (model !== null && "name" in model) checkCost(limits, model.name);
  const session = earlier ?? made(begin());
  const opened = new Shell({
    ...{ host, around, session, begin, wantsTerminal, whyNotAttached },
    person: person(["shell", terminalName()].filter(Boolean).join(" ")),
    terminal: { input: process.stdin, output: process.stdout },
    look: lookOf(process.env),
    markdown: earlier === null ? null : await loadMarkdown(),
    earlier: earlier !== null,
    welcome: welcome(model, session, around),
    prefill: model !== null && "problem" in model ? "/demo" : "",
    typed: typedLines(assentHome(), cwd, knownSecrets(around)),
    readOnly: given.has("read-only"),
    readCommand: enteredCommand,
    ...(tour === undefined ? {} : { guide: tourGuide(tour) }),
  });
  if (model === null) void starting.then((found) => opened.tell(saidModel(found), "name" in found ? "" : "/demo"));
  return opened.run();
}

/** Whether a line has in it what must not be seen. */
function knownSecrets({ integrations }: Surroundings): (line: string) => boolean {
  const redacting = openRedacting(() => integrations.values());
  return (line) => (redacting.now([])?.(line) ?? line) !== line;
}

function nextMoment(): Promise<null> {
  return new Promise((resolve) => {
    setImmediate(() => resolve(null));
  });
}

function saidModel(model: StartedModel): readonly Said[] {
  if ("name" in model) return saidSystem(`model ${shortModel(model.name)}${model.found ? ` (${model.by})` : ""}`);
  return saidSystem(
    `no model yet${model.problem === "" ? "" : ` (${model.problem})`}: Enter plays the demo, /model sets one up, /doctor tells what is missing`,
  );
}

function welcome(model: StartedModel | null, session: string, around: Surroundings): readonly Said[] {
  const { version, integrations } = around;
  return [
    ...saidSystem(`assent ${version}, session ${session}, integrations: ${integrations.describe()}`),
    ...(model === null ? [] : saidModel(model)),
    ...saidSystem("/help lists commands, Ctrl-C stops, Ctrl-D leaves"),
  ];
}

function lookOf(env: NodeJS.ProcessEnv): { readonly color: boolean; readonly utf8: boolean } {
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "";
  const color = !env["NO_COLOR"] && env["TERM"] !== "dumb";
  // Where nothing is said of it, most terminals of today can; a locale that names another set cannot.
  return { color, utf8: !/^(?:C|POSIX)$/.test(locale) && (!locale.includes(".") || /utf-?8/i.test(basename(locale))) };
}
