import { readFileSync, statSync } from "node:fs";
import { writePrivate } from "../runtime/index.ts";
import { messageOf } from "../wire/index.ts";
import { UsageError } from "./flags.ts";

/** A file that the command line names. */
export function readText(file: string): string {
  return readBytes(file).toString("utf8");
}

export function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${messageOf(error)}`);
  }
}

/** One that is looked for and not named, such as `models.json`: only a plain file, for a pipe would keep everybody waiting. */
export function readPlain(file: string): { readonly text: string } | { readonly problem: string } {
  try {
    return statSync(file).isFile() ? { text: readFileSync(file, "utf8") } : { problem: "it is not a file" };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** For its owner alone; what people have written is not written over. `option` named the file. */
export function writeNew(option: string, file: string, text: string): void {
  try {
    writePrivate(file, text, "wx");
  } catch (error) {
    throw new UsageError(`${option}: cannot write ${file}: ${messageOf(error)}`);
  }
}
