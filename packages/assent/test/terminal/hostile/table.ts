import type { Row } from "./row.ts";
import { leftovers } from "./rows/leftovers.ts";
import { output } from "./rows/output.ts";
import { shell } from "./rows/shell.ts";
import { stubborn } from "./rows/stubborn.ts";
import { input, world } from "./rows/world.ts";

export const table: readonly Row[] = [...stubborn, ...leftovers, ...output, ...shell, ...world, ...input];
