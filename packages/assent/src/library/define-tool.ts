import type { Json, ToolResult } from "../core/index.ts";
import { checkDefinition, type Tool, type WatchedCall } from "../runtime/index.ts";
import { asJson, isLooseRecord, parseJson } from "../wire/index.ts";

/** What became of arguments that a schema has checked: their value, or what is wrong with them. */
export type CheckedArguments<Arguments> =
  | { readonly value: Arguments; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] };

/**
 * What checks the arguments of a tool and gives them their type: any schema that follows Standard Schema 1, such as those of
 * valibot, zod and arktype. It must answer at once, not by a promise.
 */
export type ArgumentSchema<Arguments> = {
  readonly "~standard": {
    readonly version: 1;
    readonly validate: (value: unknown) => CheckedArguments<Arguments> | Promise<CheckedArguments<Arguments>>;
    readonly types?: { readonly input: unknown; readonly output: Arguments } | undefined;
  };
};

/** A tool as a program says it: what a model is told of it, what it takes, and what it does. */
export type ToolDefinition<Arguments> = Pick<Tool, "name" | "description" | "parameters" | "tier" | "timeoutMs"> & {
  /** Checks what the model wrote; what it makes of that is given to `run`. */
  readonly schema: ArgumentSchema<Arguments>;
  /** Whether several calls of it may run side by side; those of the tier `safe` may unless this says otherwise. */
  readonly parallel?: boolean;
  /** Does it. What it gives is what the model reads; what it throws is told to the model as a failed call. */
  readonly run: (given: Arguments, watched: WatchedCall) => string | ToolResult | Promise<string | ToolResult>;
};

/**
 * A tool that neither runs commands nor handles files: its arguments are all that is judged, shown and approved. For others
 * implement `Tool` itself, whose plan says which command or which files it is about.
 */
export function defineTool<Arguments>(definition: ToolDefinition<Arguments>): Tool {
  checkDefinition(definition);
  const { schema, parallel = definition.tier === "safe", run, ...told } = definition;
  const { name: tool, tier } = told;
  return {
    ...told,
    read(given) {
      const read = readGiven(schema, given);
      return "invalid" in read ? { type: "invalid", reason: read.invalid } : { type: "tool", parallel };
    },
    hands: {
      plan(given, { cwd }) {
        const read = readGiven(schema, given);
        return "invalid" in read ? { tool, cwd, fails: read.invalid } : { tool, cwd, more: read.given, tier };
      },
      async run({ more }, watched) {
        const read = checked(schema, more ?? {});
        if ("invalid" in read) return { type: "error", text: read.invalid };
        const done = await run(read.value, watched);
        return typeof done === "string" ? { type: "output", text: done } : done;
      },
    },
  };
}

type ReadGiven<Arguments> = { readonly given: Json; readonly value: Arguments } | { readonly invalid: string };

/** As the model wrote them, which is what a person is shown, and as the schema has made them. */
function readGiven<Arguments>(schema: ArgumentSchema<Arguments>, text: string): ReadGiven<Arguments> {
  const parsed = parseJson(text);
  if (parsed.type === "broken") return { invalid: `the arguments are not JSON: ${parsed.reason}` };
  if (!isLooseRecord(parsed.value)) return { invalid: "the arguments are wrong: expected a JSON object" };
  return checked(schema, asJson(parsed.value));
}

function checked<Arguments>(schema: ArgumentSchema<Arguments>, given: Json): ReadGiven<Arguments> {
  const result = schema["~standard"].validate(given);
  if (result instanceof Promise)
    return { invalid: "the arguments cannot be checked: the schema does not answer at once" };
  if (result.issues === undefined) return { given, value: result.value };
  return { invalid: `the arguments are wrong: ${result.issues.map(({ message }) => message).join("; ")}` };
}
