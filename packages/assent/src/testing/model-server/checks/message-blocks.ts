import { isLooseRecord, type Loose, looseList, looseRecord, looseText } from "../../../wire/index.ts";
import { isFilled, type Problems, shown } from "./problems.ts";
import { type Answered, checkName } from "./tools.ts";

type Checking = { readonly problems: Problems; readonly answered: Answered; readonly isLast: boolean };

/** The blocks of one message: those of a call right before their results, thoughts first, nothing empty. */
export function checkMessageBlocks(message: Loose, where: string, checking: Checking): void {
  const { problems, answered } = checking;
  const { content } = message;
  const blocks = blocksOf(content);
  problems.expect(blocks.length > 0, `${where}.content`, `expected a text or blocks, found ${shown(content)}`);
  const isUser = message["role"] === "user";
  const results = blocks.findIndex(({ type }) => type !== "tool_result");
  const leading = results === -1 ? blocks.length : results;
  for (const [index, block] of blocks.entries()) {
    const place = `${where}.content[${index}]`;
    // All results stand before anything else, and they are for the message before.
    if (index === leading) answered.finish(where);
    const isLate = block["type"] === "tool_result" && index > leading;
    problems.expect(!isLate, place, "expected tool_result before all other blocks");
    if (isUser) checkUserBlock(block, place, checking);
    else checkAssistantBlock(block, place, { ...checking, before: blocks.slice(0, index) });
  }
  // Of the assistant the calls that were made here are still open: the next message answers them.
  if (isUser) answered.finish(where);
  if (!isUser && checking.isLast) checkEnding(blocks, where, problems);
}

function blocksOf(content: unknown): readonly Loose[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : looseList(content).map(looseRecord);
}

function checkUserBlock(block: Loose, where: string, { problems, answered }: Checking): void {
  switch (block["type"]) {
    case "text":
      checkText(block, where, problems);
      break;
    case "tool_result":
      answered.answer(looseText(block["tool_use_id"]), `${where}.tool_use_id`);
      checkResult(block, where, problems);
      break;
    case "image":
    case "document":
      problems.expect(isLooseRecord(block["source"]), `${where}.source`, "expected a source");
      break;
    default:
      problems.expect(false, `${where}.type`, `expected a block of a user, found ${shown(block["type"])}`);
  }
}

function checkResult(block: Loose, where: string, problems: Problems): void {
  const { content } = block;
  const fine = content === undefined || typeof content === "string" || Array.isArray(content);
  problems.expect(fine, `${where}.content`, `expected a text or blocks, found ${shown(content)}`);
  for (const [index, part] of looseList(content).map(looseRecord).entries()) {
    if (part["type"] === "text") checkText(part, `${where}.content[${index}]`, problems);
  }
}

function checkAssistantBlock(
  block: Loose,
  where: string,
  { problems, answered, before }: Checking & { readonly before: readonly Loose[] },
): void {
  switch (block["type"]) {
    case "text":
      checkText(block, where, problems);
      break;
    case "tool_use":
      checkUse(block, where, { problems, answered });
      break;
    case "thinking":
    case "redacted_thinking":
      checkThought(block, where, { problems, first: before.every(({ type }) => isThought(type)) });
      break;
    default:
      problems.expect(false, `${where}.type`, `expected a block of an assistant, found ${shown(block["type"])}`);
  }
}

function checkUse(block: Loose, where: string, { problems, answered }: Omit<Checking, "isLast">): void {
  const { id, name, input } = block;
  const isId = checkName(id, { where: `${where}.id`, pattern: /^[a-zA-Z0-9_-]+$/ }, problems);
  if (isId) answered.call(looseText(id), `${where}.id`);
  checkName(name, { where: `${where}.name`, pattern: /^[a-zA-Z0-9_-]{1,128}$/ }, problems);
  problems.expect(isLooseRecord(input), `${where}.input`, `expected an object, found ${shown(input)}`);
}

function checkThought(
  block: Loose,
  where: string,
  { problems, first }: { readonly problems: Problems; readonly first: boolean },
): void {
  const seal = block["type"] === "thinking" ? "signature" : "data";
  problems.expect(isFilled(block[seal]), `${where}.${seal}`, `expected a text, found ${shown(block[seal])}`);
  problems.expect(first, where, "expected thinking before all other blocks");
  problems.expect(block["cache_control"] === undefined, `${where}.cache_control`, "expected no mark on thinking");
}

function isThought(type: unknown): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

/** Blank counts as empty here. */
function checkText({ text }: Loose, where: string, problems: Problems): void {
  const isFull = looseText(text).trim() !== "";
  problems.expect(isFull, `${where}.text`, `expected a text that is not blank, found ${shown(text)}`);
}

/** A message of the assistant at the end is the beginning of the reply. */
function checkEnding(blocks: readonly Loose[], where: string, problems: Problems): void {
  const text = looseText(blocks.at(-1)?.["text"]);
  problems.expect(text === text.trimEnd(), where, "expected no white space at the end of the last assistant message");
}

export function holdsToolBlocks(messages: readonly unknown[]): boolean {
  const types = messages.flatMap((message) => blocksOf(looseRecord(message)["content"]).map(({ type }) => type));
  return types.includes("tool_use") || types.includes("tool_result");
}
