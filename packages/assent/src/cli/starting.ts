import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Limits } from "../core/index.ts";
import { type Created, newestIn, type SessionHost } from "../runtime/index.ts";
import { forkFor } from "../show/index.ts";
import type { Surrounded } from "./around.ts";
import { type Given, UsageError } from "./flags.ts";
import { type ChosenModel, chooseModel, NoModelError, wholeName } from "./model.ts";
import { findSession } from "./open.ts";

/** The model that is used, or what is wrong with the one that was meant; blank where none was. */
export type StartedModel = ChosenModel | { readonly problem: string };

/** A model that is named or has a key is there at once; servers of this machine are looked for (CLI-5). */
export async function startModel(
  { useModel }: Surrounded,
  flag: string | undefined,
  remembered: string | null,
): Promise<StartedModel> {
  try {
    const chosen = await chooseModel(flag, remembered);
    const name = wholeName(chosen);
    useModel(name, flag !== undefined);
    return { ...chosen, name };
  } catch (error) {
    // One that was asked for by name and cannot be had is a mistake; that none was found is not.
    if (flag !== undefined || !(error instanceof UsageError)) throw error;
    return { problem: error instanceof NoModelError ? "" : error.message };
  }
}

/** Makes sessions in that folder, each for the model that is used by then. */
export function sessionMaker(
  { host, around }: Surrounded,
  place: { readonly cwd: string; readonly limits: Partial<Limits> },
): () => Created {
  return () => {
    const model = around.model.name();
    return host.create({ ...place, ...(model === null ? {} : { model }) });
  };
}

/** The session that is named, or with --continue the newest one of this folder. One that is aborted can be read, and no more. */
export function earlierSession(host: SessionHost, given: Given, { reads }: { readonly reads: boolean }): string | null {
  const typed = given.text("session");
  if (typed !== undefined && given.has("continue")) throw new UsageError("--session and --continue exclude each other");
  const goesOn = typed !== undefined || given.has("continue");
  if (goesOn && given.has("cwd")) throw new UsageError("--cwd is for a new session; an earlier one has its folder");
  if (typed !== undefined) return findSession(host, typed).session;
  if (!goesOn) return null;
  const here = process.cwd();
  const newest = newestIn(host.sessions().sessions, here);
  if (newest === undefined) throw new UsageError(`no session to continue in ${here}`);
  const { session, status } = newest;
  // An older one would be another conversation than the one that is meant.
  if (status === "aborted" && !reads)
    throw new UsageError(`the newest session here, ${session}, is aborted: ${forkFor(session)}`);
  return session;
}

/** The folder of `--cwd`, or the one that this process is in. */
export function folder(given: string | undefined): string {
  const cwd = resolve(given ?? ".");
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) throw new UsageError(`--cwd: no folder ${cwd}`);
  return cwd;
}
