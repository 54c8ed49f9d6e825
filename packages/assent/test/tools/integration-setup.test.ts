import { beforeAll, expect, test } from "vitest";
import type { Flow, FlowState } from "../../src/core/index.ts";
import type { Integrations } from "../../src/integrations/index.ts";
import { openVendor, vendorToken } from "../fixtures/vendor.ts";
import { policy } from "../policy/places.ts";
import {
  chooses,
  definition,
  integrationsWith,
  offersOf,
  peoplesTools,
  planFor,
  runFor,
  StandInServer,
  watchedBy,
} from "./connected.ts";
import { removeFolders } from "./fixture.ts";

removeFolders();

const token = vendorToken;
let url = "";

beforeAll(async () => {
  const vendor = await openVendor();
  url = vendor.url;
  return vendor.close;
});

const asked = JSON.stringify({ service: "sentry", known: {} });

/** As a person has filled in the set-up of sentry. */
function filled(integrations: Integrations): { readonly flow: Flow; readonly state: FlowState } {
  const entry = integrations.catalogue.find("sentry");
  const flow = entry === null ? null : integrations.setUpFlow(entry, {});
  if (flow === null) throw new Error("the set-up of sentry asks something");
  const typed: Readonly<Record<string, string>> = { organization: "acme", url };
  const answers = flow.steps.map(({ key, sensitive }) => ({
    key,
    answer: sensitive
      ? ({ type: "set", secret: `s1-${key}` } as const)
      : ({ type: "free-text", text: typed[key] ?? "" } as const),
  }));
  return { flow, state: { answers, choosing: false } };
}

function setUp(secret: (name: string) => string | null, server = new StandInServer(offersOf([]))) {
  const integrations = integrationsWith(server);
  return { integrations, tool: peoplesTools(integrations, secret).setUp };
}

test("what was filled in is saved and verified; the plan has no secret, and needs no approval", async () => {
  const { integrations, tool } = setUp(() => token);
  const plan = planFor(tool, asked, { flow: filled(integrations) });
  expect(JSON.stringify(plan)).not.toContain(token);
  expect(policy.judge(plan).verdict).toBe("allow");
  const told: string[] = [];
  const result = await runFor(tool, plan, watchedBy({ told }));
  expect(result.type).toBe("output");
  expect(result.text).toMatch(/^sentry is set up: passed \(.*\)$/);
  expect(told).toEqual(["sentry is saved; verifying\n"]);
  expect(integrations.values()).toEqual([token]);
  expect(integrations.describe()).toBe("sentry (passed)");
});

test("what cannot be verified is kept, and it is said what to do", async () => {
  const { integrations, tool } = setUp(() => "another-token-0123456789");
  const plan = planFor(tool, asked, { flow: filled(integrations) });
  const { type, text } = await runFor(tool, plan);
  const [first = "", second] = text.split("\n");
  expect(type).toBe("error");
  expect(first).toMatch(/^sentry is saved, but not verified: failed \(.*401.*\)$/);
  expect(second).toBe(
    "what was entered is kept; /integrations verify sentry tries again, /integrations setup sentry enters it anew",
  );
  expect(integrations.find("sentry")?.checked?.status).toBe("failed");
});

test("a secret that is gone saves nothing", async () => {
  const { integrations, tool } = setUp(() => null);
  const { type, text } = await runFor(tool, planFor(tool, asked, { flow: filled(integrations) }));
  expect([type, text.split(":")[0]]).toEqual(["error", "nothing is saved"]);
  expect(integrations.configured()).toEqual([]);
});

test("a server is connected at once, and what it offers is put to the person", async () => {
  const known = { name: "weather", address: "weather-server --stdio" };
  const { integrations, tool } = setUp(() => null, new StandInServer(offersOf([definition("today")])));
  const plan = planFor(tool, { service: "mcp", known });
  expect(policy.judge(plan).verdict).toBe("allow");
  const told: string[] = [];
  const result = await runFor(tool, plan, watchedBy({ ends: [chooses("tools", "ask")], told }));
  expect(result).toEqual({ type: "output", text: "weather is set up\nweather is connected: 1 tool" });
  expect(told).toEqual(["weather is set up\n", "connecting to weather\n"]);
  expect(integrations.find("weather")?.accepted?.tools).toHaveLength(1);
});

test("where nobody accepts what a server offers, what was entered is kept", async () => {
  const known = { name: "weather", address: "weather-server --stdio" };
  const { integrations, tool } = setUp(() => null, new StandInServer(offersOf([definition("today")])));
  const result = await runFor(tool, planFor(tool, { service: "mcp", known }));
  expect(result).toEqual({
    type: "error",
    text: [
      "weather is set up",
      "weather is saved and not used: nobody is here to accept what it offers",
      "what was entered is kept; /mcp connect weather tries again, /integrations setup weather changes it",
    ].join("\n"),
  });
  expect(integrations.find("weather")?.accepted).toBe(null);
});

test("what nobody has filled in is not saved", () => {
  const { tool } = setUp(() => token);
  expect(planFor(tool, asked).fails).toBeDefined();
  expect(planFor(tool, { service: "nothing", known: {} }).fails).toBe('no service is called "nothing"');
});

function answered(option: string): { readonly flow: Flow; readonly state: FlowState } {
  const answer = { type: "selected", options: [option] } as const;
  return { flow: { steps: [] }, state: { answers: [{ key: "remove", answer }], choosing: false } };
}

test("it is removed with its secrets when a person says so, and stays when they do not", async () => {
  const { integrations, tool } = setUp(() => token);
  await runFor(tool, planFor(tool, asked, { flow: filled(integrations) }));
  const { remove } = peoplesTools(integrations);
  const given = { name: "sentry" };
  expect(planFor(remove, given).fails).toBe("nobody was asked whether it should be removed");
  const stays = await runFor(remove, planFor(remove, given, { flow: answered("keep") }));
  expect(stays).toEqual({ type: "output", text: "sentry stays as it is" });
  expect(integrations.configured()).toHaveLength(1);
  const gone = await runFor(remove, planFor(remove, given, { flow: answered("remove") }));
  expect(gone).toEqual({ type: "output", text: "sentry is removed, with its secrets" });
  expect(integrations.configured()).toEqual([]);
});
