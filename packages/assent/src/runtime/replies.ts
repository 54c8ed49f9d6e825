import type { Asks, ModelResult, ToolResult, Usage } from "../core/index.ts";
import { expiry } from "./judging.ts";
import type { ModelAnswer, Ports, RawCall, Tool } from "./ports.ts";

export type ReadingReply = Pick<Ports, "tools" | "expiryMs">;

/** What a model's answer means to the session, whatever the wire brought. */
export function modelResult(answer: ModelAnswer, wanted: "reply" | "summary", reading: ReadingReply): ModelResult {
  if (answer.type !== "replied") return answer;
  const usage = soundUsage(answer.usage);
  if (wanted === "summary") return { type: "summarised", summary: answer.text, usage };
  return { ...answer, usage, calls: answer.calls.map((call) => ({ ...call, asks: readCall(call, reading) })) };
}

/** What a call asks for; a tool that is not there is the model's mistake, and it is told (SEL-3). */
function readCall(call: RawCall, reading: ReadingReply): Asks {
  const { tools } = reading;
  const tool = tools.find(({ name }) => name === call.tool);
  const asks = tool === undefined ? null : readArguments(tool, call);
  const lasting = expiry(reading);
  if (asks?.type === "ask") return { ...asks, draft: { ...lasting, ...asks.draft } };
  if (asks?.type === "flow") return { ...asks, flow: { ...asks.flow, ...lasting } };
  if (asks !== null) return asks;
  const names = tools.map(({ name }) => name).join(", ");
  return { type: "invalid", reason: `no tool is named ${JSON.stringify(call.tool)}; there are ${names}` };
}

function readArguments(tool: Tool, call: RawCall): Asks {
  try {
    return tool.read(call.arguments);
  } catch (error) {
    return { type: "invalid", reason: brokenTool(tool.name, error).text };
  }
}

/** A provider may count in any way; what is no count is none. */
function soundUsage({ input, output, cached, cost }: Usage): Usage {
  const count = (value: number) => (Number.isSafeInteger(value) && value >= 0 ? value : 0);
  const sound = { input: count(input), output: count(output), cached: count(cached) };
  return cost === undefined || !Number.isFinite(cost) ? sound : { ...sound, cost };
}

export function brokenProvider(error: unknown): ModelResult {
  const remedy = "this is a fault of the model's client; please report it";
  return { type: "failed", failure: { class: "internal", detail: saying(error), remedy, partial: "" } };
}

export function brokenTool(tool: string, error: unknown): ToolResult {
  return { type: "error", text: `${tool} broke: ${saying(error)}` };
}

function saying(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
