import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exitCodes } from "../adapters/headless/index.ts";
import { readFlags } from "./flags.ts";
import { followFlags } from "./follow.ts";
import { stderr } from "./output.ts";
import { run } from "./run.ts";

/** A scripted model against the real tools, in a folder that is made for it and removed again. */
export async function demo(script: string, argv: readonly string[]): Promise<number> {
  readFlags(argv, { options: followFlags, arguments: [] });
  const scratch = mkdtempSync(join(tmpdir(), "assent-demo-"));
  try {
    const project = join(scratch, "project");
    for (const folder of ["build", "src", "test"]) mkdirSync(join(project, folder), { recursive: true });
    for (const file of ["README.md", "build/app.js", "src/app.ts"]) writeFileSync(join(project, file), "demo\n");
    process.env["ASSENT_HOME"] = join(scratch, "home");
    stderr.write(`The model is scripted; the commands are real, in ${project}.\n\n`);
    const prompt = "clean the build and say what is left";
    const code = await run(["--model", `scripted:${script}`, "--cwd", project, ...argv, prompt]);
    // To say no, or to have nobody there, is a way to see it too.
    return code === exitCodes.refused ? exitCodes.done : code;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
