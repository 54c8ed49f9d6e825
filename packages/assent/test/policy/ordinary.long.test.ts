import { expect, test } from "vitest";
import { judgeCommand } from "../../src/policy/shell/index.ts";
import { borderlineCommands, type Ordinary, ordinaryCommands } from "./ordinary/index.ts";
import { world } from "./world.ts";

const most = 0.01;
/** Of these people think differently, so more may be asked; but whoever is asked about each stops reading. */
const mostBorderline = 0.25;

function asked(name: string, commands: readonly Ordinary[]): number {
  const judged = commands.map((each) => ({ ...each, ...judgeCommand(each.command, world) }));
  const all = judged.filter(({ verdict }) => verdict === "ask");
  const share = all.length / commands.length;
  const lines = all.map(
    ({ field, command, findings }) =>
      `  ${field}: ${JSON.stringify(command)}\n    ${findings.map(({ rule, reason }) => `${rule}: ${reason}`).join("; ")}\n`,
  );
  const percent = (share * 100).toFixed(2);
  process.stdout.write(`${name}: ${commands.length} commands, ${all.length} asked (${percent} %)\n${lines.join("")}`);
  return share;
}

test("hardly any ordinary command is asked about", () => {
  const commands = ordinaryCommands();
  expect(new Set(commands.map(({ command }) => command)).size).toBe(commands.length);
  expect(commands.length).toBeGreaterThanOrEqual(1_200);
  expect(asked("ordinary", commands)).toBeLessThanOrEqual(most);
});

test("most everyday commands that some would ask about are not", () => {
  expect(asked("borderline", borderlineCommands())).toBeLessThanOrEqual(mostBorderline);
});
