import * as v from "valibot";
import type { ToolResult } from "../core/index.ts";
import type { Checked, Configured, Given, Integrations } from "../integrations/index.ts";
import type { Hands, Place, Plan, WatchedCall } from "../runtime/ports.ts";
import { readArguments } from "../wire/index.ts";
import { connectServer } from "./accepting.ts";
import type { IntegrationTools } from "./connecting.ts";
import { watchOf } from "./mcp-calls.ts";

const name = "integration_setup";
const askedSchema = v.strictObject({ service: v.string(), known: v.record(v.string(), v.string()) });
const givenSchema = v.strictObject({
  name: v.string(),
  service: v.string(),
  fields: v.record(v.string(), v.string()),
  secrets: v.record(v.string(), v.string()),
  folder: v.exactOptional(v.string()),
});

/** A person's flow ends here (INT-2). The plan has the names of secrets, never one of them. */
export function setUpHands(tools: IntegrationTools): Hands {
  return {
    plan: (given, place) => planSetUp(given, place, tools),
    async run({ more }, watched) {
      return setUp(v.parse(givenSchema, more), tools, watched);
    },
  };
}

function planSetUp(asked: string, { cwd, flow = null }: Place, { integrations }: IntegrationTools): Plan {
  const read = readArguments(askedSchema, asked);
  if (read.type === "invalid") return { tool: name, cwd, fails: read.reason };
  const { service, known } = read.value;
  const entry = integrations.catalogue.find(service);
  if (entry === null) return { tool: name, cwd, fails: `no service is called ${JSON.stringify(service)}` };
  const given = integrations.given(entry, known, flow);
  if ("failed" in given) return { tool: name, cwd, fails: given.failed };
  // What had to be asked was a person's to answer; what had not, they have entered.
  return { tool: name, cwd, more: { ...given, folder: cwd }, tier: "safe" };
}

/** What was entered is kept, whatever comes of trying it: to enter it once more would help nobody. */
async function setUp(
  given: Given,
  { integrations, secret }: IntegrationTools,
  watched: WatchedCall,
): Promise<ToolResult> {
  const saved = await integrations.save(given, secret);
  if ("failed" in saved) return { type: "error", text: `nothing is saved: ${saved.failed}` };
  const checked = await check(saved, integrations, watched);
  if (checked !== null && checked.status !== "passed") return { type: "error", text: describeFailed(saved, checked) };
  const done = `${saved.name} is set up${checked === null ? "" : `: ${checked.status} (${checked.detail})`}`;
  if (!integrations.hasServer(saved)) return { type: "output", text: done };
  watched.onOutput("stderr", `${done}\n`);
  const connected = await connectServer(saved.name, integrations, watched);
  if (connected.type === "output") return { type: "output", text: `${done}\n${connected.text}` };
  const other = `/integrations setup ${saved.name} changes it`;
  const again = `what was entered is kept; /mcp connect ${saved.name} tries again, ${other}`;
  return { type: "error", text: `${done}\n${connected.text}\n${again}` };
}

/** `null` where there is nothing to verify it by but its server, which is connected anyway. */
async function check(saved: Configured, integrations: Integrations, watched: WatchedCall): Promise<Checked | null> {
  if (integrations.catalogue.find(saved.service)?.verify == null) return null;
  watched.onOutput("stderr", `${saved.name} is saved; verifying\n`);
  return integrations.verify(saved.name, watchOf(watched));
}

function describeFailed({ name: saved, service }: Configured, { status, detail }: Checked): string {
  return [
    `${saved} is saved, but not verified: ${status} (${detail})`,
    `what was entered is kept; /integrations verify ${saved} tries again, /integrations setup ${service} enters it anew`,
  ].join("\n");
}
