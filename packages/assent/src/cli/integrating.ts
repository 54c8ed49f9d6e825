import { homedir } from "node:os";
import manifest from "../../package.json" with { type: "json" };
import { type Integrations, openIntegrations, openLog, type Sample } from "../integrations/index.ts";
import {
  type ModelAnswer,
  type ModelQuestion,
  openRedacting,
  openSecrets,
  type Provider,
  removeQuietly,
  systemClock,
  writePrivate,
} from "../runtime/index.ts";
import { integrationFolders } from "./places.ts";

/** What is connected on this machine. Nothing is looked at, and no server is reached, before somebody asks. */
export function openMachineIntegrations(ask?: Provider["ask"]): Integrations {
  const folders = integrationFolders();
  const redacting = openRedacting(() => integrations.values());
  const integrations: Integrations = openIntegrations({
    folders,
    secrets: openSecrets(folders.secrets),
    write: writePrivate,
    remove: removeQuietly,
    log: openLog({ folder: folders.log, hide: (text) => redacting.now([])?.(text) ?? text }),
    version: manifest.version,
    clock: systemClock,
    cwd: homedir(),
    ...(ask === undefined ? {} : { sample: samplingBy(ask) }),
  });
  return integrations;
}

/** The person's model answers for a server: one request of its own, without tools and without the session's history. */
export function samplingBy(ask: Provider["ask"]): Sample {
  return async ({ system, text, signal }) => {
    const request = { messages: [], closing: text, tools: "none", regeneration: 0 } as const;
    const question: ModelQuestion = { session: "sampling", number: 1, wanted: "reply", system, tools: [], request };
    return said(await ask(question, { signal, onText: () => {}, onRetry: () => {} }));
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
