import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";

/** What is the program's own on this machine; `open` are folders in it that an agent may read all the same. */
export type OwnPlaces = { readonly own?: readonly string[]; readonly open?: readonly string[] };

/** Where the command line keeps sessions: under ASSENT_HOME when that is set, otherwise where the system keeps a user's data. */
export function assentHome(): string {
  const { ASSENT_HOME, XDG_DATA_HOME } = process.env;
  if (ASSENT_HOME) return resolve(ASSENT_HOME);
  const data = XDG_DATA_HOME && isAbsolute(XDG_DATA_HOME) ? XDG_DATA_HOME : join(homedir(), ".local", "share");
  return join(data, "assent");
}

/** What a command wrote and was too long to be shown: outside of Assent's home, for the agent may read it (TERM-3). */
export function outputFolder(): string {
  const { XDG_CACHE_HOME } = process.env;
  const folder = XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(homedir(), ".cache");
  return join(folder, "assent", "output");
}

/**
 * What is Assent's own on this machine, whoever runs agents here: its home, and beside the outputs the compiled code that runs
 * the next time (APPR-10). The home is the first: it is what ASSENT_HOME means in a command.
 */
export function ownFolders(): readonly string[] {
  return [assentHome(), dirname(outputFolder())];
}
