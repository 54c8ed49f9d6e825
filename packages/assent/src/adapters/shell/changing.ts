import type { SessionHost } from "../../runtime/index.ts";
import { type Said, saidSystem } from "../../show/index.ts";
import type { Surroundings } from "../../slash/index.ts";
import { messageOf } from "../../wire/index.ts";
import type { Followed } from "./followed.ts";
import { shortModel } from "./status.ts";

/** Leaves a session, and tells how to come back; one in which nothing happened is gone. */
export async function leaveSession(host: SessionHost, followed: Followed): Promise<readonly Said[]> {
  const { session } = followed;
  await followed.leave();
  if (forgetUnused(host, session)) return [];
  const { status, exchange, failed, interactions } = host.view(session);
  if (status === "aborted") {
    return saidSystem(
      `session ${session} is aborted: assent --session ${session} reads it; assent fork ${session} goes on`,
    );
  }
  if (exchange === null && failed === null && interactions.length === 0) {
    return saidSystem(`session ${session}: assent --session ${session} or assent --continue opens it again`);
  }
  const open = interactions.length > 0 ? "its question stays open; " : exchange === null ? "" : "it goes on later; ";
  return saidSystem(`session ${session}: ${open}assent resume ${session} or assent --continue goes on`);
}

/** One in which nothing happened: nobody is to find it later, least of all in place of another. */
export function forgetUnused(host: SessionHost, session: string): boolean {
  const { counted, name, history } = host.view(session);
  const isUnused = counted.exchanges === 0 && name === null && history === null;
  if (isUnused) host.remove(session);
  return isUnused;
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
