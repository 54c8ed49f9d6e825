import type { Programs } from "../spec.ts";
import { textCode } from "./text-code.ts";
import { textMachine } from "./text-machine.ts";
import { textMedia } from "./text-media.ts";
import { textPrint } from "./text-print.ts";
import { textSearch } from "./text-search.ts";

/** Programs that print: texts, files, and what the machine is doing. */
export const textTools: Programs = { ...textPrint, ...textSearch, ...textCode, ...textMachine, ...textMedia };
