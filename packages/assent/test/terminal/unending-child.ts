import { setTimeout as sleep } from "node:timers/promises";
import { openRedacting } from "../../src/runtime/redaction.ts";
import { fixedGrace } from "../../src/terminal/kill.ts";
import { Shell } from "../../src/terminal/persistent.ts";
import { SpillFile } from "../../src/terminal/spill.ts";
import { startPlain } from "../../src/terminal/start.ts";
import { TypedSecrets } from "../../src/terminal/typed-secrets.ts";

/** Starts as root what it cannot end as somebody else, as when a shell has become `sudo`; tells its pid and what came of it. */
const [how = ""] = process.argv.slice(2);
const nobody = 65_534;
const { env } = process;
const place = { cwd: "/", env, marker: `unending-${process.pid}/c` };

function told(...words: readonly unknown[]): void {
  process.stdout.write(JSON.stringify(words));
}

if (how === "plain") {
  const started = await startPlain({ ...place, argv: ["sleep", "600"], stdout: null, stderr: null });
  process.setuid?.(nobody);
  for (const each of [started.stop, started.end, started.end]) each();
  await sleep(50);
  told(started.pid, "goes on");
  process.exit(0);
}

const shell = await Shell.open({ ...place, attended: false });
if (how === "close") {
  process.setuid?.(nobody);
  told(shell.pid, await shell.close(), shell.alive);
} else {
  const secrets = new TypedSecrets(openRedacting(() => []));
  const running = shell.run(
    {
      command: "while :; do read -t 600 <> <(:); done",
      timeoutMs: 500,
      watched: { signal: new AbortController().signal, ask: async () => null, attended: false },
      grace: () => fixedGrace(0),
      onOutput: () => {},
      secrets,
      spill: () => new SpillFile({ file: null, path: "", most: 0 }),
    },
    "/",
  );
  await sleep(100);
  process.setuid?.(nobody);
  const { why, exit, killed, alive } = await running;
  told(shell.pid, { why, exit, killed, alive });
}
process.exit(0);
