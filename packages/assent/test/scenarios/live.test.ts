import { expect, onTestFinished, test } from "vitest";
import { playLive, readScenario } from "../../src/scenarios/index.ts";
import { type ModelServer, openModelServer, type ScriptEntry } from "../../src/testing/index.ts";
import { providerAt } from "../providers/provider-at.ts";
import { verifies } from "../requirements/verifies.ts";

/** A model behind real HTTP. */
async function serve(script: readonly ScriptEntry[]): Promise<ModelServer> {
  const server = await openModelServer({ script });
  onTestFinished(() => server.close());
  return server;
}

async function playedAt({ url }: ModelServer, text: string): Promise<readonly string[]> {
  const read = readScenario("test.txt", text);
  if (read.type === "malformed") throw new Error(read.reason);
  return (await playLive(read.scenario, providerAt(url))).differences;
}

async function played(text: string, script: readonly ScriptEntry[]): Promise<readonly string[]> {
  return playedAt(await serve(script), text);
}

const terminal = (command: string): ScriptEntry => ({ calls: [{ tool: "terminal", arguments: { command } }] });

const removing = `# T
> Remove the old backup
prompt  Remove the old backup
model {"calls":[{"tool":"terminal","arguments":{"command":"rm -r old"}}]}
this is shown by no model
events exchange.started model.replied call.judged interaction.requested
events not call.started
> yes
executes rm -r old
result {"type":"output","text":"gone"}
model {"text":"It is removed."}
events call.cleared call.started call.finished interaction.resolved exchange.ended
`;

verifies("SCEN-2", "a real model holds a scenario that it does in other words", async () => {
  const script = [terminal("rm -r old"), { text: "Done, the old backup is gone." }];
  expect(await played(removing, script)).toEqual([]);
});

test("a model that does it in more steps differs, and the rest of the session is not typed", async () => {
  const script = [terminal("ls"), terminal("rm -r old"), { text: "Done." }];
  expect(await played(removing, script)).toEqual([
    "  > Remove the old backup",
    "+ events call.cleared",
    "+ events call.started",
    "+ events call.finished",
    "+ events call.started",
    "+ executes ls",
  ]);
});

verifies("SCEN-2", "a model that only talks is missing what must happen", async () => {
  expect(await played(removing, [{ text: "That is not for me to do." }])).toEqual([
    "  > Remove the old backup",
    "- events call.judged",
    "- events interaction.requested",
    "+ events exchange.ended",
  ]);
});

test("after a difference the next session is played all the same", async () => {
  const again = `${removing}session\n> Hello\nmodel {"text":"Hello."}\nevents exchange.ended\n`;
  const script = [{ text: "No." }, terminal("ls"), { text: "Hello." }];
  const found = await played(again, script);
  expect(found.filter((line) => line.startsWith("  > "))).toEqual(["  > Remove the old backup", "  > Hello"]);
});

verifies("SCEN-2", "no command really runs, and the model reads the result that the scenario has", async () => {
  const server = await serve([terminal("cat secret.txt"), { text: "It says blue." }]);
  const text = '# T\n> Read it\nexecutes cat secret.txt\nresult {"type":"output","text":"from the file"}\n';
  expect(await playedAt(server, text)).toEqual([]);
  expect(JSON.stringify(server.requests.at(-1)?.json)).toContain("from the file");
});

test("what is typed while the model works is typed while it works", async () => {
  const text = `# T
> Build it
model {"calls":[{"tool":"terminal","arguments":{"command":"echo build"}}]}
>> stop
events call.skipped exchange.ended
`;
  expect(await played(text, [terminal("echo build"), { text: "Never asked." }])).toEqual([]);
});
