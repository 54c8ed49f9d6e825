import { homedir, userInfo } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";

/** What is the program's own on this machine; `open` are folders in it that an agent may read all the same. */
export type OwnPlaces = { readonly own?: readonly string[]; readonly open?: readonly string[] };

/** Where the command line keeps sessions: under ASSENT_HOME when that is set, otherwise where the system keeps a user's data. */
export function assentHome(): string {
  const { ASSENT_HOME, XDG_DATA_HOME } = process.env;
  if (ASSENT_HOME) return resolve(ASSENT_HOME);
  return XDG_DATA_HOME && isAbsolute(XDG_DATA_HOME) ? join(XDG_DATA_HOME, "assent") : usualHome(homedir());
}

/** What a command wrote and was too long to be shown: outside of Assent's home, for the agent may read it (TERM-3). */
export function outputFolder(): string {
  const { XDG_CACHE_HOME } = process.env;
  const folder = XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME) ? join(XDG_CACHE_HOME, "assent") : usualCache(homedir());
  return join(folder, "output");
}

/**
 * What is Assent's own on this machine, whoever runs agents here: its home, and beside the outputs what can be made again
 * (APPR-10). The home is the first: it is what ASSENT_HOME means in a command. The usual places count wherever variables send
 * this process: the next one may have other variables, and its grants are in the one, and what it runs of compiled code in the other,
 * which none but the home moves (bin/compiled.cjs).
 */
export function ownFolders(): readonly string[] {
  const usual = homes().flatMap((home) => [usualHome(home), usualCache(home)]);
  return [...new Set([assentHome(), dirname(outputFolder()), ...usual])];
}

function usualHome(home: string): string {
  return join(home, ".local", "share", "assent");
}

function usualCache(home: string): string {
  return join(home, ".cache", "assent");
}

/** The home as this process was told, and as the system knows it: each may be unknown, as in a container with any user's number. */
function homes(): readonly string[] {
  return [homeOf(homedir), homeOf(() => userInfo().homedir)].flatMap((home) =>
    home !== null && isAbsolute(home) ? [home] : [],
  );
}

/** The home of who runs this; `null` where neither a variable nor the system names one. */
export function homeOf(ask: () => string = homedir): string | null {
  try {
    return ask();
  } catch {
    return null;
  }
}
