import type { Plan, Policy, Verdict } from "./verdict.ts";

/**
 * A small table until the shell is parsed: one plain command of a program that can only list, print or wait is allowed,
 * everything else asks. Not `printf`: bash evaluates the name after its -v, and with it any command inside.
 */
const harmless: ReadonlySet<string> = new Set(["echo", "false", "ls", "pwd", "seq", "sleep", "true"]);

/** Words of characters that mean nothing to a shell, or quoted so that they mean nothing. */
const plainWord = /(?:[\w./:,@%+-]|'[^'\p{Cc}]*')(?:[\w./:,@%+=-]|'[^'\p{Cc}]*')*/u.source;
const plainCommand = new RegExp(`^ *${plainWord}(?: +${plainWord})* *$`, "u");

export const policy: Policy = {
  version: "table-2",
  judge(plan: Plan): Verdict {
    const { command } = plan;
    if (command === undefined) return ask("no-command", `${plan.tool} is not known to be harmless`);
    if (!plainCommand.test(command)) return ask("not-plain", "more than one plain command");
    const program = command.trim().split(" ")[0] ?? "";
    if (!harmless.has(program)) return ask("unknown-program", `${program} is not known to be harmless`);
    return { verdict: "allow", rule: "harmless-program", reason: `${program} only lists, prints or waits` };
  },
};

function ask(rule: string, reason: string): Verdict {
  return { verdict: "ask", rule, reason };
}
