import { appendFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import type { Person, SoftOffers } from "../core/index.ts";
import type { Integrations } from "../integrations/index.ts";
import { openProvider, scriptedProvider, secretVariables } from "../providers/index.ts";
import {
  type Created,
  type Grants,
  type ModelQuestion,
  newestIn,
  openGrants,
  openHost,
  openMachinePolicy,
  openSecrets,
  openSqliteJournal,
  type Provider,
  type Secrets,
  type SessionHost,
  type SessionSummary,
  systemClock,
  type Tool,
} from "../runtime/index.ts";
import { openRedacting } from "../runtime/redaction.ts";
import { modelRemedy } from "../show/index.ts";
import { sessionsNamed } from "../slash/names.ts";
import { openTools, outsideTools, type ToolOptions } from "../tools/index.ts";
import { type RecordedEvent, readScript } from "../wire/index.ts";
import { contextOf } from "./context.ts";
import { readText } from "./files.ts";
import { UsageError } from "./flags.ts";
import { openMachineIntegrations } from "./integrating.ts";
import { chooseModel, configureModel, scriptOf, wholeName } from "./model.ts";
import { stderr } from "./output.ts";
import { assentHome, outputFolder, ownFolders } from "./places.ts";
import { writtenRules } from "./rules.ts";
import { servedPlaces } from "./served.ts";
import { tuneNode } from "./tuning.ts";

/** How questions are dealt with. */
export type Ways = { readonly expiryMs: number | null; readonly softOffers: SoftOffers };

/** What only a surface with commands of its own has. */
export type MoreTools = Pick<ToolOptions, "slash" | "modelSetUp">;

export type Assent = {
  readonly host: SessionHost;
  /** `named`: a person has named it here and now, so that a session may go there that went elsewhere. */
  readonly useModel: (name: string, named: boolean) => void;
  /** Another session is worked on from now on, for which nobody has named the model. */
  readonly unnameModel: () => void;
  /** As they are now. */
  readonly tools: () => readonly Tool[];
  readonly grants: Grants;
  readonly integrations: Integrations;
};

/** Everything put together: the real journal, the real tools, and the model, once it is known which. */
export function openAssent(ways: Partial<Ways> = {}, more: MoreTools = {}): Assent {
  const { expiryMs = null, softOffers = "regenerate" } = ways;
  let used = { model: noModel, named: false };
  const grants = openSavedGrants();
  const provider = inUse(() => used);
  const integrations = openMachineIntegrations(provider.ask);
  const tools = openMachineTools(integrations, more);
  const joined = outsideTools(integrations);
  const host = openHost({
    journal: openSqliteJournal(join(assentHome(), "journal.db")),
    secrets: openSessionSecrets(),
    grants,
    provider,
    tools,
    joined,
    hidden: () => integrations.values(),
    // Knows thousands of programs: it is there when the first call is.
    policy: async () => {
      tuneNode();
      return openMachinePolicy();
    },
    rules: writtenRules,
    served: servedPlaces,
    expiryMs,
    softOffers,
    context: (place) => contextOf(place, integrations.describe()),
    // Whoever leaves all sessions leaves the servers that they used, also one that no call had anything to do with.
    closing: () => Promise.race([integrations.servers.closeAll(), passed(mostClosingMs)]),
  });
  return {
    ...{ host, grants, integrations },
    tools: () => [...tools, ...joined()],
    useModel(name, named) {
      used = { model: openModel(name), named };
    },
    unnameModel() {
      used = { ...used, named: false };
    },
  };
}

/** The model that is used at each moment, and whether a person has named it for the session that is worked on. */
function inUse(used: () => { readonly model: Provider; readonly named: boolean }): Provider {
  return {
    ask: (question, watched) => used().model.ask(question, watched),
    get window() {
      return used().model.window ?? null;
    },
    get address() {
      const { model, named } = used();
      return model.address ? { ...model.address, named: named || model.address.named } : null;
    },
  };
}

/** So long a server may take to end when this process wants to. */
const mostClosingMs = 3_000;

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => {
    // Where nothing else is to be waited for, neither is this.
    setTimeout(resolve, ms).unref();
  });
}

/** The tools as they work on this machine. */
function openMachineTools(integrations: Integrations, more: MoreTools): readonly Tool[] {
  const named = process.env["ASSENT_SHELL"];
  const shell = named ? { shell: named, shellVariable: "ASSENT_SHELL" } : { shell: "bash" };
  const places = { folder: outputFolder(), self: ownFolders() };
  const redacting = openRedacting(() => integrations.values());
  const secret = (name: string) => openSessionSecrets().read(name);
  const own = { redacting, integrations: { integrations, secret } };
  return openTools({
    ...shell,
    hidden: secretVariables(Object.keys(process.env)),
    pty: true,
    ...places,
    ...own,
    ...more,
  });
}

/** Where sensitive answers are while a session needs them. */
export function openSessionSecrets(): Secrets {
  return openSecrets(join(assentHome(), "secrets"));
}

/** What people granted for longer than a session. */
export function openSavedGrants(): Grants {
  return openGrants(join(assentHome(), "grants"));
}

/** A model as it is named, or as it was found, made whole; one that nobody has named is told of. */
export async function modelName(flag: string | undefined, remembered: string | null): Promise<string> {
  const chosen = await chooseModel(flag, remembered);
  const name = wholeName(chosen);
  if (chosen.found) stderr.write(`assent: the model is ${name} (${chosen.by})\n`);
  return name;
}

export function openModel(name: string, named = false): Provider {
  const script = scriptOf(name);
  if (script !== null) return openScript(script);
  const opening = { clock: systemClock, version: manifest.version, named };
  return openProvider(configureModel({ name, by: "model" }), opening);
}

function openScript(file: string): Provider {
  const script = readScript(readText(file));
  if (script.type === "broken") throw new UsageError(`${file}, line ${script.line}: ${script.reason}`);
  const log = process.env["ASSENT_SCRIPT_LOG"];
  const onQuestion = (question: ModelQuestion) => {
    if (log) appendFileSync(log, `${JSON.stringify(question)}\n`, { mode: 0o600 });
  };
  return scriptedProvider({ replies: script.replies, name: file, clock: systemClock, onQuestion });
}

/** Who sits at this terminal, as the system knows it (INT-12). */
export function person(adapter: string): Person {
  return { name: userInfo().username, adapter };
}

/** A session by its id, the beginning of its id, or its name. */
export function findSession(host: SessionHost, typed: string): SessionSummary {
  const found = sessionsNamed(host.sessions().sessions, typed);
  const [first, ...others] = found;
  if (first === undefined) throw new UsageError(`no session has the id or name ${JSON.stringify(typed)}`);
  if (others.length === 0) return first;
  throw new UsageError(
    `${JSON.stringify(typed)} fits ${found.length} sessions: ${found.map((each) => each.session).join(", ")}`,
  );
}

/** The newest session of the folder that this was started in. */
export function newestHere(host: SessionHost): string {
  const here = process.cwd();
  const newest = newestIn(host.sessions().sessions, here);
  if (newest === undefined) throw new UsageError(`no session was in ${here}; assent sessions lists all`);
  return newest.session;
}

/** The session that was made. */
export function made(created: Created): string {
  if ("refusal" in created) throw new UsageError(created.refusal.detail);
  return created.session;
}

/** All that is recorded of a session, as far as it can be read. */
export function allEvents(host: SessionHost, session: string): readonly RecordedEvent[] {
  return host.events(session, { after: 0, most: Number.MAX_SAFE_INTEGER });
}

const noModel: Provider = {
  async ask() {
    const failure = {
      class: "no-model",
      detail: "no model is set",
      remedy: modelRemedy,
      partial: "",
    };
    return { type: "failed", failure };
  },
};
