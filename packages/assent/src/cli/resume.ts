import { visibleLine } from "../core/index.ts";
import { readFlags } from "./flags.ts";
import { expiryOf, followExchange, followFlags } from "./follow.ts";
import { findSession, modelName, openAssent } from "./open.ts";

/** `assent resume`: goes on with an open exchange, or watches it while another process works on it (SESS-4). */
export async function resume(argv: readonly string[]): Promise<number> {
  const given = readFlags(argv, { options: followFlags, arguments: { least: 1, most: 1 } });
  const { host, useModel } = openAssent(expiryOf(given));
  try {
    const { session } = findSession(host, given.arguments[0] ?? "");
    const state = host.view(session);
    if (state.exchange === null) {
      const status = state.status === "aborted" ? "is aborted" : "rests";
      const last = state.lastEnding === null ? "" : `; its last exchange ended: ${state.lastEnding.outcome}`;
      process.stderr.write(`assent: session ${session} ${status}${last}; there is nothing to go on with\n`);
      return 0;
    }
    useModel(modelName(given.text("model"), state.model));
    const { exchange, interactions, seq } = state;
    const holder = host.holder(session);
    if (!given.has("json")) process.stderr.write(`prompt  ${visibleLine(exchange.prompt)}\n`);
    if (holder !== null && !given.has("json")) {
      process.stderr.write(`assent: process ${holder.pid} works on session ${session}; watching\n`);
    }
    // What is new is shown, and the question that is open.
    return await followExchange(host, { session, after: (interactions[0]?.since ?? seq + 1) - 1, given });
  } finally {
    await host.close();
  }
}
