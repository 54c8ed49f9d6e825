import { isBlank, visibleLine } from "../core/interaction/index.ts";
import type { Configured, Integrations, OfferedPrompt } from "../integrations/index.ts";
import {
  quoted,
  type SlashCommand,
  type SlashPlace,
  type SlashResult,
  submit,
  told,
  unlessRefused,
  wrong,
} from "./command.ts";
import { unasked } from "./connecting.ts";
import { suggestion } from "./names.ts";

const made = new WeakMap<readonly Configured[], readonly SlashCommand[]>();

/** What the servers that a person uses offer as prompts: commands `/<server>:<prompt>`, for people alone. */
export function promptCommands(integrations: Integrations): readonly SlashCommand[] {
  const configured = integrations.configured();
  const known = made.get(configured);
  if (known !== undefined) return known;
  const commands = configured.flatMap(({ name, accepted }) => {
    const prompts = accepted?.connected === true ? accepted.prompts : [];
    return prompts.map((prompt) => promptCommand(name, prompt));
  });
  // Of two that would be typed alike, the first.
  const unique = [...new Map(commands.toReversed().map((command) => [command.name, command])).values()].reverse();
  made.set(configured, unique);
  return unique;
}

function promptCommand(server: string, prompt: OfferedPrompt): SlashCommand {
  const typed = prompt.name.replace(/[^\w.-]/gu, "_").replace(/^[.-]/u, "_");
  const name = `${server}:${typed}`;
  const shown = prompt.arguments.map(({ name: key, required }) => {
    const pair = `${visibleLine(key)}=<value>`;
    return required ? pair : `[${pair}]`;
  });
  return {
    name,
    usage: [`/${name}`, ...shown].join(" "),
    does: `sends a prompt of ${server}: ${visibleLine(prompt.description || prompt.name)}`,
    more: describeArguments(prompt),
    examples: [[`/${name}`, ...prompt.arguments.map(({ name: key }) => `${visibleLine(key)}="…"`)].join(" ")],
    tier: "elevated",
    who: "person",
    complete: (given) =>
      prompt.arguments
        .map(({ name: key }) => `${key}=`)
        .filter(
          (pair) =>
            !given
              .split(/\s+/u)
              .slice(0, -1)
              .some((word) => word.startsWith(pair)),
        ),
    run: (given, place) => send(server, prompt, { given, place }),
  };
}

/** In the server's words. */
function describeArguments({ arguments: known }: OfferedPrompt): string {
  const lines = known.map(({ name, description }) =>
    visibleLine(`${name}${description === "" ? "" : `: ${description}`}`),
  );
  return ["What it sends is the server's text; it becomes your prompt.", ...lines].join("\n");
}

async function send(
  server: string,
  prompt: OfferedPrompt,
  { given, place }: { readonly given: string; readonly place: SlashPlace },
): Promise<SlashResult> {
  const read = readPairs(given, prompt);
  if ("problem" in read) return wrong(read.problem);
  const { integrations } = place.around;
  const reached = integrations.server(server);
  if ("failed" in reached) return wrong(reached.failed);
  const called = await integrations.servers.prompt(
    reached,
    { name: prompt.name, arguments: read.values },
    unasked(place.session, place.signal),
  );
  if ("failed" in called) return wrong(called.failed);
  if (called.isError || isBlank(called.text))
    return wrong(`${server}: ${called.isError ? visibleLine(called.text) : "its prompt is empty"}`);
  const { refusal } = submit(place, { type: "prompt", text: called.text, delivery: "now", entry: "submitted" });
  return unlessRefused(place, refusal, told(`sent the prompt ${visibleLine(prompt.name)} of ${server}`));
}

type Values = Readonly<Record<string, string>>;

/** `name=value name="two words"`; where there is but one argument, its value may stand alone. */
function readPairs(given: string, prompt: OfferedPrompt): { readonly values: Values } | { readonly problem: string } {
  const known = prompt.arguments.map(({ name }) => name);
  const [only, ...others] = known;
  const text = given.trim();
  const pairs = pairsOf(text);
  const isPlain = pairs === null || pairs.some(([key]) => !known.includes(key));
  if (isPlain && only !== undefined && others.length === 0) return { values: { [only]: text } };
  if (pairs === null)
    return { problem: `expected ${known.length === 0 ? "no argument" : "name=value"}, found ${quoted(text)}` };
  const unknown = pairs.find(([key]) => !known.includes(key))?.[0];
  if (unknown !== undefined) return { problem: `no argument is named ${quoted(unknown)}${suggestion(unknown, known)}` };
  const values = Object.fromEntries(pairs);
  const missing = prompt.arguments.filter(({ name, required }) => required && values[name] === undefined);
  if (missing.length === 0) return { values };
  return { problem: `expected ${missing.map(({ name }) => `${visibleLine(name)}=<value>`).join(" ")}, found none` };
}

/** `null` where something in it is no pair. */
function pairsOf(text: string): readonly (readonly [string, string])[] | null {
  const pair = /\s*([^\s=]+)=(?:"([^"]*)"|'([^']*)'|([^\s"']\S*|))(?=\s|$)/uy;
  const pairs: (readonly [string, string])[] = [];
  while (pair.lastIndex < text.length) {
    const found = pair.exec(text);
    if (found === null) return null;
    const [, key = "", double, single, plain = ""] = found;
    pairs.push([key, double ?? single ?? plain]);
  }
  return pairs;
}
