import type { Flow, ToolResult } from "../core/index.ts";
import { visibleLine } from "../core/interaction/index.ts";
import {
  type Accepted,
  type AcceptedTool,
  type Configured,
  counted,
  type Failed,
  type Integrations,
  type OfferedDefinition,
  type Offers,
} from "../integrations/index.ts";
import type { FormEnd, WatchedCall } from "../runtime/ports.ts";
import { watchOf } from "./mcp-calls.ts";
import { definitionLines } from "./mcp-definition.ts";

/** What a server claims of a tool that changes nothing. */
const onlyReads = "only reads";

/** The one step of the question, and its options. */
const stepKey = "tools";
const choices = ["ask", "keep", "reads", "leave"] as const;
type Choice = (typeof choices)[number];

/**
 * Connects to a server, and has a person accept what it offers: before that, none of it is used (INTG-5). Nobody is asked
 * where it is what they accepted before.
 */
export async function connectServer(
  name: string,
  integrations: Integrations,
  watched: WatchedCall,
): Promise<ToolResult> {
  const server = integrations.server(name);
  if ("failed" in server) return { type: "error", text: server.failed };
  watched.onOutput("stderr", `connecting to ${name}\n`);
  const offers = await integrations.servers.open(server, watchOf(watched));
  if ("failed" in offers) return { type: "error", text: offers.failed };
  const configured = integrations.configured().find((each) => each.name === name);
  if (configured === undefined) return { type: "error", text: `${name} is not set up any more` };
  const { accepted: was } = configured;
  if (was !== null && isSame(was, offers)) return settle(name, { ...was, connected: true }, integrations);
  const end = await watched.form(acceptanceFlow(configured, offers));
  const choice = choiceOf(end);
  if (choice !== null && choice !== "leave") return settle(name, acceptedFrom(offers, was, choice), integrations);
  // What nobody accepted is not left running.
  if (!was?.connected) await integrations.servers.close(name);
  if (choice === null) return { type: "error", text: `${name} ${unused(was)}: ${whyNot(end)}` };
  return { type: "output", text: `${name} ${unused(was)}; /mcp connect ${name} asks again` };
}

function unused(was: Accepted | null): string {
  return was?.connected ? "stays as you accepted it before" : "is saved and not used";
}

function settle(name: string, accepted: Accepted, integrations: Integrations): ToolResult {
  const failure: Failed | null = integrations.accept(name, accepted);
  if (failure !== null) return { type: "error", text: failure.failed };
  return { type: "output", text: `${name} is connected: ${describeCounts(accepted)}` };
}

function describeCounts({ tools, prompts, resources }: Accepted): string {
  const safe = tools.filter((tool) => tool.safe).length;
  return [
    `${counted(tools.length, "tool")}${safe === 0 ? "" : ` (${safe} of them without being asked about)`}`,
    ...(prompts.length === 0 ? [] : [counted(prompts.length, "prompt")]),
    ...(resources ? ["resources"] : []),
  ].join(", ");
}

/** Everything that a person would have seen differently. */
function isSame(was: Accepted, offers: Offers): boolean {
  const digests = (tools: readonly OfferedDefinition[]) =>
    tools
      .map(({ name, digest }) => `${name} ${digest}`)
      .sort()
      .join("\n");
  return (
    digests(was.tools) === digests(offers.tools) &&
    JSON.stringify(was.prompts) === JSON.stringify(offers.prompts) &&
    was.resources === offers.resources.length > 0
  );
}

function acceptedFrom(offers: Offers, was: Accepted | null, choice: Choice): Accepted {
  const isSafe = (tool: OfferedDefinition): boolean =>
    (choice === "reads" && tool.claims.includes(onlyReads)) || (choice !== "ask" && wasSafe(tool, was));
  return {
    connected: true,
    tools: offers.tools.map((tool): AcceptedTool => ({ ...tool, safe: isSafe(tool) })),
    prompts: offers.prompts,
    resources: offers.resources.length > 0,
    sampling: was?.sampling ?? false,
  };
}

/** What a person said of a definition counts for that definition alone. */
function wasSafe({ name, digest }: OfferedDefinition, was: Accepted | null): boolean {
  return was?.tools.some((tool) => tool.name === name && tool.digest === digest && tool.safe) ?? false;
}

/** The question whether what a server offers is used, with all of that before it, as the server's words. */
function acceptanceFlow({ name, accepted }: Configured, offers: Offers): Flow {
  const reads = offers.tools.some(({ claims }) => claims.includes(onlyReads));
  // What was marked before counts on only where the answer says so.
  const marked = offers.tools.some((tool) => wasSafe(tool, accepted));
  const trusted = marked ? "Use, trust claims, keep marks" : "Use, trust its read-only claims";
  const options: { readonly id: Choice; readonly label: string }[] = [
    { id: "ask", label: "Use and ask each time" },
    ...(marked ? [{ id: "keep", label: "Use, keep your marks" } as const] : []),
    ...(reads ? [{ id: "reads", label: trusted } as const] : []),
    { id: "leave", label: "Leave it" },
  ];
  const question =
    accepted === null ? `Should the tools of ${name} be used?` : `Should the changes of ${name} be used?`;
  const subject = { from: name, message: linesOf(offers, accepted) };
  return { steps: [{ key: stepKey, question, options, allow_free_text: false, subject }] };
}

function linesOf(offers: Offers, was: Accepted | null): string[] {
  const { title, version, prompts, resources, problems, tools } = offers;
  const before = new Map((was?.tools ?? []).map((tool) => [tool.name, tool]));
  const listed = tools.flatMap((tool) => toolLines(tool, was === null ? null : (before.get(tool.name) ?? "none")));
  const kept = tools.filter((tool) => before.get(tool.name)?.digest === tool.digest).length;
  const gone = (was?.tools ?? []).filter(({ name }) => !tools.some((tool) => tool.name === name));
  return [
    `${title} ${version}`,
    ...listed,
    ...gone.map(({ name }) => `gone: ${name}`),
    ...(kept === 0 ? [] : [`as before: ${counted(kept, "tool")}`]),
    ...(prompts.length === 0 ? [] : [`prompts: ${prompts.map((prompt) => prompt.name).join(", ")}`]),
    ...(resources.length === 0 ? [] : [`resources: ${resources.length}`]),
    ...problems.map((problem) => `left out: ${problem}`),
  ].map(visibleLine);
}

/** `null`: nothing was accepted before; `none`: this one was not. */
function toolLines(tool: OfferedDefinition, before: AcceptedTool | "none" | null): readonly string[] {
  if (before === null) return definitionLines(tool);
  if (before === "none") return behind("new: ", definitionLines(tool));
  if (before.digest === tool.digest) return [];
  const [was, now] = [behind("  was: ", definitionLines(before)), behind("  now: ", definitionLines(tool))];
  // The digest is of all that the server said.
  const isAlike = was.join("\n").slice("  was: ".length) === now.join("\n").slice("  now: ".length);
  return isAlike
    ? [`changed: ${tool.name} (only in what is not shown here)`, ...now]
    : [`changed: ${tool.name}`, ...was, ...now];
}

function behind(mark: string, [first = "", ...rest]: readonly string[]): readonly string[] {
  const indent = /^ */.exec(mark)?.[0] ?? "";
  return [`${mark}${first}`, ...rest.map((line) => `${indent}${line}`)];
}

function choiceOf(end: FormEnd): Choice | null {
  const answer = end.type === "filled" ? end.answers[stepKey] : undefined;
  const [chosen] = answer !== undefined && "options" in answer ? answer.options : [];
  return choices.find((each) => each === chosen) ?? null;
}

function whyNot(end: FormEnd): string {
  if (end.type === "filled") return "nothing was chosen";
  switch (end.why) {
    case "cancelled":
      return "cancelled";
    case "stopped":
      return "stopped";
    case "expired":
      return "the question expired";
    case "aborted":
      return "there was no valid answer";
    case "nobody":
      return "nobody is here to accept what it offers";
    default:
      return end.why satisfies never;
  }
}
