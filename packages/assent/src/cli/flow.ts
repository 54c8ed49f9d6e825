import { basename } from "node:path";
import { lintFlow } from "../core/index.ts";
import { readFlow, readLine } from "../wire/index.ts";
import { readText } from "./files.ts";
import { readFlags, UsageError } from "./flags.ts";
import { followExchange, waysOf } from "./follow.ts";
import { made, openAssent, person } from "./open.ts";
import { flowSpec } from "./specs/following.ts";

/** `assent flow`: the questions of a file, asked in an exchange of its own, without a model (FLOW-5). */
export async function runFlow(argv: readonly string[]): Promise<number> {
  const given = readFlags(argv, flowSpec);
  const [file = ""] = given.arguments;
  const ways = waysOf(given);
  const text = readText(file);
  const json = readLine(text);
  const read = json.type === "refused" ? json : readFlow(json.value);
  if (read.type === "refused") throw new UsageError(`${file}: ${read.refusal.detail}`);
  const problems = lintFlow(read.value).map(({ detail }) => `${file}: ${detail}`);
  if (problems.length > 0) throw new UsageError(problems.join("\nassent: "));
  const { host } = openAssent(ways);
  try {
    const session = made(host.create({ cwd: process.cwd(), limits: {} }));
    const acting = { by: person("flow"), authority: "act" } as const;
    const name = `flow ${basename(file)}`;
    const flow = ways.expiryMs === null ? read.value : { ...read.value, timeout_ms: ways.expiryMs };
    const { refusal } = host.submit(session, { type: "flow", flow, name, arguments: text, ...acting });
    if (refusal !== null) throw new UsageError(`${file}: ${refusal.detail}`);
    return await followExchange(host, { session, exchange: 1, after: 0, joins: false, given });
  } finally {
    await host.close();
  }
}
