import { type Loose, looseList, looseRecord, looseText } from "../../../wire/index.ts";
import {
  checkContent,
  checkCount,
  checkHead,
  isFilled,
  isObjectText,
  openProblems,
  type Problems,
  shown,
} from "./problems.ts";
import { type Answered, checkName, checkTools, openAnswered, type ToolShape } from "./tools.ts";

const shape: ToolShape = {
  definition: (tool) => (tool["type"] === "function" ? tool : null),
  schema: "parameters",
  name: /^[a-zA-Z0-9_-]{1,64}$/,
};

/** The API refuses longer ids of calls. */
const longestId = 64;

export function checkResponses(body: Loose): readonly string[] {
  const problems = openProblems();
  checkHead(body, problems);
  const { input, instructions } = body;
  if (typeof input === "string") problems.expect(input !== "", "input", "expected a text, found an empty one");
  else problems.expect(looseList(input).length > 0, "input", `expected a text or items, found ${shown(input)}`);
  const said = instructions === undefined || instructions === null || isFilled(instructions);
  problems.expect(said, "instructions", `expected a text, found ${shown(instructions)}`);
  checkItems(body, problems);
  const names = checkTools(body, shape, problems);
  for (const [index, tool] of looseList(body["tools"]).entries()) {
    problems.expect(isFilled(looseRecord(tool)["type"]), `tools[${index}].type`, "expected a type");
  }
  checkChoice(body["tool_choice"], names, { problems, offers: looseList(body["tools"]).length });
  checkCount(body, ["max_output_tokens", 16], problems);
  return problems.found;
}

function checkItems(body: Loose, problems: Problems): void {
  const answered = openAnswered("function_call_output", problems);
  const items = looseList(body["input"]).map(looseRecord);
  // What came before stands in a response that the server keeps: its calls are not seen here.
  const continues = isFilled(body["previous_response_id"]);
  for (const [index, item] of items.entries()) {
    const where = `input[${index}]`;
    switch (typeOf(item)) {
      case "message":
        checkMessage(item, where, problems);
        break;
      case "function_call":
        checkCall(item, where, { problems, answered });
        break;
      case "function_call_output":
        if (!continues) answered.answer(looseText(item["call_id"]), `${where}.call_id`);
        checkOutput(item, where, problems);
        break;
      case "reasoning":
        checkReasoning(item, where, { problems, next: items[index + 1], kept: body["store"] !== false });
        break;
      case "item_reference":
        problems.expect(isFilled(item["id"]), `${where}.id`, "expected an id");
        break;
      default:
        problems.expect(false, `${where}.type`, `expected a known type, found ${shown(item["type"])}`);
    }
  }
  answered.finish("input");
}

/** A message may leave its type out. */
function typeOf(item: Loose): string {
  return item["type"] === undefined && item["role"] !== undefined ? "message" : looseText(item["type"]);
}

function checkMessage(item: Loose, where: string, problems: Problems): void {
  const role = looseText(item["role"]);
  const known = ["user", "system", "developer", "assistant"].includes(role);
  problems.expect(known, `${where}.role`, `expected a known role, found ${shown(item["role"])}`);
  checkContent(item["content"], `${where}.content`, problems);
  const types = role === "assistant" ? /^(output_text|refusal)$/ : /^input_(text|image|file)$/;
  for (const [index, part] of looseList(item["content"]).entries()) {
    const { type } = looseRecord(part);
    const at = `${where}.content[${index}].type`;
    problems.expect(types.test(looseText(type)), at, `expected a part of a message of ${role}, found ${shown(type)}`);
  }
}

type Checking = { readonly problems: Problems; readonly answered: Answered };

function checkCall(item: Loose, where: string, { problems, answered }: Checking): void {
  const id = item["call_id"];
  const isId = isFilled(id) && id.length <= longestId;
  problems.expect(isId, `${where}.call_id`, `expected an id of at most ${longestId} characters, found ${shown(id)}`);
  if (isFilled(id)) answered.call(id, `${where}.call_id`);
  checkName(item["name"], { where: `${where}.name`, pattern: shape.name }, problems);
  const given = item["arguments"];
  const what = `expected the JSON of an object as a text, found ${shown(given)}`;
  problems.expect(isObjectText(given), `${where}.arguments`, what);
}

function checkOutput(item: Loose, where: string, problems: Problems): void {
  const { output } = item;
  const fine = typeof output === "string" || Array.isArray(output);
  problems.expect(fine, `${where}.output`, `expected a text or a list, found ${shown(output)}`);
}

/** What may follow a thought: what the model did because of it. */
const thoughtFor = ["reasoning", "function_call", "item_reference"];

function checkReasoning(
  item: Loose,
  where: string,
  { problems, next, kept }: { readonly problems: Problems; readonly next: Loose | undefined; readonly kept: boolean },
): void {
  problems.expect(Array.isArray(item["summary"]), `${where}.summary`, "expected a list");
  const type = typeOf(next ?? {});
  const follows = thoughtFor.includes(type) || (type === "message" && next?.["role"] === "assistant");
  problems.expect(follows, where, "expected the item that the reasoning led to right after it");
  const isWhole = kept || isFilled(item["encrypted_content"]);
  problems.expect(isWhole, `${where}.encrypted_content`, "expected it, for nothing is kept where store is false");
  problems.expect(isFilled(item["id"]) || isFilled(item["encrypted_content"]), `${where}.id`, "expected an id");
}

function checkChoice(
  choice: unknown,
  names: ReadonlySet<string>,
  { problems, offers }: { readonly problems: Problems; readonly offers: number },
): void {
  if (choice === undefined || choice === "auto" || choice === "none") return;
  problems.expect(offers > 0, "tool_choice", "expected only where tools are given");
  const { type, name } = looseRecord(choice);
  const isKnown =
    typeof choice === "string" ? choice === "required" : type !== "function" || names.has(looseText(name));
  problems.expect(isKnown, "tool_choice", `expected none, auto, required or a tool, found ${shown(choice)}`);
}
