import type { Plan, Policy, Verdict } from "./verdict.ts";

/**
 * A small table until the shell is parsed: one plain command of a program that can only read or print is allowed,
 * everything else asks. It errs on the side of asking; it never lets through what it does not understand.
 */
const harmless: ReadonlySet<string> = new Set(["echo", "false", "ls", "printf", "pwd", "seq", "sleep", "true"]);

/** Words of characters that mean nothing to a shell, or quoted so that they mean nothing; no `=` before the program. */
const plainWord = /(?:[\w./:,@%+-]|'[^'\p{Cc}]*')(?:[\w./:,@%+=-]|'[^'\p{Cc}]*')*/u.source;
const plainCommand = new RegExp(`^ *${plainWord}(?: +${plainWord})* *$`, "u");

export const policy: Policy = {
  version: "table-1",
  judge(plan: Plan): Verdict {
    const { command } = plan;
    if (command === undefined) return ask("no-command", `${plan.tool} is not known to be harmless`);
    if (!plainCommand.test(command)) return ask("not-plain", "more than one plain command");
    const program = command.trim().split(" ")[0] ?? "";
    if (!harmless.has(program)) return ask("unknown-program", `${program} is not known to be harmless`);
    return { verdict: "allow", rule: "harmless-program", reason: `${program} only reads or prints` };
  },
};

function ask(rule: string, reason: string): Verdict {
  return { verdict: "ask", rule, reason };
}
