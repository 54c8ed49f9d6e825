import type { Programs } from "../spec.ts";
import { archiveTools } from "./archives.ts";
import { ownProgram } from "./assent.ts";
import { buildTools } from "./build.ts";
import { cloudTools } from "./cloud.ts";
import { containerTools } from "./containers.ts";
import { databases } from "./databases.ts";
import { debuggers } from "./debuggers.ts";
import { editors } from "./editors.ts";
import { fileTools } from "./files.ts";
import { gitTools } from "./git.ts";
import { interpreters } from "./interpreters.ts";
import { networkTools } from "./network.ts";
import { otherTools } from "./others.ts";
import { packageTools } from "./packages.ts";
import { privilegeTools } from "./privilege.ts";
import { systemTools } from "./system.ts";
import { textTools } from "./text.ts";
import { wrappers } from "./wrappers.ts";

/**
 * All programs that are described. A family has a name once (the test of this folder holds it to that); where two families
 * have it, the later one counts.
 */
export const families: readonly Programs[] = [
  otherTools,
  textTools,
  fileTools,
  archiveTools,
  editors,
  debuggers,
  databases,
  buildTools,
  packageTools,
  gitTools,
  networkTools,
  cloudTools,
  containerTools,
  systemTools,
  interpreters,
  wrappers,
  privilegeTools,
  ownProgram,
];
