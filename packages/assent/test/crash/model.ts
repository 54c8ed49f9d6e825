import { type ModelServer, openModelServer, type RecordedRequest, type ScriptEntry } from "../../src/testing/index.ts";
import { mark, type Story } from "./kinds.ts";

const soFar = "So far it is done up to";
const tooLong: ScriptEntry = {
  fault: { error: { message: "context_length_exceeded: it does not fit", status: 400 }, after: 0 },
};

/**
 * A model behind real HTTP that refuses what its API would refuse. What it replies depends on the request alone: a request
 * that a killed process had sent already is answered as it was then.
 */
export async function openModel(stories: readonly Story[]): Promise<ModelServer> {
  const script: ScriptEntry[] = [];
  const onRequest = (request: RecordedRequest) => {
    if (request.entry !== null) script[request.entry - 1] = replyTo(request.body, stories);
  };
  return await openModelServer({ script, onRequest });
}

function replyTo(body: string, stories: readonly Story[]): ScriptEntry {
  const { replies = [] } = stories.find(({ prompt }) => body.includes(prompt)) ?? stories[0] ?? {};
  const turn = Math.max(0, ...[...body.matchAll(/turn(\d+)_/g)].map(([, number]) => Number(number)));
  if (body.includes("Summarise all of the above")) return { text: `${soFar} ${mark(turn)}.` };
  const { tooLong: overflows, ...reply } = replies[turn] ?? { text: `Nothing comes after turn ${turn}.` };
  return overflows && !body.includes(soFar) ? tooLong : reply;
}
