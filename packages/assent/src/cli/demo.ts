import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exitCodes } from "../adapters/headless/index.ts";
import { keepModes } from "../adapters/shell/index.ts";
import { readFlags } from "./flags.ts";
import { stderr } from "./output.ts";
import { run } from "./run.ts";
import { demoSpec } from "./specs/following.ts";

/** A scripted model against the real tools, in a folder that is made for it and removed again (CLI-6). */
export async function demo(argv: readonly string[], root: string): Promise<number> {
  readFlags(argv, demoSpec);
  const scratch = mkdtempSync(join(tmpdir(), "assent-demo-"));
  // With a terminal it is a tour of the shell; otherwise one run, as a script would do it.
  const isTour = process.stdin.isTTY && process.stdout.isTTY && argv.length === 0;
  try {
    const project = makeProject(scratch);
    return isTour ? await tour(root, scratch) : await single(root, { scratch, project, argv });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
    if (isTour) stderr.write("The demo is over, and its folder is gone.\n");
  }
}

function makeProject(scratch: string): string {
  const project = join(scratch, "project");
  for (const folder of ["build", "notes", "src", "test"]) mkdirSync(join(project, folder), { recursive: true });
  for (const file of ["README.md", "build/app.js", "notes/old.md", "src/app.ts"])
    writeFileSync(join(project, file), "demo\n");
  return project;
}

type Single = { readonly scratch: string; readonly project: string; readonly argv: readonly string[] };

async function single(root: string, { scratch, project, argv }: Single): Promise<number> {
  process.env["ASSENT_HOME"] = join(scratch, "home");
  stderr.write(`The model is scripted; the commands are real, in ${project}.\n\n`);
  const script = join(root, "demo", "script.jsonl");
  const prompt = "clean the build and say what is left";
  const code = await run(["--model", `scripted:${script}`, "--cwd", project, ...argv, prompt]);
  if (code === exitCodes.parked)
    stderr.write("With the demo its question is gone; in a session of yours it would stay open.\n");
  // To say no, or to have nobody there, is a way to see it too.
  return code === exitCodes.refused ? exitCodes.done : code;
}

/** The shell in a process of its own, for in the last part it is killed; then it is started again (INT-7). */
async function tour(root: string, scratch: string): Promise<number> {
  const modes = await keepModes();
  const first = await play(root, scratch, []);
  if (!existsSync(join(scratch, "killed")) || first !== null) return exitCodes.done;
  // A process that is killed cannot leave the terminal as it was.
  modes.restore();
  process.stdout.write("\x1b[?2004l\x1b[?25h\x1b[0m\r\n\x1b[J");
  stderr.write("The process was killed with kill -9. This is what assent --continue makes of it:\n\n");
  await play(root, scratch, ["--continue"]);
  return exitCodes.done;
}

/** The exit code; none where it was killed. */
function play(root: string, scratch: string, argv: readonly string[]): Promise<number | null> {
  const env = { ...process.env, ASSENT_HOME: join(scratch, "home"), ASSENT_TOUR: scratch };
  const entry = [join(root, "bin", "assent.cjs"), "shell", ...argv];
  const model = ["--model", `scripted:${join(root, "demo", "tour.jsonl")}`];
  const cwd = join(scratch, "project");
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...entry, ...model], { cwd, env, stdio: "inherit" });
    // Ctrl-C is the shell's.
    const ignore = () => {};
    process.on("SIGINT", ignore);
    child.once("error", reject);
    child.once("exit", (code) => {
      process.off("SIGINT", ignore);
      resolve(code);
    });
  });
}
