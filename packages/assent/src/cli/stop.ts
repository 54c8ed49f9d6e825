import { exitCodes } from "../adapters/headless/index.ts";
import { readFlags } from "./flags.ts";
import { refuseInsideRun } from "./inside.ts";
import { findSession, openAssent, person } from "./open.ts";
import { stderr } from "./output.ts";
import { stopSpec } from "./specs/sessions.ts";

/** `assent stop`: ends the open exchange of a session, also of one whose process has died. */
export async function stop(argv: readonly string[]): Promise<number> {
  const given = readFlags(argv, stopSpec);
  const refused = refuseInsideRun("stop a session");
  if (refused !== null) return refused;
  const { host } = openAssent();
  try {
    const { session } = findSession(host, given.arguments[0] ?? "");
    const mode = given.has("kill") ? "kill" : "graceful";
    const acting = { by: person("stop"), authority: "act" } as const;
    const { refusal } = host.submit(session, { type: "stop", mode, ...acting });
    if (refusal !== null) {
      const where = refusal.code === "session_aborted" ? "" : ` in session ${session}`;
      stderr.write(`assent: ${refusal.detail}${where}\n`);
      return exitCodes.refused;
    }
    // With nobody at work on it, what is left to record is recorded here.
    if (host.holder(session) === null) await host.hold(session, { unattended: () => "deny" }).release();
    const ended = host.view(session).exchange === null;
    const running = mode === "kill" ? "what runs is being killed" : "what runs finishes first";
    stderr.write(`assent: session ${session} ${ended ? "stopped" : `stops; ${running}`}\n`);
    return exitCodes.done;
  } finally {
    await host.close();
  }
}
