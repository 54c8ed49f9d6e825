import { openRedacting } from "../../src/runtime/redaction.ts";
import { openTools } from "../../src/tools/index.ts";
import { nobodyAnswers } from "../fixtures/nobody.ts";

/**
 * A process that runs a command which leaves two processes behind, closes the session keeping the first of them, tells their
 * pids and exits.
 */
const [folder = "", attended, persistent, command = ""] = process.argv.slice(2);
const redacting = openRedacting(() => []);
const session = `kept-${process.pid}`;
const tools = openTools({ shell: "bash", folder, hidden: [], pty: attended === "attended", redacting });
const made = tools.find(({ name }) => name === "terminal")?.hands;
const hands = typeof made === "function" ? await made() : made;
if (hands === undefined) throw new Error("the terminal has no hands");

const pids: string[] = [];
const ended: string[] = [];
const place = { session, cwd: folder, terminal: { state: "never" }, seen: [] } as const;
const plan = hands.plan(JSON.stringify({ command, persistent: persistent === "persistent" }), place);
const result = await hands.run(plan, {
  ...{ session, call: "c1", signal: new AbortController().signal, attended: attended === "attended" },
  onOutput: () => {},
  tell(fact) {
    if (fact.type !== "process") return;
    (fact.state === "started" ? pids : ended).push(fact.process);
  },
  ...nobodyAnswers,
  lend: null,
});
await hands.close?.(session, pids.slice(0, 1));
process.stdout.write(JSON.stringify({ pids, ended, text: result.text }));
process.exitCode = 0;
