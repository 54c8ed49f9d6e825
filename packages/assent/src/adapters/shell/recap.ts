import type { Session } from "../../core/index.ts";
import type { SessionHost, SessionSummary } from "../../runtime/index.ts";
import {
  inShellWords,
  modelRemedy,
  type Said,
  saidAborted,
  saidLastFailure,
  saidPrompt,
  saidSystem,
} from "../../show/index.ts";

/** Where a session that was there before stands: what a person wants to see who comes back to it (SESS-3). */
export function saidRecap(host: SessionHost, session: string): readonly Said[] {
  const state = host.view(session);
  const { exchange, failed, lastEnding, lastResult, status } = state;
  const summary = host.sessions().sessions.find((each) => each.session === session);
  const holder = host.holder(session);
  return [
    ...saidSystem(describeOpened(state, summary)),
    ...(holder === null ? [] : saidSystem(`process ${holder.pid} works on it; what you type reaches it`)),
    ...saidPrompt(exchange?.prompt ?? failed?.prompt ?? summary?.prompt ?? ""),
    ...(exchange === null ? ended(state) : []),
    ...(exchange === null && failed === null && lastResult !== null ? saidLast(lastResult.text, summary?.prompt) : []),
    ...(status === "aborted"
      ? saidAborted(session, lastEnding?.outcome === "turn-limit" ? "turn-limit" : "nobody").map((said) =>
          inShell(said, session),
        )
      : []),
  ].filter(({ text }) => text !== "");
}

/** From where on the events of the session are shown: those of an open exchange since it can be told what goes on. */
export function shownAfter({ seq, exchange }: Session): number {
  return exchange === null ? seq : exchange.since - 1;
}

function describeOpened(state: Session, summary: SessionSummary | undefined): string {
  const { id, name, cwd, counted } = state;
  const named = name === null ? "" : ` ${JSON.stringify(name)}`;
  const asks = state.interactions.length === 0 ? "" : "; a question is open";
  const when = summary === undefined ? "" : `, last used ${new Date(summary.changed).toISOString().slice(0, 16)}Z`;
  return `session ${id}${named} in ${cwd}: exchanges ${counted.exchanges}${when}${asks}`;
}

function ended({ id, failed, lastEnding }: Session): readonly Said[] {
  if (failed !== null) {
    return saidLastFailure(failed.failure, id).map((said) => inShell(said, id));
  }
  if (lastEnding === null || lastEnding.outcome === "answered") return [];
  return saidSystem(`ended: ${lastEnding.outcome}`);
}

/** What the agent said last, or what a command of the person's own printed. */
function saidLast(text: string, prompt: string | null | undefined): readonly Said[] {
  if (prompt?.startsWith("!")) return [{ channel: "tool", form: "output", text }];
  return [{ channel: "agent", form: "markdown", text }];
}

/** What is to be done about a failure is done here. */
export function inShell(said: Said, session: string): Said {
  if (said.channel !== "system") return said;
  const text = inShellWords(session, said.text);
  return { ...said, text: text.replace(modelRemedy, () => modelRemedyHere(session)) };
}

/** The prompt that nobody has answered is there: with a model it is gone on with. */
function modelRemedyHere(session: string): string {
  return `name one with /model <provider:model> or set one up with /model setup, then /resume ${session}; /demo shows how it would be`;
}
