// Rules of your own for what an agent may do. The first is data: which commands, what becomes of them, and examples that are held to
// it. The second is a policy around the policy, for what only a program can tell. Neither allows what would be asked about.
import assert from "node:assert";
import { openHost, openMachinePolicy, openMemoryJournal, openTools, scriptedModel } from "assent";
import type { ConfiguredRule, Policy } from "assent/policy";

export const noDeploy: ConfiguredRule = {
  name: "no-deploy",
  command: ["npm", "run", ["deploy", "release"]],
  verdict: "deny",
  reason: "deployments go through the pipeline",
  examples: {
    match: ["npm run deploy", "cd web && npm run release"],
    differ: ["npm run build", "echo npm run deploy"],
  },
};

/** Nothing runs out of hours. `version` is part of what an approval is bound to: another hour, another approval. */
export function inHours(policy: Policy, hour: () => number): Policy {
  const isOpen = () => hour() >= 8 && hour() < 18;
  return {
    ...policy,
    get version() {
      return `${policy.version} ${isOpen() ? "open" : "closed"}`;
    },
    judge(plan, grants) {
      const word = policy.judge(plan, grants);
      if (isOpen() || word.verdict === "deny") return word;
      return { verdict: "deny", rule: "out-of-hours", reason: "nothing runs before eight and after six" };
    },
  };
}

/** What becomes of a command, by whoever decides on it. */
async function told(command: string, hour: number): Promise<string> {
  const calls = [{ tool: "terminal", arguments: { command } }];
  const host = openHost({
    journal: openMemoryJournal(),
    provider: scriptedModel({ replies: [{ calls }, { text: "Done." }] }),
    tools: openTools(),
    policy: inHours(await openMachinePolicy(), () => hour),
    rules: () => [noDeploy],
  });
  const made = host.create({ cwd: process.cwd() });
  assert("session" in made);
  const hold = host.hold(made.session);
  const by = { name: "ada", adapter: "example" };
  host.submit(made.session, {
    type: "prompt",
    text: "go",
    delivery: "now",
    entry: "submitted",
    by,
    authority: "act",
  });
  for await (const watched of host.watch(made.session)) {
    if (watched.type === "recorded" && watched.event.type === "exchange.ended") break;
  }
  const [record] = host.audit(made.session);
  await hold.release();
  await host.close();
  return `${command}, at ${hour}: ${record?.verdict} (${record?.rule})`;
}

if (import.meta.main) {
  const lines = [await told("echo hi", 9), await told("CI=1 npm run deploy", 9), await told("echo hi", 20)];
  for (const line of lines) process.stdout.write(`${line}\n`);
  assert.deepEqual(lines, [
    "echo hi, at 9: allow (nothing-found)",
    "CI=1 npm run deploy, at 9: deny (no-deploy)",
    "echo hi, at 20: deny (out-of-hours)",
  ]);
}
