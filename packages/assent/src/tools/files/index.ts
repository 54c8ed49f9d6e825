import type { Hands, Tool } from "../../runtime/ports.ts";
import { type ReadArguments, readArguments } from "../../wire/index.ts";
import {
  editParameters,
  listParameters,
  listSchema,
  mostLines,
  readEdit,
  readParameters,
  readSchema,
  searchParameters,
  searchSchema,
  writeParameters,
  writeSchema,
} from "./arguments.ts";
import type { filesHands } from "./hands.ts";
import type { OwnPlaces } from "./own.ts";

/** A disk that does not answer must not keep a session waiting for ever. */
const timeoutMs = 60_000;

/** Shows a text file, or some of its lines. */
const readFile = tool({
  name: "read_file",
  description:
    `Read a text file, at most ${mostLines} lines and 50 KB a call, with line numbers. Use it instead of ` +
    "cat, head or sed -n, and before you edit. Not for folders (list_files) or for finding text (search_files).",
  parameters: readParameters,
  tier: "safe",
  parallel: true,
  read: (given) => readArguments(readSchema, given),
});

/** Writes a whole file. */
const writeFile = tool({
  name: "write_file",
  description:
    "Write a whole file, new or over the old one; missing folders are made. Use it for new files and rewrites. Not " +
    "for changing a part (edit_file). Refused if the file changed since you read it.",
  parameters: writeParameters,
  tier: "elevated",
  parallel: false,
  read: (given) => readArguments(writeSchema, given),
});

/** Replaces a text in a file by another, exactly. */
const editFile = tool({
  name: "edit_file",
  description:
    "Replace old_text by new_text in a text file. Use it for every change of a part, instead of sed or scripts. Not for " +
    "new files (write_file). Refused if the file changed since you read it.",
  parameters: editParameters,
  tier: "elevated",
  parallel: false,
  read: readEdit,
});

/** Shows what is in a folder. */
const listFiles = tool({
  name: "list_files",
  description:
    "List a folder as a tree with sizes, at most 1000 entries. Use it instead of ls or tree. Not for finding text " +
    "(search_files).",
  parameters: listParameters,
  tier: "safe",
  parallel: true,
  read: (given) => readArguments(listSchema, given),
});

/** Finds lines in files. */
const searchFiles = tool({
  name: "search_files",
  description:
    "Find lines in text files up to 5 MB, with path and line number, at most 200. Use it instead of grep or rg. Not for " +
    "reading a whole file (read_file) or finding file names (list_files).",
  parameters: searchParameters,
  tier: "safe",
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
  readonly parameters: Tool["parameters"];
  readonly tier: Tool["tier"];
  readonly parallel: boolean;
  readonly read: (given: string) => ReadArguments<unknown>;
};

function tool({ parallel, read: readGiven, ...told }: FilesTool): LaterTool {
  const { name } = told;
  return {
    ...{ ...told, timeoutMs },
    read(given) {
      const read = readGiven(given);
      return read.type === "read" ? { type: "tool", parallel } : read;
    },
    hands: async () => (await import("./hands.ts")).filesHands[name],
  };
}
