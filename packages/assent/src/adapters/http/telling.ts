import type { Session } from "../../core/index.ts";
import type { FoundQuestion, SessionHost, Standing } from "../../runtime/index.ts";
import type { ApiInteraction, ApiSession, ApiSessionDetail } from "../../wire/api.ts";

/** What of the journal cannot be read, a line each. */
export function toldDamage({ damage }: ReturnType<SessionHost["overview"]>): readonly string[] {
  return damage.map(({ session, reason }) => `${session}: ${reason}`);
}

/** A session as a list has it. */
export function toldSession(standing: Standing, host: SessionHost): ApiSession {
  const { asked, ...told } = standing;
  const now = Date.now();
  const [first] = asked;
  return {
    ...told,
    interaction: first !== undefined && first.deadline > now ? first.interaction : null,
    // Of those that rest it is told where one is looked at: to know whether a process lives takes a while.
    holder: told.open ? holderOf(told.session, host) : null,
  };
}

function holderOf(session: string, host: SessionHost): ApiSession["holder"] {
  const holder = host.holder(session);
  return holder === null ? null : { pid: holder.pid };
}

/** All that is told of one. */
export function toldDetail(standing: Standing, state: Session, host: SessionHost): ApiSessionDetail {
  const { exchange, model, limits, turns, usage, waiting, grants } = state;
  return {
    ...toldSession(standing, host),
    ...{ model, turns, usage, holder: holderOf(standing.session, host) },
    limits: { turns: limits.turns, iterations: limits.iterations },
    exchange:
      exchange === null
        ? null
        : {
            ...{ ordinal: exchange.ordinal, prompt: exchange.prompt, by: exchange.by, replies: exchange.replies },
            run: exchange.run && { objective: exchange.run.objective, iterations: exchange.run.iterations },
            stop: exchange.stop,
          },
    waiting: waiting.map(({ id, type, text, held }) => ({ id, type, text, held })),
    grants,
  };
}

export function toldQuestion(found: FoundQuestion, standing: Standing | null): ApiInteraction {
  const { session, at, request, state } = found;
  const told = { session, session_name: standing?.name ?? null, cwd: standing?.cwd ?? "", at, state, request };
  if ("closed" in found) return { ...told, resolution: found.closed };
  return found.attempts === null ? told : { ...told, attempts: found.attempts };
}
