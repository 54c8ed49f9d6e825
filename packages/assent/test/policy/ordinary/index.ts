/**
 * Ordinary commands, by field: what people and agents send all day and nobody needs to approve. A line is a command;
 * one of several lines stands between `%{` and `%}`. `borderline.txt` has those of which people think differently.
 */
import { readdirSync, readFileSync } from "node:fs";

export type Ordinary = { readonly field: string; readonly command: string };

const borderlineField = "borderline";

export function ordinaryCommands(): readonly Ordinary[] {
  return commandsOf(fields().filter((field) => field !== borderlineField));
}

export function borderlineCommands(): readonly Ordinary[] {
  return commandsOf([borderlineField]);
}

function fields(): readonly string[] {
  return readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith(".txt"))
    .map((file) => file.slice(0, -".txt".length))
    .sort();
}

function commandsOf(names: readonly string[]): readonly Ordinary[] {
  return names.flatMap((field) =>
    readCommands(readFileSync(`${import.meta.dirname}/${field}.txt`, "utf8")).map((command) => ({ field, command })),
  );
}

function readCommands(text: string): readonly string[] {
  const commands: string[] = [];
  let block: string[] | undefined;
  for (const line of text.split("\n")) {
    if (line === "%{") block = [];
    else if (line === "%}") {
      if (block !== undefined) commands.push(block.join("\n"));
      block = undefined;
    } else if (block !== undefined) block.push(line);
    else if (line !== "") commands.push(line);
  }
  return commands;
}
