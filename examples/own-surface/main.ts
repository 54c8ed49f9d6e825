// A surface of your own: a line a prompt, a line an answer. All it knows is the host; whatever a model asks, and whatever the policy
// asks about, comes to it as a question. Reads stdin, writes stdout:
//   printf 'clean up\n2\n' | node examples/own-surface/main.ts
import { createInterface } from "node:readline";
import {
  digestOf,
  type EventOf,
  openHost,
  openMemoryJournal,
  openTools,
  type SessionHost,
  scriptedModel,
} from "assent";
import { type InteractionRequest, ladderLine, renderBlock } from "assent/interaction";

const acting = { by: { name: "ada", adapter: "own-surface" }, authority: "act" } as const;

/** The whole adapter: it shows events, and brings lines. Ends when no line is left and nothing is under way. */
export async function talk(host: SessionHost, session: string, lines: AsyncIterator<string>): Promise<void> {
  const next = async (): Promise<string | null> => {
    const { done, value } = await lines.next();
    return done ? null : value;
  };
  const prompt = async (): Promise<boolean> => {
    const text = await next();
    if (text !== null) host.submit(session, { type: "prompt", text, delivery: "now", entry: "typed", ...acting });
    return text !== null;
  };
  const answer = async (request: InteractionRequest): Promise<void> => {
    const block = renderBlock(request);
    process.stdout.write(`${block}\n`);
    // At the end of the input nobody is left to ask.
    const line = (await next()) ?? "cancel";
    const interaction = request.interaction_id;
    host.submit(session, { type: "reply", interaction, line, shown: digestOf(block), ...acting });
  };
  /** Of a line that is no answer the person is told; after the fourth nobody asks again. */
  const askAgain = async ({ attempt, detail }: EventOf<"interaction.rejected">): Promise<void> => {
    const open = host.interactions().open.find((each) => each.session === session);
    if (open === undefined) return;
    process.stdout.write(`${ladderLine(open.request, attempt, detail)}\n`);
    await answer(open.request);
  };
  if (!(await prompt())) return;
  for await (const watched of host.watch(session)) {
    if (watched.type !== "recorded") continue;
    const { event } = watched;
    if (event.type === "interaction.requested") await answer(event.request);
    if (event.type === "interaction.rejected") await askAgain(event);
    if (event.type === "call.refused") process.stdout.write("(not done)\n");
    if (event.type !== "exchange.ended") continue;
    process.stdout.write(`${event.text}\n`);
    if (!(await prompt())) return;
  }
}

if (import.meta.main) {
  const wants = { tool: "terminal", arguments: { command: "rm -rf build" } };
  const provider = scriptedModel({ replies: [{ calls: [wants] }, { text: "It is as it was." }] });
  const host = openHost({ journal: openMemoryJournal(), provider, tools: openTools() });
  const made = host.create({ cwd: process.cwd() });
  if ("refusal" in made) throw new Error(made.refusal.detail);
  const hold = host.hold(made.session);
  await talk(host, made.session, createInterface({ input: process.stdin })[Symbol.asyncIterator]());
  await hold.release();
  await host.close();
}
