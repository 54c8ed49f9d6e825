import { join, resolve } from "node:path";
import { secretVariables } from "../providers/index.ts";
import {
  checkNames,
  checkPaths,
  type HostOptions,
  openGrants,
  openMachinePolicy,
  openSecrets,
  openSqliteJournal,
  type Ports,
  type Tool,
} from "../runtime/index.ts";
import { outputFolder, ownFolders } from "../runtime/own-folders.ts";
import { openRedacting } from "../runtime/redaction.ts";
import { openTools as openMachineTools } from "../tools/index.ts";

/** All that a host needs but a model: what is kept in a folder, and tools and a policy that leave the folder alone. */
export type Home = Pick<HostOptions, "journal" | "tools"> & Required<Pick<Ports, "secrets" | "grants" | "policy">>;

/**
 * A folder in which everything is kept that outlives a process: the journal of all sessions, sensitive answers, grants, and outputs
 * that were too long to be shown. Its tools are those of `openTools`. The folder that the command line uses can be opened, too,
 * beside it.
 */
export function openHome(given: string): Home {
  // Once, for good: the program may go to another folder.
  const folder = resolve(given);
  const output = join(folder, "output");
  return {
    journal: openSqliteJournal(join(folder, "journal.db")),
    secrets: openSecrets(join(folder, "secrets")),
    grants: openGrants(join(folder, "grants")),
    policy: () => openMachinePolicy({ own: [folder], open: [output] }),
    tools: openTools({ self: [folder], folder: output }),
  };
}

/** What the usual tools are opened with; each has a default. */
export type LibraryTools = {
  /** Folders that are the program's own: what is in them is neither read nor written without a person. Those of the command line are anyway. */
  readonly self?: readonly string[];
  /** Where outputs go that are too long to be shown: `~/.cache/assent/output`, unless given. */
  readonly folder?: string;
  /** What runs a command: `bash`, unless given. */
  readonly shell?: string;
  /** Variables of this process that commands do not get; those that hold the keys of models and of Assent, unless given. */
  readonly hidden?: readonly string[];
  /** Whether people can type to commands, where `@lydell/node-pty` is installed: yes, unless given. */
  readonly pty?: boolean;
};

const toolOptions: Readonly<Record<keyof LibraryTools, true>> = {
  ...{ self: true, folder: true, shell: true, hidden: true, pty: true },
};

/**
 * The usual tools: those by which a model begins and ends a run and asks a person (`agentic`, `complete`, `ask`, `flow`), the terminal
 * (`terminal`, `process`) and the files (`read_file`, `write_file`, `edit_file`, `list_files`, `search_files`). What they do is loaded
 * when it is first needed.
 */
export function openTools(given: LibraryTools = {}): readonly Tool[] {
  checkNames("openTools", given, Object.keys(toolOptions));
  const { self = [], folder = outputFolder(), ...options } = given;
  checkPaths("openTools", { self });
  const places = { self: [...ownFolders(), ...self].map((place) => resolve(place)), folder: resolve(folder) };
  const hidden = secretVariables(Object.keys(process.env));
  const redacting = openRedacting(() => []);
  return openMachineTools({ shell: "bash", hidden, pty: true, ...options, ...places, redacting });
}
