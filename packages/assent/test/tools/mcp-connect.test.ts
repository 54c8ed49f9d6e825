import { expect, test } from "vitest";
import { type Flow, newSession } from "../../src/core/index.ts";
import { lintFlow } from "../../src/core/interaction/index.ts";
import type { Accepted } from "../../src/integrations/index.ts";
import type { FormEnd } from "../../src/runtime/ports.ts";
import { offeredTools } from "../../src/runtime/replies.ts";
import { policy } from "../policy/places.ts";
import {
  acceptedOf,
  chooses,
  definition,
  integrationsWith,
  offersOf,
  peoplesTools,
  planFor,
  runFor,
  StandInServer,
  setUpWeather,
  watchedBy,
} from "./connected.ts";
import { removeFolders } from "./fixture.ts";

removeFolders();

const reads = definition("today", { claims: ["only reads"] });
const writes = definition("order", { description: "Orders\nan umbrella.\u202e" });
const prompts = [{ name: "plan", description: "Plans a day.", arguments: [] }];
const offers = offersOf([reads, writes], { prompts });

async function connect(now: typeof offers, was: Accepted | null, ...ends: FormEnd[]) {
  const server = new StandInServer(now);
  const integrations = integrationsWith(server);
  await setUpWeather(integrations, was);
  const { connect: tool } = peoplesTools(integrations);
  const asked: Flow[] = [];
  const told: string[] = [];
  const result = await runFor(tool, planFor(tool, { server: "weather" }), watchedBy({ ends, asked, told }));
  return { result, asked, told, accepted: integrations.find("weather")?.accepted };
}

test("what a server offers is shown as its own words, and used when a person says so", async () => {
  const { result, asked, told, accepted } = await connect(offers, null, chooses("tools", "ask"));
  expect(asked).toEqual([
    {
      steps: [
        {
          key: "tools",
          question: "Should the tools of weather be used?",
          options: [
            { id: "ask", label: "Use and ask each time" },
            { id: "reads", label: "Use, trust its read-only claims" },
            { id: "leave", label: "Leave it" },
          ],
          allow_free_text: false,
          subject: {
            from: "weather",
            message: [
              "Weather 1.0",
              "today (says: only reads): Tells today.",
              "order: Orders an umbrella.\\u{202e}",
              "prompts: plan",
            ],
          },
        },
      ],
    },
  ]);
  expect(asked.flatMap(lintFlow)).toEqual([]);
  expect(told).toEqual(["connecting to weather\n"]);
  expect(result).toEqual({ type: "output", text: "weather is connected: 2 tools, 1 prompt" });
  expect(accepted).toEqual(acceptedOf(offers));
});

test("those that claim to only read need not be asked about, where a person says so", async () => {
  const { result, accepted } = await connect(offers, null, chooses("tools", "reads"));
  expect(accepted?.tools.map(({ name, safe }) => [name, safe])).toEqual([
    ["today", true],
    ["order", false],
  ]);
  expect(result.text).toBe("weather is connected: 2 tools (1 of them without being asked about), 1 prompt");
});

test("nobody is asked about what they have accepted; what was disconnected is used again", async () => {
  const { result, asked, accepted } = await connect(offers, acceptedOf(offers, { connected: false }));
  expect({ asked, result }).toEqual({
    asked: [],
    result: { type: "output", text: "weather is connected: 2 tools, 1 prompt" },
  });
  expect(accepted?.connected).toBe(true);
});

test("what has changed since is shown as such, and a mark stays with the definition that it was set for", async () => {
  const before = offersOf([reads, writes, definition("old")]);
  const was = acceptedOf(before, { tools: before.tools.map((tool) => ({ ...tool, safe: true })) });
  const hidden = definition("order", { ...writes, digest: "sha256:other" });
  const now = offersOf([reads, hidden, definition("new")], { problems: ["tool 7: its schema is too large"] });
  const { asked, accepted } = await connect(now, was, chooses("tools", "ask"));
  const [step] = asked.flatMap(({ steps }) => steps);
  expect(step?.question).toBe("Should the changes of weather be used?");
  expect(step?.subject).toEqual({
    from: "weather",
    message: [
      "Weather 1.0",
      "changed: order (its arguments, or what is cut here)",
      "  was: order: Orders an umbrella.\\u{202e}",
      "  now: order: Orders an umbrella.\\u{202e}",
      "new: new: Tells new.",
      "gone: old",
      "as before: 1 tool",
      "left out: tool 7: its schema is too large",
    ],
  });
  expect(accepted?.tools.map(({ name, safe }) => [name, safe])).toEqual([
    ["today", true],
    ["order", false],
    ["new", false],
  ]);
});

test("who leaves it leaves everything as it was", async () => {
  const first = await connect(offers, null, chooses("tools", "leave"));
  expect(first.accepted).toBe(null);
  expect(first.result).toEqual({
    type: "output",
    text: "weather is saved and not used; /mcp connect weather asks again",
  });
  const was = acceptedOf(offersOf([reads]));
  const later = await connect(offers, was, chooses("tools", "leave"));
  expect(later.accepted).toEqual(was);
  expect(later.result.text).toBe("weather stays as you accepted it before; /mcp connect weather asks again");
});

for (const [why, text] of [
  ["cancelled", "cancelled"],
  ["stopped", "stopped"],
  ["expired", "the question expired"],
  ["aborted", "there was no valid answer"],
  ["nobody", "nobody is here to accept what it offers"],
] as const) {
  test(`nothing is used where there is no answer: ${why}`, async () => {
    const { result, accepted } = await connect(offers, null, { type: "unanswered", why });
    expect({ result, accepted }).toEqual({
      result: { type: "error", text: `weather is saved and not used: ${text}` },
      accepted: null,
    });
  });
}

test("it is a person's: a model cannot call it, and whoever enters it need not approve it as well", async () => {
  const server = new StandInServer(offers);
  const integrations = integrationsWith(server);
  await setUpWeather(integrations, null);
  const { tools, connect: tool } = peoplesTools(integrations);
  expect(tools.map(({ read }) => read("{}").type)).toEqual(["invalid", "invalid", "invalid"]);
  expect(offeredTools(tools, newSession())).toEqual([]);
  expect(policy.judge(planFor(tool, { server: "weather" })).verdict).toBe("allow");
  expect(planFor(tool, { server: "none" }).fails).toBe('"none" is not set up');
  await runFor(tool, planFor(tool, { server: "weather" }));
  await tool.close?.("s1", []);
  expect(server.left).toEqual(["s1"]);
});
