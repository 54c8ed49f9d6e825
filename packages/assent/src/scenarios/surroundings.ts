import { type Integrations, openIntegrations } from "../integrations/index.ts";
import type { Policy } from "../policy/index.ts";
import { type Grants, openVolatileSecrets, systemClock, type Tool } from "../runtime/index.ts";
import { type Surroundings, slashCommands } from "../slash/index.ts";

const model = "scripted:scenario";

/** What commands of the shell find around a play: the same on every machine. */
export function playedSurroundings(
  tools: readonly Tool[],
  { grants, policy }: { readonly grants: Grants; readonly policy: Policy },
): Surroundings {
  let used = model;
  return {
    version: "0.0.0",
    program: ["assent"],
    commands: () => slashCommands,
    model: {
      name: () => used,
      async use(name) {
        used = name;
        return name;
      },
      // A play has no address.
      unname: () => {},
      offered: async () => [model],
      setUp: () => ({ steps: [{ key: "model", question: "Which model is it?", options: [], allow_free_text: true }] }),
    },
    tools,
    grants,
    integrations: playedIntegrations(),
    doctor: async () => "ok  scenario  a play needs nothing",
    explain: async (command, cwd) => {
      const { verdict, reason, rule } = policy.judge({ tool: "terminal", cwd, command });
      return `${verdict}: ${reason} (${rule})`;
    },
    rules: async () => `the rules of ${policy.version.split(" ")[0]}`,
  };
}

/** Nothing is connected in a play, and nothing can be: there is no folder of that name, and what is written is not kept. */
function playedIntegrations(): Integrations {
  return openIntegrations({
    folders: { configured: "/dev/null/integrations", catalogue: "/dev/null/catalogue" },
    ...{ secrets: openVolatileSecrets(), clock: systemClock, version: "0.0.0", cwd: "/" },
    ...{ write: () => {}, remove: () => {}, log: () => {} },
    servers: () => Promise.reject(new Error("a play connects to nothing")),
  });
}
