import type { ComponentChildren, JSX } from "preact";
import { type ApiSession, type ApiSessionDetail, describeUsage } from "../assent.ts";
import { GrantList } from "./grants.tsx";
import { SessionTabs } from "./session-tabs.tsx";
import { Ago, Visible } from "./text.tsx";

export function SessionHead({ detail }: { readonly detail: ApiSessionDetail }): JSX.Element {
  const { session, cwd, grants } = detail;
  return (
    <header class="session-head">
      <div class="title-line">
        <h1>
          <Visible text={titleOf(detail)} />
        </h1>
        <State session={detail} />
      </div>
      <p class="cwd">
        <Visible text={cwd} />
      </p>
      <SessionTabs session={session} at="session" />
      <Facts detail={detail} />
      {grants.length === 0 ? null : (
        <details class="session-grants">
          <summary>Granted for this session ({grants.length})</summary>
          <GrantList grants={grants} session={session} />
        </details>
      )}
    </header>
  );
}

function Facts({ detail }: { readonly detail: ApiSessionDetail }): JSX.Element {
  const { session, model, turns, limits, usage, holder, exchange, created } = detail;
  return (
    <dl class="facts">
      {titleOf(detail) === session ? null : <Fact name="Session">{session}</Fact>}
      <Fact name="Model">
        <Visible text={model ?? "as the server is set up"} />
      </Fact>
      <Fact name="Turns">
        {turns} of {limits.turns}
      </Fact>
      {exchange?.run == null ? null : (
        <Fact name="Run">
          iteration {exchange.run.iterations} of {limits.iterations}
        </Fact>
      )}
      <Fact name="Tokens">{describeUsage(usage)}</Fact>
      <Fact name="Worked on by">{holder === null ? "nobody now" : `process ${holder.pid}`}</Fact>
      <Fact name="Begun">
        <Ago at={created} />
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** What a session is called: by its name, else by what it was asked. */
export function titleOf({ name, prompt, session }: ApiSession): string {
  return name ?? firstLine(prompt) ?? session;
}

export function firstLine(prompt: string | null): string | null {
  const [line = ""] = (prompt ?? "").split("\n");
  if (line === "") return null;
  return line.length <= 160 ? line : `${line.slice(0, 160)} …`;
}

/** Where a session stands, in a word and a shape. */
export function State({ session }: { readonly session: ApiSession }): JSX.Element {
  const { kind, word } = stateOf(session);
  return <span class={`state state-${kind}`}>{word}</span>;
}

function stateOf({ status, interaction, open, holder, outcome }: ApiSession): { kind: string; word: string } {
  if (status === "aborted") return { kind: "aborted", word: "aborted" };
  if (interaction !== null) return { kind: "asks", word: "asks" };
  if (open) return holder === null ? { kind: "rests", word: "interrupted" } : { kind: "works", word: "works" };
  if (outcome === null) return { kind: "rests", word: "new" };
  const isWell = outcome === "answered" || outcome === "completed";
  return { kind: isWell ? "rests" : "ended", word: outcome };
}
