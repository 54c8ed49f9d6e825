import manifest from "../../package.json" with { type: "json" };
import { type Integrations, openIntegrations, openLog, type Sample } from "../integrations/index.ts";
import {
  type ModelAnswer,
  type ModelQuestion,
  openSecrets,
  type Provider,
  removeQuietly,
  systemClock,
  writePrivate,
} from "../runtime/index.ts";
import { openRedacting } from "../runtime/redaction.ts";
import { homeOf, integrationFolders } from "./places.ts";

/** What is connected on this machine. Nothing is looked at, and no server is reached, before somebody asks. */
export function openMachineIntegrations(ask?: Provider["ask"]): Integrations {
  const folders = integrationFolders();
  const redacting = openRedacting(() => integrations.values());
  const hide = (text: string) => redacting.now([])?.(text) ?? text;
  const integrations: Integrations = openIntegrations({
    folders,
    secrets: openSecrets(folders.secrets),
    write: writePrivate,
    remove: removeQuietly,
    log: openLog({ folder: folders.log, hide }),
    version: manifest.version,
    clock: systemClock,
    cwd: homeOf() ?? "/",
    ...(ask === undefined ? {} : { sample: samplingBy(ask, hide) }),
  });
  return integrations;
}

/**
 * The person's model answers for a server: one request of its own, without tools and without the session's history. Neither
 * of them gets to see what is hidden from models (INTG-4).
 */
export function samplingBy(ask: Provider["ask"], hide: (text: string) => string): Sample {
  return async ({ system: asGiven, text, signal }) => {
    const system = hide(asGiven);
    const request = { messages: [], closing: hide(text), tools: "none", regeneration: 0 } as const;
    const question: ModelQuestion = { session: "sampling", number: 1, wanted: "reply", system, tools: [], request };
    const answer = said(await ask(question, { signal, onText: () => {}, onRetry: () => {} }));
    return typeof answer === "string" ? hide(answer) : { failed: hide(answer.failed) };
  };
}

function said(answer: ModelAnswer): Awaited<ReturnType<Sample>> {
  switch (answer.type) {
    case "replied":
      return answer.text;
    case "failed":
      return { failed: `the model failed: ${answer.failure.detail}` };
    case "overflow":
      return { failed: "what it asked is too long for the model" };
    case "abandoned":
      return { failed: "the request to the model was stopped" };
    default:
      return answer satisfies never;
  }
}
