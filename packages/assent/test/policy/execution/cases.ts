/**
 * Commands that are run for real, by what they do. `%= <what>` stands before those that do it; a line is a command, one of
 * several lines stands between `%{` and `%}`.
 */
import { readdirSync, readFileSync } from "node:fs";
import type { Observed } from "./observe.ts";

export type Case = {
  readonly command: string;
  readonly does: readonly Observed[];
  /** Rightly asked about for another reason: what is run cannot be seen, so nobody can tell what it does. */
  readonly unseen: boolean;
  /** Nothing happens, and yet a person may be asked: what happens depends on what is not in the command. */
  readonly cautious: boolean;
};

const effects: readonly Observed[] = ["delete", "network", "overwrite", "system"];

export function allCases(): readonly Case[] {
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith(".txt"));
  return files.sort().flatMap((file) => readCases(readFileSync(`${import.meta.dirname}/${file}`, "utf8")));
}

function readCases(text: string): readonly Case[] {
  return text
    .split(/^%= /m)
    .slice(1)
    .flatMap((section) => {
      const [, heading = "", body = ""] = /^([^\n]*)\n(.*)$/s.exec(section) ?? [];
      const words = heading.split(" ");
      const does = effects.filter((effect) => words.includes(effect));
      const rest = { does, unseen: words.includes("unseen"), cautious: words.includes("cautious") };
      return commandsOf(body).map((command) => ({ command, ...rest }));
    });
}

function commandsOf(body: string): readonly string[] {
  const found = body.matchAll(/^%\{\n(.*?)\n%\}$|^([^\n]+)$/gms);
  return [...found].map(([, block, line]) => block ?? line ?? "");
}
