import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { rules } from "../../../src/policy/rules.ts";
import { Random } from "../../simulation/random.ts";
import { borderlineCommands, ordinaryCommands } from "../ordinary/index.ts";
import { dangerousSeeds } from "../rewriting/seeds.ts";
import { disagreements, whyNoBash } from "./agreement.ts";
import { allCases } from "./cases.ts";

/** `npm run campaign parsing <file>` reads more: JSON lines with a `command` each. */
const given = process.env["PARSED_COMMANDS"];
const spoiled = 800;

const own = [
  ...ordinaryCommands().map(({ command }) => command),
  ...borderlineCommands().map(({ command }) => command),
  ...dangerousSeeds.map(({ source }) => source),
  ...Object.values(rules).flatMap(({ asks, allows }) => [...asks, ...allows]),
  ...allCases().map(({ command }) => command),
];
const commands = [...new Set([...own, ...(given === undefined ? [] : commandsIn(given))])];
const problem = whyNoBash();
if (problem !== null) process.stdout.write(`parsed: none of ${commands.length} commands: ${problem}\n`);

function commandsIn(file: string): readonly string[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => commandOf(JSON.parse(line)));
}

function commandOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "object" && value !== null && "command" in value) return String(value.command);
  throw new Error("a line is neither a text nor has a command");
}

/** Cut short, or with a character too few or too many: most are still valid, many are not. */
function spoil(command: string, number: number): string {
  const random = new Random(0x5b0e, number);
  const at = random.below(command.length);
  const added = "'\"()|&;<>{}`$\n\\# ".charAt(random.below(17));
  const ways = [
    command.slice(0, at),
    command.slice(0, at) + command.slice(at + 1),
    command.slice(0, at) + added + command.slice(at),
  ];
  return ways[random.below(ways.length)] ?? command;
}

const title = (what: string, count: number) => (problem === null ? what : `${what} (${count} not read: ${problem})`);

test.skipIf(problem !== null)(title("bash and the parser take the same commands for valid", commands.length), () => {
  const found = disagreements(commands);
  process.stdout.write(`parsed: ${commands.length} commands, ${found.length} disagreements\n`);
  expect(found).toEqual([]);
});

test.skipIf(problem !== null)(title("they agree on spoiled commands as well", spoiled), () => {
  // Of these only, so that it does not depend on what others add.
  const whole = allCases().map(({ command }) => command);
  const some = Array.from({ length: spoiled }, (_, number) => spoil(whole[number % whole.length] ?? "", number));
  expect(disagreements(some)).toEqual([]);
});
