import { expect, test } from "vitest";
import { Followed } from "../../../src/adapters/shell/followed.ts";
import type { Flow } from "../../../src/core/index.ts";
import {
  memoryStore,
  openHost,
  openMemoryJournal,
  openVolatileGrants,
  openVolatileSecrets,
  systemClock,
} from "../../../src/runtime/index.ts";
import { policy } from "../../policy/cautious.ts";

const person = { name: "ada", adapter: "shell" };
const options = [{ id: "1", label: "One" }];
const flow: Flow = { steps: [{ key: "which", question: "Which one?", options, allow_free_text: false }] };

/** A session with a shell at it; what is said in it is written down. */
function follow() {
  const host = openHost({
    ...{ journal: openMemoryJournal(memoryStore(() => true)), secrets: openVolatileSecrets() },
    ...{ grants: openVolatileGrants(), policy, provider: { ask: async () => ({ type: "abandoned" }) }, tools: [] },
    ...{ runs: () => true, clock: systemClock, holder: { pid: 1, started: "1", boot: "", host: "1" } },
    ...{ newId: () => "s", expiryMs: null, softOffers: "off", context: () => "" },
  });
  host.create({ cwd: "/work", limits: {} });
  const said: string[] = [];
  const listening = {
    prepare: async () => {},
    onSaid: (all: readonly { readonly channel: string; readonly text: string }[]) =>
      void said.push(...all.map(({ channel, text }) => `${channel} ${text}`)),
    ...{ onLive: () => {}, onEvent: () => {}, onSettled: () => {}, onFailure: () => {} },
  };
  const followed = new Followed(host, { session: "s", person, unattended: () => null }, listening);
  const begin = async (by: typeof person, typed: string, name: string) => {
    host.submit("s", { type: "entry", command: typed, by, authority: "act" });
    host.submit("s", { type: "flow", flow, name, arguments: "{}", by, authority: "act" });
    const shown = said.length;
    await expect.poll(() => followed.shown).toBe(host.view("s").seq);
    const interaction = host.view("s").interactions[0]?.request.interaction_id ?? "none";
    followed.answers(interaction);
    host.submit("s", { type: "reply", interaction, line: "1", shown: null, by, authority: "act" });
    await expect.poll(() => followed.shown).toBe(host.view("s").seq);
    return said.slice(shown).filter((line) => line.startsWith("prompt"));
  };
  const reply = async (line: string) => {
    const shown = said.length;
    const interaction = host.view("s").interactions[0]?.request.interaction_id ?? "none";
    followed.answers(interaction);
    host.submit("s", { type: "reply", interaction, line, shown: null, by: person, authority: "act" });
    await expect.poll(() => followed.shown).toBe(host.view("s").seq);
    return said.slice(shown);
  };
  const ask = (asked: Flow) =>
    host.submit("s", { type: "flow", flow: asked, name: "f", arguments: "{}", by: person, authority: "act" });
  return { begin, ask, reply, leave: () => followed.leave() };
}

test("a command that was typed here is not shown again as what its exchange begins with", async () => {
  const { begin, leave } = follow();
  expect(await begin(person, "/model setup ", "/model setup")).toEqual([]);
  expect(await begin(person, "/model", "/model setup")).toEqual(["prompt /model setup"]);
  expect(await begin({ ...person, adapter: "web" }, "/model setup", "/model setup")).toEqual(["prompt /model setup"]);
  await leave();
});

test("who answers several steps in one line is told which were not taken", async () => {
  const { ask, reply, leave } = follow();
  const [step] = flow.steps;
  if (step === undefined) throw new Error("there is one");
  ask({ steps: [step, { ...step, key: "other" }] });
  expect(await reply("which=1 other=9")).toContain("system answered by ada in shell: which; not taken: other");
  expect(await reply("1")).toEqual([]);
  await leave();
});
