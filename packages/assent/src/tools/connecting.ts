import type { Integrations } from "../integrations/index.ts";
import type { Hands, Tool } from "../runtime/ports.ts";

/** Where integrations are set up; given by whoever knows where the session keeps its secrets. */
export type IntegrationTools = {
  readonly integrations: Integrations;
  /** A secret by the name that the session keeps it under. */
  secret(name: string): string | null;
};

/**
 * What comes of a person's set-ups: they enter these, or a flow of theirs ends in one. No model is offered them, and a call
 * that it makes all the same is refused before anything is planned (INTG-5, APPR-10).
 */
export function connectingTools(tools: IntegrationTools): readonly Tool[] {
  const { integrations } = tools;
  return [
    forPeople("integration_setup", async () => (await import("./integration-setup.ts")).setUpHands(tools)),
    forPeople("mcp_connect", async () => (await import("./mcp-connect.ts")).connectHands(integrations)),
    forPeople("integration_remove", async () => (await import("./integration-remove.ts")).removeHands(integrations)),
  ];
}

function forPeople(name: string, hands: () => Promise<Hands>): Tool {
  return {
    name,
    description: "Not for models.",
    parameters: { type: "object", properties: {}, required: [], additionalProperties: false },
    tier: "elevated",
    available: () => false,
    read: () => ({ type: "invalid", reason: `${name} is a person's alone` }),
    hands,
  };
}
