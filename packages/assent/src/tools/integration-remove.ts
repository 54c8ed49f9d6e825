import * as v from "valibot";
import type { Integrations } from "../integrations/index.ts";
import type { Hands, Place, Plan } from "../runtime/ports.ts";
import { readArguments } from "../wire/index.ts";

const name = "integration_remove";
const askedSchema = v.strictObject({ name: v.string() });
const plannedSchema = v.strictObject({ name: v.string(), removes: v.boolean() });

/** A person was asked whether it should be removed, and this is what comes of it. */
export function removeHands(integrations: Integrations): Hands {
  return {
    plan: planRemoval,
    async run({ more }) {
      const { name: removed, removes } = v.parse(plannedSchema, more);
      if (!removes) return { type: "output", text: `${removed} stays as it is` };
      const failure = await integrations.remove(removed);
      if (failure !== null) return { type: "error", text: failure.failed };
      return { type: "output", text: `${removed} is removed, with its secrets` };
    },
  };
}

function planRemoval(asked: string, { cwd, flow }: Place): Plan {
  const read = readArguments(askedSchema, asked);
  if (read.type === "invalid") return { tool: name, cwd, fails: read.reason };
  const answer = flow?.state.answers.find(({ key }) => key === "remove")?.answer;
  if (answer?.type !== "selected") return { tool: name, cwd, fails: "nobody was asked whether it should be removed" };
  return { tool: name, cwd, more: { name: read.value.name, removes: answer.options.includes("remove") } };
}
