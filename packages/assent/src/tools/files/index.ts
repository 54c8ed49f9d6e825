import type { Hands, Tool } from "../../runtime/ports.ts";
import { type ReadArguments, readArguments } from "../../wire/index.ts";
import { listSchema, mostLines, readEdit, readSchema, searchSchema, writeSchema } from "./arguments.ts";
import type { filesHands } from "./hands.ts";
import type { OwnPlaces } from "./own.ts";

/** Shows a text file, or some of its lines. */
const readFile = tool({
  name: "read_file",
  description:
    "Read a text file. Each line comes with its number and a tab before it. offset is the first line, 1 unless given; " +
    `limit is how many, at most ${mostLines}.`,
  parallel: true,
  read: (given) => readArguments(readSchema, given),
});

/** Writes a whole file. */
const writeFile = tool({
  name: "write_file",
  description:
    "Write a whole file, new or in place of the old one; folders on the way are made. content is exactly what will be " +
    "in it. Prefer edit_file to change a part of a file.",
  parallel: false,
  read: (given) => readArguments(writeSchema, given),
});

/** Replaces a text in a file by another, exactly. */
const editFile = tool({
  name: "edit_file",
  description:
    "Replace old_text in a file by new_text. old_text must be exactly what is there, without line numbers, and be there " +
    "once, unless replace_all: give enough lines around it.",
  parallel: false,
  read: readEdit,
});

/** Shows what is in a folder. */
const listFiles = tool({
  name: "list_files",
  description:
    "List a folder as a tree, 2 levels deep unless depth says otherwise. Without all it leaves out .git and what " +
    ".gitignore names.",
  parallel: true,
  read: (given) => readArguments(listSchema, given),
});

/** Finds lines in files. */
const searchFiles = tool({
  name: "search_files",
  description:
    "Search the contents of files for lines that match a regular expression, or a plain text with literal. glob limits " +
    "it to files, such as *.ts or src/**. Without all it leaves out hidden files and what .gitignore names.",
  parallel: true,
  read: (given) => readArguments(searchSchema, given),
});

/** The tools for files, which know what is Assent's own. */
export function openFilesTools(own: OwnPlaces): readonly Tool[] {
  return filesTools.map((each) => ({
    ...each,
    hands: async () => (await import("./own.ts")).marking(await each.hands(), own),
  }));
}

export const filesTools: readonly LaterTool[] = [readFile, writeFile, editFile, listFiles, searchFiles];

type LaterTool = Tool & { readonly hands: () => Promise<Hands> };

type FilesTool = {
  readonly name: keyof typeof filesHands;
  readonly description: string;
  readonly parallel: boolean;
  readonly read: (given: string) => ReadArguments<unknown>;
};

function tool({ name, description, parallel, read: readGiven }: FilesTool): LaterTool {
  return {
    ...{ name, description },
    read(given) {
      const read = readGiven(given);
      return read.type === "read" ? { type: "tool", parallel } : read;
    },
    hands: async () => (await import("./hands.ts")).filesHands[name],
  };
}
