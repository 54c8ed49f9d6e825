import { expect, test } from "vitest";
import { runInteractive } from "../../src/tools/run-interactive.ts";
import { planFor, runFor, watchedBy } from "./connected.ts";

const command = "/integrations setup sentry";
const plan = planFor(runInteractive, { command });

test("without a shell but with somebody who can be asked, the set-up begins after the exchange", async () => {
  const result = await runFor(runInteractive, plan, { ...watchedBy(), attended: true });
  expect(result).toEqual({ type: "output", text: `begins when this exchange ends: ${command}`, launch: command });
});

test("with nobody there, the model is told to name the command", async () => {
  const result = await runFor(runInteractive, plan);
  const text = `there is no shell here; tell the person to type in theirs: ${command}`;
  expect(result).toEqual({ type: "output", text });
});
