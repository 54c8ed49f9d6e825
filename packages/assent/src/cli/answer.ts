import { exitCodes, showText } from "../adapters/headless/index.ts";
import type { InputBody, Person } from "../core/index.ts";
import type { SessionHost, Submitted } from "../runtime/index.ts";
import { refusedFor } from "../show/index.ts";
import { responseOnStdin, tellAnswered, tellRefused } from "./answered.ts";
import { readFlags, UsageError } from "./flags.ts";
import { refuseInsideRun } from "./inside.ts";
import { openAssent, person } from "./open.ts";
import { stderr, stdout } from "./output.ts";
import { answerSpec } from "./specs/sessions.ts";

/** `assent answer`: a reply to any open question, read as if typed where it stands (ANS-1), or a response as JSON (INT-1). */
export async function answer(argv: readonly string[]): Promise<number> {
  const server = leading(argv, "server");
  if (server !== null) {
    const refused = refuseInsideRun("answer for a person");
    if (refused !== null) return refused;
    const { answerServer } = await import("./answer-server.ts");
    return answerServer(server, argv.slice(1));
  }
  if (argv.length === 3 && argv.some((each) => /^--server(?:=|$)/.test(each))) {
    throw new UsageError("--server stands before the id: assent answer --server <id> <reply>");
  }
  // It has no other options: a reply may begin with anything.
  const asJson = argv.length === 1 && argv[0] === "-";
  const given = asJson ? [] : readFlags(["--", ...argv], answerSpec).arguments;
  const refused = refuseInsideRun("answer for a person");
  if (refused !== null) return refused;
  const [interaction = "", line = ""] = given;
  const acting = { by: person("answer"), authority: "act" } as const;
  const { host } = openAssent();
  try {
    if (asJson) return await answerJson(host, acting);
    warnOfSecret(host, interaction);
    const reply = { type: "reply", interaction, line, shown: null, ...acting } as const;
    return tell(host, interaction, submit(host, interaction, reply));
  } finally {
    await host.close();
  }
}

/** The value of an option, blank without one; `null` where it is not given. A reply may begin with anything: only what stands first counts. */
function leading([first = ""]: readonly string[], name: string): string | null {
  if (first === `--${name}`) return "";
  return first.startsWith(`--${name}=`) ? first.slice(`--${name}=`.length) : null;
}

async function answerJson(
  host: SessionHost,
  acting: { readonly by: Person; readonly authority: "act" },
): Promise<number> {
  const response = await responseOnStdin();
  if (response === null) return exitCodes.usage;
  const { refusal } = submit(host, response.interaction_id, { type: "response", response, shown: null, ...acting });
  stdout.write(`${JSON.stringify({ accepted: refusal === null, ...refusal })}\n`);
  if (refusal === null) return exitCodes.done;
  return refusal.code === "unknown_interaction" ? exitCodes.usage : exitCodes.refused;
}

function submit(host: SessionHost, interaction: string, body: InputBody): Submitted {
  const session = sessionOf(interaction);
  if (session === "" || host.view(session).status === "new") {
    const detail = `no interaction has the id ${JSON.stringify(interaction)}; assent pending lists them`;
    return { refusal: { code: "unknown_interaction", detail }, events: [] };
  }
  const { refusal, events } = host.submit(session, body);
  return { refusal: refusal === null ? null : { ...refusal, detail: refusedFor(session, refusal) }, events };
}

function warnOfSecret(host: SessionHost, interaction: string): void {
  const session = sessionOf(interaction);
  const open = session === "" ? undefined : host.view(session).interactions[0]?.request;
  if (open?.interaction_id !== interaction || !open.sensitive) return;
  stderr.write("assent: others can see what is on a command line; assent answer - takes a secret from stdin\n");
}

function sessionOf(interaction: string): string {
  return interaction.slice(0, Math.max(0, interaction.lastIndexOf("-")));
}

function tell(host: SessionHost, interaction: string, { refusal, events }: Submitted): number {
  if (refusal?.code === "unknown_interaction") throw new UsageError(refusal.detail);
  if (refusal !== null) return tellRefused(refusal);
  const session = sessionOf(interaction);
  // Where no model follows, the answer itself may end the exchange: then this is the one place that can tell its result.
  const ended = events.find(({ event }) => event.type === "exchange.ended")?.event;
  const result = ended?.type === "exchange.ended" && host.holder(session) === null ? ended.text : "";
  const resolved = events.find(({ event }) => event.type === "interaction.resolved")?.event;
  const waits = host.view(session).exchange !== null && host.holder(session) === null;
  tellAnswered(
    resolved?.type === "interaction.resolved" ? resolved : {},
    waits ? `assent resume ${session} goes on` : "",
  );
  stdout.write(showText(result));
  return exitCodes.done;
}
