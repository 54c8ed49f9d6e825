import { text } from "node:stream/consumers";
import { exitCodes, showText } from "../adapters/headless/index.ts";
import { flowCancel, type InputBody, mostAttempts, stepAbort } from "../core/index.ts";
import type { SessionHost, Submitted } from "../runtime/index.ts";
import { readLine, readResponse } from "../wire/index.ts";
import { type Given, readFlags, UsageError } from "./flags.ts";
import { refuseInsideRun } from "./inside.ts";
import { openAssent, person } from "./open.ts";
import { stderr, stdout } from "./output.ts";
import { answerSpec } from "./specs/sessions.ts";

/** `assent answer`: a reply to any open question, read as if typed where it stands (ANS-1), or a response as JSON (INT-1). */
export async function answer(argv: readonly string[]): Promise<number> {
  const server = leading(argv).text("server");
  if (server !== undefined) {
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
    return tell(
      host,
      interaction,
      submit(host, interaction, { type: "reply", interaction, line, shown: null, ...acting }),
    );
  } finally {
    await host.close();
  }
}

/** A reply may begin with anything: only what stands first is an option. Without a value it is one's own server. */
function leading([first = ""]: readonly string[]): Pick<Given, "text"> {
  const [, name, value = ""] = /^--([a-z]+)(?:=(.*))?$/s.exec(first) ?? [];
  return { text: (wanted) => (wanted === name ? value : undefined) };
}

async function answerJson(
  host: SessionHost,
  acting: { by: ReturnType<typeof person>; authority: "act" },
): Promise<number> {
  const json = readLine(await text(process.stdin));
  const read = json.type === "refused" ? json : readResponse(json.value);
  if (read.type === "refused") {
    // What came may be a secret that should have been inside: it is not repeated.
    const { code, detail } = read.refusal;
    const told = code === "malformed_json" ? "expected a response as JSON" : detail;
    stdout.write(`${JSON.stringify({ accepted: false, code, detail: told })}\n`);
    return exitCodes.usage;
  }
  const { interaction_id: id } = read.value;
  const { refusal } = submit(host, id, { type: "response", response: read.value, shown: null, ...acting });
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
  return host.submit(session, body);
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
  if (refusal?.aborted) {
    stdout.write(`${stepAbort}\n`);
    return exitCodes.refused;
  }
  if (refusal !== null) {
    const left = refusal.attempt === undefined ? "" : ` (attempt ${refusal.attempt} of ${mostAttempts})`;
    const when = refusal.winner === undefined ? "" : ` at ${new Date(refusal.winner.at).toISOString()}`;
    stderr.write(`assent: ${refusal.code}: ${refusal.detail}${when}${left}\n`);
    return exitCodes.refused;
  }
  const session = sessionOf(interaction);
  const cancelled = events.some(({ event }) => event.type === "interaction.resolved" && event.state === "cancelled");
  if (cancelled) stdout.write(`${flowCancel}\n`);
  // Where no model follows, the answer itself may end the exchange: then this is the one place that can tell its result.
  const ended = events.find(({ event }) => event.type === "exchange.ended")?.event;
  const result = ended?.type === "exchange.ended" && host.holder(session) === null ? ended.text : "";
  stdout.write(showText(result));
  const waits = host.view(session).exchange !== null && host.holder(session) === null;
  if (waits) stderr.write(`assent: answered; assent resume ${session} goes on\n`);
  return exitCodes.done;
}
