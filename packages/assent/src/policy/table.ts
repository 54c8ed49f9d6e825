import type { Plan, PlannedPath, Policy, Verdict } from "./verdict.ts";

/**
 * A small table until the shell is parsed: one plain command of a program that can only list, print or wait is allowed,
 * everything else asks. Not `printf`: bash evaluates the name after its -v, and with it any command inside.
 */
const harmless: ReadonlySet<string> = new Set(["echo", "false", "ls", "pwd", "seq", "sleep", "true"]);

/** Words of characters that mean nothing to a shell, or quoted so that they mean nothing. */
const plainWord = /(?:[\w./:,@%+-]|'[^'\p{Cc}]*')(?:[\w./:,@%+=-]|'[^'\p{Cc}]*')*/u.source;
const plainCommand = new RegExp(`^ *${plainWord}(?: +${plainWord})* *$`, "u");

export const policy: Policy = {
  version: "table-3",
  judge(plan: Plan): Verdict {
    const { tool, command, paths, fails } = plan;
    if (fails !== undefined) return allow("does-nothing", "it cannot be done, and only says so");
    if (tool === "process") return allow("own-process", "it concerns what this session has started");
    if (tool === "terminal" && command === undefined) return allow("closes-shell", "it ends what this session opened");
    if (paths !== undefined) return judgePaths(paths);
    if (command === undefined) return ask("no-command", `${tool} is not known to be harmless`);
    if (!plainCommand.test(command)) return ask("not-plain", "more than one plain command");
    const program = command.trim().split(" ")[0] ?? "";
    if (!harmless.has(program)) return ask("unknown-program", `${program} is not known to be harmless`);
    return allow("harmless-program", `${program} only lists, prints or waits`);
  },
};

/** What is in the project may be read, but for what is hidden there: that is where secrets are kept. */
function judgePaths(paths: readonly PlannedPath[]): Verdict {
  for (const { path, real, use, outside } of paths) {
    if (use === "write") return ask("changes-file", `it changes ${path}`);
    if (outside)
      return ask(
        "outside-project",
        `${path}${path === real ? "" : ` leads to ${real},`} is outside the session's folder`,
      );
    if (isHidden(path) || isHidden(real)) return ask("hidden-file", `${path} is hidden`);
  }
  return allow("reads-project", "it only reads what is in the session's folder");
}

function isHidden(path: string): boolean {
  return path.split("/").some((name) => name.startsWith(".") && name !== "." && name !== "..");
}

function allow(rule: string, reason: string): Verdict {
  return { verdict: "allow", rule, reason };
}

function ask(rule: string, reason: string): Verdict {
  return { verdict: "ask", rule, reason };
}
