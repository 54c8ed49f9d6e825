import type { Deed } from "../deeds.ts";
import { asks, danger, type Given, type Programs, type Spec } from "../spec.ts";
import { type Argument, beginning, known, shown } from "../text.ts";
import { beginsUnknown, isHole } from "./arguments.ts";

const recursive = "-r -R --recursive";

/** Whether the word, unknown as it is, could be an option that makes the deletion recursive. */
function mayMakeRecursive(word: Argument, alone: boolean): boolean {
  const { text, splits } = word;
  if (known(text) !== null) return false;
  const start = beginning(text);
  if (start.startsWith("-")) return !start.includes("=");
  if (!beginsUnknown(word)) return false;
  if (splits) return true;
  // Quoted and alone it is either an option without a file, or a file; with a dot or a slash in it, it is no option.
  return !alone && text.every((piece) => typeof piece !== "string" || /^[A-Za-z-]*$/.test(piece));
}

/** Folders that are made anew by the next build, or that nobody keeps anything in. */
const madeAnew =
  /(?:^|\/)(?:dist|build|out|output|target|tmp|temp|coverage|\.cache|cache|logs?|\.next|\.turbo|__pycache__|node_modules)\/|^\/(?:var\/)?tmp\//;

/** `*` alone, or everything in a folder in other spellings. */
function isEverything({ text }: Argument): boolean {
  const path = shown(text);
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (!text.some((piece) => isHole(piece) && piece.hole === "glob")) return false;
  return /^(?:[*?.]|\[[!^][^\]]*\])+$/.test(name) && name.includes("*") && !madeAnew.test(path);
}

function deletes(given: Given): readonly Deed[] {
  const { words, operands, name } = given;
  if (given.has(recursive)) return [asks("delete-recursive", `deletes folders with all that is in them (${name} -r)`)];
  const end = words.findIndex(({ text }) => known(text) === "--");
  const before = end < 0 ? words : words.slice(0, end);
  const option = before.find((word) => mayMakeRecursive(word, operands.length < 2));
  if (option !== undefined) {
    return [asks("delete-recursive", `may delete recursively: ${shown(option.text)} can be an option`, option)];
  }
  const all = operands.find(isEverything);
  return all === undefined ? [] : [asks("delete-bulk", "deletes all files of a folder", all)];
}

function remove(): Spec {
  return { operands: ["write"], also: deletes };
}

function shreds(given: Given): readonly Deed[] {
  const many = given.operands.find(
    ({ text, splits }) => splits || text.some((piece) => isHole(piece) && piece.hole === "glob"),
  );
  const bulk = many === undefined ? [] : [asks("delete-bulk", "destroys the content of many files", many)];
  return given.has("-r -R") ? deletes(given) : bulk;
}

const everything = danger("delete-recursive", "deletes folders with all that is in them");
const duplicates = danger("delete-bulk", "deletes all files that it takes for duplicates");
const old = danger("delete-bulk", "deletes all files that match");

export const deletion: Programs = {
  "rm grm safe-rm": remove,
  "srm wipe": () => ({ ...remove(), also: (given) => [...deletes(given), ...shreds(given)] }),
  "rmdir grmdir": () => ({ operands: ["write"] }),
  "unlink gunlink": () => ({ operands: ["write"] }),
  "shred gshred"() {
    return {
      takes: { "-n --iterations": "text", "-s --size": "text", "--random-source": "read" },
      may: { "--remove": "text" },
      operands: ["write"],
      also: shreds,
    };
  },
  scrub: () => ({ takes: { "-p --pattern": "text" }, always: danger("system-disk", "overwrites what is there") }),
  // What is put into the trash can be taken out again.
  "trash trash-put rmtrash": () => ({ operands: ["write"] }),
  "trash-list trash-restore restore-trash": () => ({}),
  "trash-empty trash-rm": () => ({ always: danger("delete-bulk", "deletes what is in the trash") }),
  "rimraf rimraf-cli del del-cli rmrf premove fs-remove": () => ({ always: everything }),
  "fdupes jdupes": () => ({ danger: { "-d --delete --immediate": duplicates }, takes: { "-o --order": "text" } }),
  rdfind: () => ({ style: "long", takes: { "-outputname": "write" }, danger: { "-deleteduplicates": duplicates } }),
  fclones: () => ({ commands: { remove: { always: duplicates, unless: "--dry-run" } } }),
  "tmpreaper tmpwatch": () => ({ always: old, unless: "-t --test" }),
  bleachbit: () => ({ danger: { "-c --clean -s --shred": old } }),
};
