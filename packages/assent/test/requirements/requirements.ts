import { answers } from "./data/answers.ts";
import { execution } from "./data/execution.ts";
import { questions } from "./data/questions.ts";
import { resolutions } from "./data/resolutions.ts";
import { runs } from "./data/runs.ts";
import { sessions } from "./data/sessions.ts";
import { surfaces } from "./data/surfaces.ts";
import { tools } from "./data/tools.ts";
import type { Requirement } from "./requirement.ts";

export type { Requirement } from "./requirement.ts";

/** Every requirement, in the order of the specification. */
export const requirements: readonly Requirement[] = [
  ...questions,
  ...answers,
  ...tools,
  ...runs,
  ...execution,
  ...sessions,
  ...surfaces,
  ...resolutions,
];
