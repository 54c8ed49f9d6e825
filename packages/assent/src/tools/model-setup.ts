import * as v from "valibot";
import { flowValues } from "../core/interaction/index.ts";
import type { Place, Tool } from "../runtime/ports.ts";

/** What a person filled in to set up a model; what they left to the provider is `null`. */
export type ModelGiven = {
  readonly provider: string;
  readonly key: string | null;
  readonly model: string | null;
  readonly address: string | null;
};

/** Where a model is set up; given by whoever knows the providers. */
export type ModelSetUp = {
  /** A secret by the name that the session keeps it under. */
  secret(name: string): string | null;
  /** Saves it for good, and uses it from now on: the model's whole name, or what is wrong. */
  save(given: ModelGiven): Promise<{ readonly name: string } | { readonly problem: string }>;
};

/** The names of the flow's steps. */
export const setUpKeys = { provider: "provider", key: "key", model: "model", address: "address" } as const;
/** What stands for an answer that is none. */
export const leftOpen = { key: "none", model: "Its usual model", address: "Its usual address" } as const;

const plannedSchema = v.strictObject({
  provider: v.string(),
  model: v.string(),
  address: v.string(),
  secret: v.string(),
});

/** Not for a model: a person's flow ends here (INT-2). The plan has the key's name, never the key. */
export function modelSetUpTool({ secret, save }: ModelSetUp): Tool {
  return {
    name: "model_setup",
    description: "Saves the model that a person has set up.",
    parameters: { type: "object", properties: {}, required: [], additionalProperties: false },
    tier: "elevated",
    available: () => false,
    read: () => ({ type: "invalid", reason: "only a person sets up a model" }),
    hands: {
      plan: (_given, { cwd, flow }) => {
        const more = flow === undefined || flow === null ? null : filledIn(flow);
        if (more === null) return { tool: "model_setup", cwd, fails: "only a person sets up a model" };
        return { tool: "model_setup", cwd, more };
      },
      async run({ more }) {
        const { provider, model, address, secret: name } = v.parse(plannedSchema, more);
        const key = secret(name);
        if (key === null) return { type: "error", text: "nothing is saved: the key is no longer kept" };
        const saved = await save({
          provider,
          key: key.trim() === leftOpen.key ? null : key.trim(),
          model: model === leftOpen.model ? null : model.trim(),
          address: address === leftOpen.address ? null : address.trim(),
        });
        if ("problem" in saved) return { type: "error", text: `nothing is saved: ${saved.problem}` };
        return { type: "output", text: `saved; the model is ${saved.name}` };
      },
    },
  };
}

function filledIn({ flow, state }: NonNullable<Place["flow"]>): v.InferOutput<typeof plannedSchema> | null {
  const values = new Map(flowValues(flow, state));
  const key = state.answers.find((each) => each.key === setUpKeys.key)?.answer;
  const [provider, model, address] = [setUpKeys.provider, setUpKeys.model, setUpKeys.address].map((each) =>
    values.get(each),
  );
  if (provider === undefined || model === undefined || address === undefined || key?.type !== "set") return null;
  return { provider, model, address, secret: key.secret };
}
