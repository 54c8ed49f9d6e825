import { setTimeout as sleep } from "node:timers/promises";
import { openRedacting } from "../../src/runtime/redaction.ts";
import { descendantsOf, processOf } from "../../src/terminal/processes.ts";
import { SessionTerminal } from "../../src/terminal/session.ts";
import { nobodyAnswers } from "../fixtures/nobody.ts";

/** A process that runs commands until it has a spawner, closes its session, and tells what it has started before and after that. */
const [folder = ""] = process.argv.slice(2);
const session = `closing-${process.pid}`;
const redacting = openRedacting(() => []);
const terminal = new SessionTerminal(session, { shell: "bash", folder, hidden: [], pty: false, redacting });
const children = () => descendantsOf(process.pid).map((pid) => processOf(pid)?.name);

const watched = {
  ...{ session, call: "c1", signal: new AbortController().signal, attended: false, lend: null },
  ...{ onOutput: () => {}, tell: () => {}, ...nobodyAnswers },
};
while (!children().includes("assent-spawner")) {
  await terminal.runOnce({ command: "true", cwd: folder, timeoutMs: 10_000, watched });
  await sleep(20);
}
const before = children();
await terminal.close();
process.stdout.write(JSON.stringify({ before, after: children() }));
