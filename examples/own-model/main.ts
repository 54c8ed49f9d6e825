// A model of your own behind the same port as any other: what turns a request into a reply is a Provider. This one is no model at
// all; it counts. What speaks to a service looks the same, with a fetch in the middle. Nothing is thrown: what fails is an answer.
import assert from "node:assert";
import { type ModelAnswer, openHost, openMemoryJournal, openTools, type Provider } from "assent";

const nothing = { input: 0, output: 0, cached: 0 };

/** Wants one command, then says how many messages it was shown. */
export const counting: Provider = {
  window: 32_000,
  async ask({ request, wanted }, { signal, onText }): Promise<ModelAnswer> {
    if (signal.aborted) return { type: "abandoned" };
    if (wanted === "summary") return { type: "replied", text: "They counted.", calls: [], usage: nothing };
    const isFirst = !request.messages.some(({ role }) => role === "tool");
    const call = { id: "c1", tool: "terminal", arguments: JSON.stringify({ command: "echo one two three | wc -w" }) };
    if (isFirst) return { type: "replied", text: "", calls: [call], usage: nothing };
    const text = `I was shown ${request.messages.length} messages.`;
    // What is seen as it comes; what counts is what is returned.
    for (const word of text.split(/(?<= )/)) onText(word);
    return { type: "replied", text, calls: [], usage: { ...nothing, output: text.length } };
  },
};

if (import.meta.main) {
  const host = openHost({ journal: openMemoryJournal(), provider: counting, tools: openTools() });
  const made = host.create({ cwd: process.cwd() });
  assert("session" in made);
  const hold = host.hold(made.session);
  const by = { name: "ada", adapter: "example" };
  host.submit(made.session, {
    type: "prompt",
    text: "count",
    delivery: "now",
    entry: "submitted",
    by,
    authority: "act",
  });
  for await (const watched of host.watch(made.session)) {
    if (watched.type !== "recorded") continue;
    const { event } = watched;
    if (event.type === "call.finished") process.stdout.write(`wc: ${event.result.text.trim()}\n`);
    if (event.type !== "exchange.ended") continue;
    process.stdout.write(`${event.text}\n`);
    assert.equal(event.outcome, "answered");
    break;
  }
  await hold.release();
  await host.close();
}
