import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";

/** Where sessions are kept: under ASSENT_HOME when that is set, otherwise where the system keeps a user's data. */
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

/** What is Assent's own: its home, and beside the outputs the compiled code that runs the next time (APPR-10). */
export function ownFolders(): readonly string[] {
  return [assentHome(), dirname(outputFolder())];
}

/** What is connected, a file each, with its secrets apart; what a person adds to the catalogue; and what happened on the way. */
export function integrationFolders(): Readonly<Record<"configured" | "secrets" | "catalogue" | "log", string>> {
  const home = assentHome();
  const configured = join(home, "integrations");
  return {
    configured,
    secrets: join(configured, "secrets"),
    catalogue: join(home, "catalogue"),
    log: join(home, "log"),
  };
}

/** What a project says about its policy. */
export function projectFolder(project: string): string {
  return join(project, ".assent");
}

/** Who may speak to a server, a file each. */
export function tokenFolder(): string {
  return join(assentHome(), "tokens");
}

/** Where servers run now, a file each. */
export function servingFolder(): string {
  return join(assentHome(), "serving");
}

/** What the cookies of browsers that signed in are made with. */
export function signInFile(): string {
  return join(assentHome(), "sign-ins.key");
}

/** Where the server of this person is and how to speak to it, for their own programs alone (SRV-1). */
export function clientFile(): string {
  return join(assentHome(), "client.json");
}
