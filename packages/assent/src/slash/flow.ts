import { readFileSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { type Flow, lintFlow } from "../core/interaction/index.ts";
import { messageOf, readFlow, readLine } from "../wire/index.ts";
import { type SlashCommand, submit, told, unlessRefused, wrong } from "./command.ts";

export const flow: SlashCommand = {
  name: "flow",
  usage: "/flow <file>",
  does: "asks the questions of a file, one a step; no model",
  more: 'The file is {"steps": [{"key": "env", "instruction": "Which environment?", "options": ["Staging", "Production"]}]}.',
  examples: ["/flow release.json"],
  tier: "elevated",
  who: "person",
  run(given, place) {
    const file = given.trim();
    if (file === "") return wrong("expected a file, found none");
    const written = readFile(resolve(place.host.view(place.session).cwd, file));
    const read = "problem" in written ? written : readWritten(written.text);
    if ("problem" in read) return wrong(`${file}: ${read.problem}`);
    const body = { type: "flow", flow: read.flow, name: `flow ${basename(file)}`, arguments: read.text } as const;
    return unlessRefused(place, submit(place, body).refusal, told(`asking the questions of ${file}`));
  },
};

type Problem = { readonly problem: string };

/** Only a plain file is read: a pipe would keep everybody waiting. */
function readFile(path: string): { readonly text: string } | Problem {
  try {
    if (!statSync(path).isFile()) return { problem: "it is not a file" };
    return { text: readFileSync(path, "utf8") };
  } catch (error) {
    return { problem: `cannot be read: ${messageOf(error)}` };
  }
}

function readWritten(text: string): { readonly text: string; readonly flow: Flow } | Problem {
  const json = readLine(text);
  const read = json.type === "refused" ? json : readFlow(json.value);
  if (read.type === "refused") return { problem: read.refusal.detail };
  const [first] = lintFlow(read.value);
  return first === undefined ? { text, flow: read.value } : { problem: first.detail };
}
