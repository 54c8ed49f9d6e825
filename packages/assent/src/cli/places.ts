import { join } from "node:path";
import { assentHome } from "../runtime/own-folders.ts";

export { assentHome, homeOf, outputFolder, ownFolders } from "../runtime/own-folders.ts";

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
