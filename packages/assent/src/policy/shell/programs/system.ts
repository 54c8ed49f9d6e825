import type { Programs } from "../spec.ts";
import { accountTools } from "./system-accounts.ts";
import { diskTools } from "./system-disks.ts";
import { kernelTools } from "./system-kernel.ts";
import { networkSettings } from "./system-network.ts";
import { packageTools } from "./system-packages.ts";
import { processTools } from "./system-processes.ts";
import { serviceTools } from "./system-services.ts";

/** Programs that change the machine itself, and their forms that only look at it. */
export const systemTools: Programs = {
  ...serviceTools,
  ...diskTools,
  ...networkSettings,
  ...kernelTools,
  ...packageTools,
  ...accountTools,
  ...processTools,
};
