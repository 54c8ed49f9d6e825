// A flow with nothing around it: no session, no journal, no model. Asks on stdin and stdout until it has its answers.
import { createInterface } from "node:readline";
import { playedAnswers, readFlow, renderBlock, replyToFlow, startFlow } from "assent/interaction";

const read = readFlow({
  steps: [
    { key: "env", instruction: "Which environment?", options: ["Staging", "Production"] },
    { key: "region", instruction: "Which region?", options: ["EU", "US"], allow_free_text: false },
  ],
});
if (read.type === "refused") throw new Error(read.refusal.detail);

let play = startFlow(read.value);
process.stdout.write(`${renderBlock(play.request)}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  play = replyToFlow(play, line);
  if (play.notice !== null) process.stdout.write(`${play.notice}\n`);
  if (play.final !== "open") break;
  process.stdout.write(`${renderBlock(play.request)}\n`);
}
process.stdout.write(`${play.final} ${JSON.stringify(playedAnswers(play))}\n`);
