import type { Session } from "../../core/index.ts";
import type { SessionHost } from "../../runtime/index.ts";
import { forkFor, type Said, saidSystem } from "../../show/index.ts";
import type { Surroundings } from "../../slash/index.ts";
import { messageOf } from "../../wire/index.ts";
import type { Followed } from "./followed.ts";
import type { ShellOptions } from "./options.ts";
import { shortModel } from "./status.ts";

type Leaving = Pick<ShellOptions, "host" | "guide">;

/** Leaves a session, and tells how to come back to one in which something happened. */
export async function leaveSession({ host, guide }: Leaving, followed: Followed): Promise<readonly Said[]> {
  const { session } = followed;
  await followed.leave();
  const state = host.view(session);
  // Where one is led through, all of it goes with the end.
  if (isUnused(state) || guide !== undefined) return [];
  const { status, exchange, failed, interactions } = state;
  if (status === "aborted") {
    return saidSystem(`session ${session} is aborted: assent --session ${session} reads it; ${forkFor(session)}`);
  }
  if (exchange === null && failed === null && interactions.length === 0) {
    return saidSystem(`session ${session}: assent --session ${session} or assent --continue opens it again`);
  }
  const open = interactions.length > 0 ? "its question stays open; " : exchange === null ? "" : "it goes on later; ";
  return saidSystem(`session ${session}: ${open}assent resume ${session} or assent --continue goes on`);
}

/** One in which nothing happened: nobody is to find it later, least of all in place of another. */
export function forgetUnused(host: SessionHost, session: string): void {
  if (isUnused(host.view(session))) host.remove(session);
}

function isUnused({ counted, name, history }: Session): boolean {
  return counted.exchanges === 0 && name === null && history === null;
}

type Change = { readonly host: SessionHost; readonly from: string; readonly to: string };

/** The one that is left goes, if nothing happened in it, only once the other is there: where that cannot be opened it is opened again. */
export async function openInstead({ host, from, to }: Change, open: (session: string) => Promise<void>): Promise<void> {
  try {
    await open(to);
    forgetUnused(host, from);
  } catch (error) {
    await open(from);
    throw error;
  }
}

/** A session goes on with the model that it was made for; for this one nobody has named any yet. */
export async function useModelOf(
  session: string,
  { host, around }: { readonly host: SessionHost; readonly around: Surroundings },
): Promise<readonly Said[]> {
  around.model.unname();
  const { model } = host.view(session);
  if (model === null || model === around.model.name()) return [];
  try {
    return saidSystem(`model ${shortModel(await around.model.use(model, { named: false }))}`);
  } catch (error) {
    return saidSystem(`its model cannot be used, ${around.model.name() ?? "none"} is: ${messageOf(error)}`);
  }
}
