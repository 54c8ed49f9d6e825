import { appendFileSync, readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join, resolve } from "node:path";
import type { Person, SoftOffers } from "../core/index.ts";
import { scriptedProvider } from "../providers/index.ts";
import {
  type Grants,
  isRunning,
  type ModelQuestion,
  openGrants,
  openHost,
  openSecrets,
  openSqliteJournal,
  type Place,
  type Provider,
  type SessionHost,
  type SessionSummary,
  systemClock,
  thisProcess,
} from "../runtime/index.ts";
import { openTools } from "../tools/index.ts";
import { readScript } from "../wire/index.ts";
import { UsageError } from "./flags.ts";
import { assentHome, outputFolder, ownFolders } from "./places.ts";
import { writtenRules } from "./rules.ts";

/** How questions are dealt with. */
export type Ways = { readonly expiryMs: number | null; readonly softOffers: SoftOffers };

export type Assent = { readonly host: SessionHost; readonly useModel: (name: string) => void };

/** Everything put together: the real journal, the real tools, and the model, once it is known which. */
export function openAssent({ expiryMs = null, softOffers = "regenerate" }: Partial<Ways> = {}): Assent {
  let model = noModel;
  const host = openHost({
    journal: openSqliteJournal(join(assentHome(), "journal.db")),
    secrets: openSecrets(join(assentHome(), "secrets")),
    grants: openSavedGrants(),
    provider: { ask: (question, watched) => model.ask(question, watched) },
    tools: openTools({
      shell: process.env["ASSENT_SHELL"] || "bash",
      folder: outputFolder(),
      hidden: secretVariables(),
      pty: true,
      self: ownFolders(),
    }),
    runs: isRunning,
    // Knows thousands of programs: it is there when the first call is.
    policy: async () => (await import("./policy-open.ts")).machinePolicy(),
    rules: writtenRules,
    clock: systemClock,
    holder: thisProcess(),
    newId,
    expiryMs,
    softOffers,
    context,
  });
  return {
    host,
    useModel(name) {
      model = openModel(name);
    },
  };
}

/** What people granted for longer than a session. */
export function openSavedGrants(): Grants {
  return openGrants(join(assentHome(), "grants"));
}

/** The names of variables that hold the keys Assent works with: commands run without them (TERM-7). */
function secretVariables(): readonly string[] {
  const own = Object.keys(process.env).filter((name) => /^ASSENT_.*(?:KEY|TOKEN|SECRET|PASSWORD)/.test(name));
  return [...own, "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"];
}

/** A model as the command line names it, made whole so that it means the same from any folder. */
export function modelName(flag: string | undefined, remembered: string | null): string {
  const name = flag ?? remembered ?? process.env["ASSENT_MODEL"];
  if (!name) throw new UsageError("no model is set: name one with --model or ASSENT_MODEL, such as scripted:<file>");
  const [kind = "", ...rest] = name.split(":");
  if (kind !== "scripted" || rest.length === 0) {
    throw new UsageError(`model: expected scripted:<file>, found ${JSON.stringify(name)}`);
  }
  return `scripted:${resolve(rest.join(":"))}`;
}

function openModel(name: string): Provider {
  const file = name.slice("scripted:".length);
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
  const { sessions } = host.sessions();
  const exact = sessions.filter(({ session, name }) => session === typed || name === typed);
  const found = exact.length > 0 ? exact : sessions.filter(({ session }) => typed !== "" && session.startsWith(typed));
  const [first, ...others] = found;
  if (first === undefined) throw new UsageError(`no session has the id or name ${JSON.stringify(typed)}`);
  if (others.length === 0) return first;
  throw new UsageError(
    `${JSON.stringify(typed)} fits ${found.length} sessions: ${found.map((each) => each.session).join(", ")}`,
  );
}

export function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const noModel: Provider = {
  async ask() {
    const failure = { class: "no-model", detail: "no model is set", remedy: "name one with --model", partial: "" };
    return { type: "failed", failure };
  },
};

/** Ten characters that cannot be taken for one another: 50 random bits. */
function newId(): string {
  const letters = "0123456789abcdefghjkmnpqrstvwxyz";
  return Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) => letters[byte % letters.length]).join("");
}

function context({ cwd }: Place): string {
  const date = new Date().toISOString().slice(0, 10);
  return `cwd: ${cwd}\nplatform: ${process.platform}\ndate: ${date}`;
}
