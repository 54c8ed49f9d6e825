import { text as wholeText } from "node:stream/consumers";
import type { Refusal } from "../core/index.ts";
import { refusedFor } from "../show/index.ts";
import { openSurrounded } from "./around.ts";
import { withFiles } from "./attaching.ts";
import { readFlags, UsageError } from "./flags.ts";
import { waysOf } from "./follow.ts";
import { refuseInsideRun } from "./inside.ts";
import { followAll } from "./launched.ts";
import { checkCost, readLimits } from "./limits.ts";
import { made, modelName, person } from "./open.ts";
import { runSpec } from "./specs/following.ts";
import { earlierSession, folder } from "./starting.ts";

/** `assent run`: one exchange, then the exit code says how it ended (CLI-1, CLI-2). */
export async function run(argv: readonly string[]): Promise<number> {
  const given = readFlags(argv, runSpec);
  // All that can be wrong with the command line is found before anything is recorded.
  const ways = waysOf(given);
  const goesOn = given.has("session") || given.has("continue");
  const limits = readLimits(given, { isNew: !goesOn });
  const refused = goesOn ? refuseInsideRun("go on with a session") : null;
  if (refused !== null) return refused;
  const prompt = await readPrompt(given.arguments[0]);
  const assent = openSurrounded(ways);
  const { host, useModel } = assent;
  try {
    const earlier = earlierSession(host, given, { reads: false });
    const model = await modelName(given.text("model"), earlier === null ? null : host.view(earlier).model);
    checkCost(limits, model);
    useModel(model, given.has("model"));
    const acting = { by: person("run"), authority: "act" } as const;
    const cwd = earlier === null ? folder(given.text("cwd")) : host.view(earlier).cwd;
    // What is piped in may be anything, and names no files.
    const text = given.arguments.length === 0 ? prompt : await withFiles(prompt, cwd);
    const session = earlier ?? made(host.create({ cwd, limits, model }));
    const after = earlier === null ? 0 : host.view(session).seq;
    if (earlier !== null) accepted(session, host.submit(session, { type: "limit", ...limits, ...acting }).refusal);
    if (host.view(session).exchange !== null) {
      throw new UsageError(`session ${session} has an open exchange; assent resume ${session} goes on with it`);
    }
    const body = { type: "prompt", text, delivery: "now", entry: "submitted", ...acting } as const;
    const { events, refusal } = host.submit(session, body);
    accepted(session, refusal);
    const started = events.find(({ event }) => event.type === "exchange.started")?.event;
    if (started?.type !== "exchange.started") {
      throw new UsageError(`session ${session} has just begun another exchange, and your prompt went into that`);
    }
    const readOnly = given.has("read-only");
    return await followAll(assent, { session, exchange: started.exchange, after, joins: false, readOnly, given });
  } finally {
    await host.close();
  }
}

function accepted(session: string, refusal: Refusal | null): void {
  if (refusal !== null) throw new UsageError(refusedFor(session, refusal));
}

async function readPrompt(given: string | undefined): Promise<string> {
  if (given === undefined && process.stdin.isTTY) throw new UsageError("expected a prompt, as an argument or on stdin");
  // The line end that a pipe's last line has is not part of what was said.
  const prompt = given ?? (await wholeText(process.stdin)).replace(/\r?\n$/, "");
  if (prompt.trim() === "") throw new UsageError("the prompt is blank");
  return prompt;
}
