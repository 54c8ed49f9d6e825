import { existsSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Channel, expectPipes } from "../../src/terminal/channel.ts";
import { startPlain } from "../../src/terminal/start.ts";

/**
 * Expects pipes, then runs a command that writes to one: at once, only once the names of those that are expected are gone, or not at
 * all. Tells what came of it, and what is left in the folder for temporary files.
 */
const [when = ""] = process.argv.slice(2);
const folder = process.env["TMPDIR"] ?? "";

expectPipes();
if (when === "never") process.exit(0);
const asked = readdirSync(folder).length;
// One that is asked for twice is made once.
expectPipes();
const twice = readdirSync(folder).length;
while (when === "later" && readdirSync(folder).length > 0) await sleep(5);

let text = "";
const channel = Channel.open((part) => {
  text += part;
});
const env = { ...process.env, PATH: "/usr/bin:/bin" };
const argv = ["bash", "-c", "echo heard > /dev/stdout"] as const;
const started = await startPlain({
  ...{ argv: [...argv], cwd: "/", env },
  marker: "m/c",
  stdout: channel,
  stderr: null,
});
channel.closeWriter();
await started.exited;
await channel.ended;
const isPipe = existsSync(channel.path);
process.stdout.write(JSON.stringify({ asked, twice, text, isPipe, left: readdirSync(folder) }));
