import { editHands } from "./edit.ts";
import { listHands } from "./list.ts";
import { readHands } from "./read.ts";
import { searchHands } from "./search.ts";
import { writeHands } from "./write.ts";

/** What the tools for files do, and all that it needs. */
export const filesHands = {
  read_file: readHands,
  write_file: writeHands,
  edit_file: editHands,
  list_files: listHands,
  search_files: searchHands,
};
