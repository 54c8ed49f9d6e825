// A question to a person with nothing of Assent around it: no session, no model, no journal. A program has a question and a way to
// talk to somebody; the contract has the text, the meaning of every reply, and what to say when one means nothing.
import assert from "node:assert";
import {
  type InteractionRequest,
  ladderLine,
  lintRequest,
  mostAttempts,
  readReply,
  renderBlock,
} from "assent/interaction";

/** Any channel: a chat, a ticket, a text message. */
type Channel = { send(text: string): void; receive(): Promise<string> };

/** What they chose or wrote; `null` when there is no answer. */
export async function askPerson(request: InteractionRequest, { send, receive }: Channel): Promise<string | null> {
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    send(renderBlock(request));
    const reply = readReply(request, await receive());
    if (reply.type === "selected") return reply.options.join(", ");
    if (reply.type === "free-text") return reply.text;
    if (reply.type !== "invalid") return null;
    send(ladderLine(request, attempt, reply.detail));
  }
  return null;
}

if (import.meta.main) {
  const request: InteractionRequest = {
    interaction_id: "table",
    kind: "question",
    question: "Which table would you like?",
    options: [
      { id: "window", label: "By the window" },
      { id: "garden", label: "In the garden" },
    ],
    allow_free_text: true,
    allow_cancel: true,
  };
  assert.deepEqual(lintRequest(request), []);

  const typed = ["I think 2", "2"];
  const send = (text: string) => void process.stdout.write(`${text}\n`);
  const receive = async () => {
    const line = typed.shift() ?? "cancel";
    process.stdout.write(`> ${line}\n`);
    return line;
  };
  assert.equal(await askPerson(request, { send, receive }), "garden");
}
