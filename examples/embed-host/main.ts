// A host in a program of your own, with a tool of your own. The model is a script, so that it costs nothing and says the same each
// time: `openModel("anthropic:…")` in its place is a real one. Ends with an error when the story does not end as expected.
import assert from "node:assert";
import { defineTool, openHost, openMemoryJournal, openTools, scriptedModel } from "assent";
import * as v from "valibot";

/** Looks something up, so it runs unasked; what comes to `run` has the type of the schema. */
const stock = defineTool({
  name: "stock",
  description: "How many of an article are in stock. Use it before you promise one.",
  parameters: {
    type: "object",
    properties: { article: { type: "string" } },
    required: ["article"],
    additionalProperties: false,
  },
  schema: v.strictObject({ article: v.string() }),
  tier: "safe",
  run: ({ article }) => (article === "teapot" ? "3" : "0"),
});

const host = openHost({
  // In memory: gone with the process. openSqliteJournal(file), or openHome(folder), is for longer.
  journal: openMemoryJournal(),
  provider: scriptedModel({
    replies: [{ calls: [{ tool: "stock", arguments: { article: "teapot" } }] }, { text: "There are three teapots." }],
  }),
  tools: [...openTools(), stock],
});

const made = host.create({ cwd: process.cwd() });
assert("session" in made);
const { session } = made;
// From now on this process does what there is to do in the session.
const hold = host.hold(session);
host.submit(session, {
  type: "prompt",
  text: "do we have teapots?",
  delivery: "now",
  entry: "submitted",
  by: { name: "ada", adapter: "example" },
  authority: "act",
});

for await (const watched of host.watch(session)) {
  if (watched.type !== "recorded") continue;
  const { event } = watched;
  if (event.type === "call.finished") process.stdout.write(`stock said ${event.result.text}\n`);
  if (event.type !== "exchange.ended") continue;
  process.stdout.write(`${event.text}\n`);
  assert.equal(event.outcome, "answered");
  break;
}
await hold.release();
await host.close();
