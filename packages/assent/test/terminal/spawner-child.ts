import { setTimeout as sleep } from "node:timers/promises";
import { Channel } from "../../src/terminal/channel.ts";
import { Spawner } from "../../src/terminal/spawner.ts";

/** A process with a spawner, which tells the spawner's pid and that of a command, or its own, and then ends, stays or exits. */
const [how = "", delayUs = "0"] = process.argv.slice(2);
const spawner = new Spawner(process.env);
while (!spawner.idle) await sleep(5);

function start(...argv: [string, ...string[]]) {
  const [stdout, stderr] = [Channel.open(() => {}), Channel.open(() => {})];
  const { env, pid } = process;
  const started = spawner.start({ argv, cwd: "/", env, marker: `spawning-${pid}/c`, stdout, stderr });
  return started.then((found) => {
    for (const each of [stdout, stderr]) each.closeWriter();
    return found;
  });
}

if (how === "idle") {
  await (await start("true"))?.exited;
  process.stdout.write(`${spawner.pid} ${process.pid}\n`);
} else if (how === "running") {
  const started = await start("sleep", "600");
  process.stdout.write(`${spawner.pid} ${started?.pid}\n`);
} else {
  process.on("exit", () => spawner.leave());
  process.stdout.write(`${spawner.pid} ${process.pid}\n`);
  void start("sleep", "600");
  for (const end = performance.now() + Number(delayUs) / 1_000; performance.now() < end; );
  process.exit(0);
}
