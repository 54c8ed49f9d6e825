import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Answer, Step } from "./answer.ts";

/** Sends an answer. It ends early, without a word, when the client has gone. */
export async function perform(answer: Answer, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  if (answer.head !== null) {
    response.writeHead(answer.head.status, answer.head.headers);
    response.flushHeaders();
  }
  for (const step of answer.steps) {
    if (gone.signal.aborted || (await take(step, response, gone.signal)) === "over") return;
  }
  response.end();
}

async function take(step: Step, response: ServerResponse, gone: AbortSignal): Promise<"goes-on" | "over"> {
  switch (step.type) {
    case "write":
      await write(step.bytes, response, gone);
      return "goes-on";
    case "wait":
      await pause(step.milliseconds, gone);
      return "goes-on";
    case "ping":
      while (!gone.aborted) {
        await write(step.bytes, response, gone);
        await pause(step.every, gone);
      }
      return "over";
    case "hang":
      if (!gone.aborted) await once(gone, "abort");
      return "over";
    case "destroy":
      // What was written still goes out.
      response.socket?.destroySoon();
      return "over";
    default:
      return step satisfies never;
  }
}

/** A client that does not read is waited for. */
async function write(bytes: Uint8Array, response: ServerResponse, gone: AbortSignal): Promise<void> {
  if (response.write(bytes) || gone.aborted) return;
  await once(response, "drain", { signal: gone }).catch(() => undefined);
}

async function pause(milliseconds: number, gone: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { signal: gone }).catch(() => undefined);
}
