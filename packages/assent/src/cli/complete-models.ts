import { catalogue } from "../providers/index.ts";
import type { Candidate } from "./complete.ts";
import { offeredModels } from "./offered-models.ts";

/** The models that can be seen from here, and the beginnings of all others. */
export async function modelCandidates(): Promise<readonly Candidate[]> {
  const offered = (await offeredModels()).map((word) => ({ word, about: "" }));
  const beginnings = catalogue.map(({ name, short }) => ({
    word: `${short ?? name}:`,
    about: "and the name of a model",
  }));
  return [...offered, ...beginnings, { word: "scripted:", about: "and a file with replies" }];
}
