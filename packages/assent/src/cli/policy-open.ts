import { homedir } from "node:os";
import { openPolicy, type Policy } from "../policy/index.ts";
import { outputFolder, ownFolders } from "./places.ts";

/** The policy as it is for the person at this machine. */
export function machinePolicy(home: string | null = homedir()): Policy {
  const platform = process.platform === "darwin" ? "darwin" : "linux";
  return openPolicy({ platform, home, own: ownFolders(), open: [outputFolder()] });
}
