import * as v from "valibot";
import type { Integrations } from "../integrations/index.ts";
import type { Hands, Plan } from "../runtime/ports.ts";
import { readArguments } from "../wire/index.ts";
import { connectServer } from "./accepting.ts";

const connectSchema = v.strictObject({ server: v.string() });
const name = "mcp_connect";

/** A person enters it, and what the server offers is put to them (INTG-5). */
export function connectHands(integrations: Integrations): Hands {
  return {
    plan: (given, { cwd }) => planConnect(given, cwd, integrations),
    async run({ more }, watched) {
      return connectServer(v.parse(connectSchema, more).server, integrations, watched);
    },
    // All that a session has connected, whichever of its calls did so.
    close: (session) => integrations.servers.leave(session),
  };
}

/** It was entered by the person who connects: the plan says that nobody else need be asked. */
function planConnect(given: string, cwd: string, integrations: Integrations): Plan {
  const read = readArguments(connectSchema, given);
  if (read.type === "invalid") return { tool: name, cwd, fails: read.reason };
  const configured = integrations.find(read.value.server);
  if (configured === null) return { tool: name, cwd, fails: `${JSON.stringify(read.value.server)} is not set up` };
  if (!integrations.hasServer(configured)) return { tool: name, cwd, fails: `${configured.name} has no MCP server` };
  return { tool: name, cwd, more: { server: configured.name }, tier: "safe" };
}
