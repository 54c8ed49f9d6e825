import { exitCodes } from "../adapters/headless/index.ts";
import { mostAttempts } from "../core/index.ts";
import { isMarked } from "../terminal/index.ts";
import { readFlags, UsageError } from "./flags.ts";
import { openAssent, person } from "./open.ts";

/** `assent answer`: a reply to any open question, read as if typed where it stands (ANS-1). */
export async function answer(argv: readonly string[]): Promise<number> {
  // It has no options: a reply may begin with anything.
  const { arguments: given } = readFlags(["--", ...argv], { options: {}, arguments: ["<id>", "<reply>"] });
  const [interaction = "", line = ""] = given;
  // An agent must not approve itself: what it starts carries this mark (APPR-10).
  if (isMarked()) {
    process.stderr.write("assent: a command that an agent runs cannot answer for a person\n");
    return exitCodes.refused;
  }
  const session = interaction.slice(0, interaction.lastIndexOf("-"));
  const { host } = openAssent();
  try {
    if (session === "" || host.view(session).status === "new") {
      throw new UsageError(`no interaction has the id ${JSON.stringify(interaction)}; assent pending lists them`);
    }
    const acting = { by: person("answer"), authority: "act" } as const;
    const { refusal } = host.submit(session, { type: "reply", interaction, line, shown: null, ...acting });
    if (refusal?.code === "unknown_interaction") throw new UsageError(refusal.detail);
    if (refusal !== null) {
      const left =
        refusal.attempt === undefined
          ? ""
          : refusal.aborted
            ? " (STEP_ABORT)"
            : ` (attempt ${refusal.attempt} of ${mostAttempts})`;
      process.stderr.write(`assent: ${refusal.code}: ${refusal.detail}${left}\n`);
      return exitCodes.refused;
    }
    const waits = host.view(session).exchange !== null && host.holder(session) === null;
    if (waits) process.stderr.write(`assent: answered; assent resume ${session} goes on\n`);
    return exitCodes.done;
  } finally {
    await host.close();
  }
}
