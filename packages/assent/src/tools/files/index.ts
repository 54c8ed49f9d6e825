import type { Tool } from "../../runtime/ports.ts";
import { editFile } from "./edit.ts";
import { listFiles } from "./list.ts";
import { readFile } from "./read.ts";
import { searchFiles } from "./search.ts";
import { writeFile } from "./write.ts";

/** The tools for files. */
export const filesTools: readonly Tool[] = [readFile, writeFile, editFile, listFiles, searchFiles];
