import { quoted, type SlashCommand, told, wordsOf, wrong } from "./command.ts";
import { suggestion } from "./names.ts";

/** What all commands are, or one of them; it is one of them itself. */
export const help: SlashCommand = {
  name: "help",
  usage: "/help [name]",
  does: "lists the commands, or tells all about one",
  examples: ["/help", "/help queue"],
  tier: "safe",
  who: "anyone",
  complete: (_typed, { around }) => around.commands().map(({ name }) => name),
  run(given, { around }) {
    const all = around.commands();
    const [name = "", ...more] = wordsOf(given);
    if (more.length > 0) return wrong(`expected the name of one command, found ${quoted(given)}`);
    if (name === "") return told(overview(all));
    const found = commandNamed(all, name.replace(/^\//, ""));
    if (found !== undefined) return told(describeCommand(found));
    const known = all.map((command) => command.name);
    return wrong(`expected the name of a command, found ${quoted(name)}${suggestion(name.replace(/^\//, ""), known)}`);
  },
};

export function commandNamed(all: readonly SlashCommand[], name: string): SlashCommand | undefined {
  return all.find((command) => command.name === name || command.also?.includes(name));
}

function overview(all: readonly SlashCommand[]): string {
  const widest = Math.max(...all.map(({ usage }) => usage.length).filter((length) => length <= 24));
  const lines = all.map(({ usage, does }) =>
    usage.length <= widest ? `${usage.padEnd(widest)}  ${does}` : `${usage}\n${" ".repeat(widest)}  ${does}`,
  );
  const rest = [
    "!<command>   runs a command yourself; !!<command> gives it the terminal, as an editor needs",
    "@<path>      in a prompt: the text of that file goes with it",
    "stop         ends what is under way, as Ctrl-C does",
    "/help <name> tells more of a command",
  ];
  return [...lines, "", ...rest].join("\n");
}

function describeCommand({ usage, does, more, examples, also = [] }: SlashCommand): string {
  return [
    usage,
    `  ${does}`,
    ...(more === undefined ? [] : more.split("\n").map((line) => `  ${line}`)),
    ...also.map((name) => `  also: /${name}`),
    ...examples.map((example) => `  example: ${example}`),
  ].join("\n");
}
