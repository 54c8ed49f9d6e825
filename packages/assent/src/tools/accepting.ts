import type { Flow, ToolResult } from "../core/index.ts";
import { visibleLine } from "../core/interaction/index.ts";
import type {
  Accepted,
  AcceptedTool,
  Configured,
  Failed,
  Integrations,
  OfferedDefinition,
  Offers,
} from "../integrations/index.ts";
import type { FormEnd, WatchedCall } from "../runtime/ports.ts";
import { watchOf } from "./mcp-calls.ts";

/** As much of what a server says of one tool as is shown at once. */
const mostDescription = 300;
/** What a server claims of a tool that changes nothing. */
const onlyReads = "only reads";

/** The one step of the question, and its options. */
const stepKey = "tools";
type Choice = "ask" | "reads" | "leave";

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
  if (choice === null) return { type: "error", text: `${name} ${unused(was)}: ${whyNot(end)}` };
  if (choice === "leave") return { type: "output", text: `${name} ${unused(was)}; /mcp connect ${name} asks again` };
  return settle(name, acceptedFrom(offers, was, choice), integrations);
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
    `${count(tools.length, "tool")}${safe === 0 ? "" : ` (${safe} of them without being asked about)`}`,
    ...(prompts.length === 0 ? [] : [count(prompts.length, "prompt")]),
    ...(resources ? ["resources"] : []),
  ].join(", ");
}

function count(many: number, what: string): string {
  return `${many} ${what}${many === 1 ? "" : "s"}`;
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
    (choice === "reads" && tool.claims.includes(onlyReads)) || wasSafe(tool, was);
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
  const options: { readonly id: Choice; readonly label: string }[] = [
    { id: "ask", label: "Use and ask each time" },
    ...(reads ? [{ id: "reads", label: "Use, trust its read-only claims" } as const] : []),
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
    ...(kept === 0 ? [] : [`as before: ${count(kept, "tool")}`]),
    ...(prompts.length === 0 ? [] : [`prompts: ${prompts.map((prompt) => prompt.name).join(", ")}`]),
    ...(resources.length === 0 ? [] : [`resources: ${resources.length}`]),
    ...problems.map((problem) => `left out: ${problem}`),
  ].map(visibleLine);
}

/** `null`: nothing was accepted before; `none`: this one was not. */
function toolLines(tool: OfferedDefinition, before: AcceptedTool | "none" | null): readonly string[] {
  if (before === null) return [describeTool(tool)];
  if (before === "none") return [`new: ${describeTool(tool)}`];
  if (before.digest === tool.digest) return [];
  const [was, now] = [describeTool(before), describeTool(tool)];
  // What differs may be in what is not shown of it.
  const also = was === now ? " (its arguments, or what is cut here)" : "";
  return [`changed: ${tool.name}${also}`, `  was: ${was}`, `  now: ${now}`];
}

function describeTool({ name, description, claims }: OfferedDefinition): string {
  const said = description.replaceAll(/\s+/gu, " ").trim();
  const more = said.length - mostDescription;
  const shown = more > 0 ? `${said.slice(0, mostDescription).toWellFormed()} [… ${more} characters more]` : said;
  return `${name}${claims.length === 0 ? "" : ` (says: ${claims.join(", ")})`}: ${shown}`;
}

function choiceOf(end: FormEnd): Choice | null {
  const answer = end.type === "filled" ? end.answers[stepKey] : undefined;
  const [chosen] = answer !== undefined && "options" in answer ? answer.options : [];
  return chosen === "ask" || chosen === "reads" || chosen === "leave" ? chosen : null;
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
