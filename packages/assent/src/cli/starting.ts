import type { Limits } from "../core/index.ts";
import type { Created } from "../runtime/index.ts";
import type { Surrounded } from "./around.ts";
import { UsageError } from "./flags.ts";
import { type ChosenModel, chooseModel, NoModelError, wholeName } from "./model.ts";

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
    useModel(name);
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
