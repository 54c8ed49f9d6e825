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
  definition: (tool) => looseRecord(tool["function"]),
  schema: "parameters",
  name: /^[a-zA-Z0-9_-]{1,64}$/,
};

/** The API refuses longer ids of calls. */
const longestId = 40;

export function checkCompletions(body: Loose): readonly string[] {
  const problems = openProblems();
  checkHead(body, problems);
  const messages = looseList(body["messages"]);
  problems.expect(messages.length > 0, "messages", "expected at least one");
  const answered = openAnswered("tool message", problems);
  for (const [index, message] of messages.entries()) {
    checkMessage(looseRecord(message), `messages[${index}]`, { problems, answered });
  }
  answered.finish("messages");
  checkOffers(body, problems);
  for (const name of ["max_tokens", "max_completion_tokens"]) checkCount(body, [name, 1], problems);
  const both = body["max_tokens"] !== undefined && body["max_completion_tokens"] !== undefined;
  problems.expect(!both, "max_tokens", "expected it or max_completion_tokens, found both");
  const loneOptions = body["stream_options"] !== undefined && body["stream"] !== true;
  problems.expect(!loneOptions, "stream_options", "expected only where stream is true");
  return problems.found;
}

type Checking = { readonly problems: Problems; readonly answered: Answered };

function checkMessage(message: Loose, where: string, { problems, answered }: Checking): void {
  const role = looseText(message["role"]);
  if (role !== "tool") answered.finish(where);
  switch (role) {
    case "system":
    case "developer":
    case "user":
      checkContent(message["content"], `${where}.content`, problems);
      break;
    case "assistant":
      checkAssistant(message, where, { problems, answered });
      break;
    case "tool":
      answered.answer(looseText(message["tool_call_id"]), `${where}.tool_call_id`);
      problems.expect(
        typeof message["content"] === "string" || Array.isArray(message["content"]),
        `${where}.content`,
        `expected a text, found ${shown(message["content"])}`,
      );
      break;
    default:
      problems.expect(false, `${where}.role`, `expected a known role, found ${shown(message["role"])}`);
  }
}

function checkAssistant(message: Loose, where: string, { problems, answered }: Checking): void {
  const calls = message["tool_calls"];
  if (calls === undefined) {
    const said = isFilled(message["refusal"]) ? message["refusal"] : message["content"];
    checkContent(said, `${where}.content`, problems);
    return;
  }
  problems.expect(looseList(calls).length > 0, `${where}.tool_calls`, "expected at least one call");
  for (const [index, each] of looseList(calls).entries()) {
    const call = looseRecord(each);
    const place = `${where}.tool_calls[${index}]`;
    const { id } = call;
    const isId = isFilled(id) && id.length <= longestId;
    problems.expect(isId, `${place}.id`, `expected an id of at most ${longestId} characters, found ${shown(id)}`);
    if (isFilled(id)) answered.call(id, `${place}.id`);
    problems.expect(call["type"] === "function", `${place}.type`, `expected "function", found ${shown(call["type"])}`);
    const made = looseRecord(call["function"]);
    checkName(made["name"], { where: `${place}.function.name`, pattern: shape.name }, problems);
    const given = made["arguments"];
    const at = `${place}.function.arguments`;
    problems.expect(isObjectText(given), at, `expected the JSON of an object as a text, found ${shown(given)}`);
  }
}

function checkOffers(body: Loose, problems: Problems): void {
  const names = checkTools(body, shape, problems);
  const isEmpty = Array.isArray(body["tools"]) && body["tools"].length === 0;
  problems.expect(!isEmpty, "tools", "expected at least one where the field is given");
  for (const name of ["tool_choice", "parallel_tool_calls"]) {
    const lone = body[name] !== undefined && body["tools"] === undefined;
    problems.expect(!lone, name, "expected only where tools are given");
  }
  checkChoice(body["tool_choice"], names, problems);
}

function checkChoice(choice: unknown, names: ReadonlySet<string>, problems: Problems): void {
  if (choice === undefined) return;
  const chosen = looseText(looseRecord(looseRecord(choice)["function"])["name"]);
  const isKnown = typeof choice === "string" ? ["none", "auto", "required"].includes(choice) : names.has(chosen);
  problems.expect(isKnown, "tool_choice", `expected none, auto, required or a tool, found ${shown(choice)}`);
}
