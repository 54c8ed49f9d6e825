import { isLooseRecord, type Loose, looseList, looseRecord, looseText } from "../../../wire/index.ts";
import { checkMessageBlocks, holdsToolBlocks } from "./message-blocks.ts";
import { checkCount, checkHead, isFilled, openProblems, type Problems, shown } from "./problems.ts";
import { checkTools, openAnswered, type ToolShape } from "./tools.ts";

const shape: ToolShape = {
  // What the provider runs itself has a type and no schema of ours.
  definition: (tool) => (tool["type"] === undefined || tool["type"] === "custom" ? tool : null),
  schema: "input_schema",
  name: /^[a-zA-Z0-9_-]{1,128}$/,
};

const mostCacheMarks = 4;

export function checkMessages(body: Loose, headers: Readonly<Record<string, string>>): readonly string[] {
  const problems = openProblems();
  problems.expect(isFilled(headers["anthropic-version"]), "anthropic-version", "expected this header");
  checkHead(body, problems);
  problems.expect(body["max_tokens"] !== undefined, "max_tokens", "expected a number, found nothing");
  checkCount(body, ["max_tokens", 1], problems);
  if (body["system"] !== undefined) checkSystem(body["system"], problems);
  checkRoles(body, problems);
  checkOffers(body, problems);
  checkThinking(body, problems);
  const marks = marksIn([body["system"], body["tools"], body["messages"], { cache_control: body["cache_control"] }]);
  problems.expect(marks <= mostCacheMarks, "cache_control", `expected at most ${mostCacheMarks} marks, found ${marks}`);
  return problems.found;
}

function checkSystem(system: unknown, problems: Problems): void {
  const blocks = typeof system === "string" ? [{ type: "text", text: system }] : looseList(system);
  problems.expect(blocks.length > 0, "system", `expected a text or blocks, found ${shown(system)}`);
  for (const [index, block] of blocks.entries()) {
    const { type, text } = looseRecord(block);
    const fine = type === "text" && looseText(text).trim() !== "";
    problems.expect(fine, `system[${index}]`, `expected a block of text that is not empty, found ${shown(block)}`);
  }
}

function checkRoles(body: Loose, problems: Problems): void {
  const messages = looseList(body["messages"]).map(looseRecord);
  problems.expect(messages.length > 0, "messages", "expected at least one");
  const answered = openAnswered("tool_result", problems);
  for (const [index, message] of messages.entries()) {
    const expected = index % 2 === 0 ? "user" : "assistant";
    const where = `messages[${index}]`;
    const { role } = message;
    problems.expect(role === expected, `${where}.role`, `expected ${expected}, found ${shown(role)}`);
    checkMessageBlocks(message, where, { problems, answered, isLast: index === messages.length - 1 });
  }
  answered.finish("messages");
}

function checkOffers(body: Loose, problems: Problems): void {
  const names = checkTools(body, shape, problems);
  const offers = looseList(body["tools"]).length;
  const needed = holdsToolBlocks(looseList(body["messages"]));
  problems.expect(offers > 0 || !needed, "tools", "expected tools where the messages hold tool_use or tool_result");
  const choice = body["tool_choice"];
  if (choice === undefined) return;
  problems.expect(offers > 0, "tool_choice", "expected only where tools are given");
  const { type, name } = looseRecord(choice);
  const isKnown = ["auto", "any", "none"].includes(looseText(type)) || (type === "tool" && names.has(looseText(name)));
  problems.expect(isKnown, "tool_choice", `expected auto, any, none or a tool, found ${shown(choice)}`);
}

/** The least that may be thought, where it is said how much. */
const leastBudget = 1024;

function checkThinking(body: Loose, problems: Problems): void {
  const { thinking, max_tokens, temperature } = body;
  const type = looseText(looseRecord(thinking)["type"]);
  if (thinking === undefined || type === "disabled") return;
  const isKnown = type === "enabled" || type === "adaptive";
  problems.expect(isKnown, "thinking.type", `expected enabled, adaptive or disabled, found ${shown(type)}`);
  if (type === "enabled") {
    const budget = looseRecord(thinking)["budget_tokens"];
    const most = typeof max_tokens === "number" ? max_tokens : 0;
    const fine = typeof budget === "number" && budget >= leastBudget && budget < most;
    const what = `expected at least ${leastBudget} and less than max_tokens, found ${shown(budget)}`;
    problems.expect(fine, "thinking.budget_tokens", what);
  }
  const plain = temperature === undefined || temperature === 1;
  problems.expect(plain, "temperature", "expected 1 where the model thinks");
  const forced = ["any", "tool"].includes(looseText(looseRecord(body["tool_choice"])["type"]));
  problems.expect(!forced, "tool_choice", "expected no forced tool where the model thinks");
}

/** Marks are counted on what the API knows; the input of a call and a schema are somebody's data. */
function marksIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, each: unknown) => sum + marksIn(each), 0);
  if (!isLooseRecord(value)) return 0;
  return (isLooseRecord(value["cache_control"]) ? 1 : 0) + marksIn(value["content"]);
}
