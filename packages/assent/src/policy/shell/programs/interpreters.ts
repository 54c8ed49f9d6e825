import type { Programs } from "../spec.ts";
import { scriptsOfJavascript } from "./interpreters-javascript.ts";
import { otherLanguages } from "./interpreters-other.ts";
import { pythons } from "./interpreters-python.ts";
import { scripting } from "./interpreters-scripts.ts";
import { shells } from "./interpreters-shells.ts";

/** Programs that run a text, a file, or what comes on standard input. */
export const interpreters: Programs = {
  ...otherLanguages,
  ...scripting,
  ...scriptsOfJavascript,
  ...pythons,
  ...shells,
};
