import { beforeAll, expect } from "vitest";
import { openVendor, vendorToken } from "../fixtures/vendor.ts";
import { verifies } from "../requirements/verifies.ts";
import { needsTerminal, type Scripted } from "./product.ts";
import { TerminalPlace } from "./terminal-product.ts";

const command = "/integrations setup sentry";
const launches: Scripted = { calls: [{ tool: "run_interactive", arguments: { command } }] };
let url = "";

beforeAll(async () => {
  const vendor = await openVendor();
  url = vendor.url;
  return vendor.close;
});

verifies(
  ["HAND-3a", "SEL-6b", "FLOW-5c"],
  `without a shell the set-up begins at the terminal when the exchange has ended, and the next request knows of it${needsTerminal}`,
  async ({ skip }) => {
    if (needsTerminal !== "") skip();
    const place = new TerminalPlace([launches, { text: "It begins now." }, { text: "Yes, it is." }]);
    const talk = place.startInTerminal(["run", "can you configure sentry?"]);
    await talk.reply("What is its auth token?", vendorToken);
    await talk.reply("What is the slug of the organization?", "acme");
    await talk.reply("At which address is it?", url);
    await talk.reply("- organization: acme", "1");
    expect(await talk.ended).toBe(0);
    expect(talk.output).toContain("sentry is set up: passed");
    expect(talk.output).not.toContain(vendorToken);
    expect(talk.output.split(`prompt  ${command}`)).toHaveLength(2);
    expect(place.eventsOf("command.launched")).toHaveLength(1);
    expect(place.eventsOf("exchange.started").map(({ prompt }) => prompt)).toEqual([
      "can you configure sentry?",
      command,
    ]);
    const { stdout } = place.assent(["run", "--continue", "is sentry installed?"]);
    expect(stdout).toBe("Yes, it is.\n");
    expect(JSON.stringify(place.requests().at(-1))).toContain("integrations: sentry (passed)");
  },
);

verifies("HAND-3b", "with nobody there the command is told, and nothing begins", () => {
  const place = new TerminalPlace([launches, { text: `Type ${command} in your shell.` }]);
  const { status, stdout } = place.assent(["run", "can you configure sentry?"]);
  expect([status, stdout]).toEqual([0, `Type ${command} in your shell.\n`]);
  expect(place.results().map(({ text, launch }) => [text, launch])).toEqual([
    [
      `there is no shell here; tell the person to type in theirs: ${command}, or to run assent ${command.slice(1)}`,
      undefined,
    ],
  ]);
  expect(place.eventsOf("exchange.started")).toHaveLength(1);
});
