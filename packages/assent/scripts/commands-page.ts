// Makes docs/guide/commands.md: the commands of the shell, from the registry by which they are run and completed (SEL-5).
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { slashPage } from "../src/slash/index.ts";

const file = join(import.meta.dirname, "..", "..", "..", "docs", "guide", "commands.md");

if (import.meta.main) writeFileSync(file, slashPage());
