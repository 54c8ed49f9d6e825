import type { Plan, PlannedPath, Policy, Verdict } from "../../src/policy/index.ts";

/**
 * A policy for tests of what asks and waits, not of what is asked about: one plain command of a program that can only list,
 * print or wait is allowed, everything else asks.
 */
const harmless: ReadonlySet<string> = new Set(["echo", "false", "ls", "pwd", "seq", "sleep", "true"]);

/** Words of characters that mean nothing to a shell, or quoted so that they mean nothing. */
const plainWord = /(?:[\w./:,@%+-]|'[^'\p{Cc}]*')(?:[\w./:,@%+=-]|'[^'\p{Cc}]*')*/u.source;
const plainCommand = new RegExp(`^ *${plainWord}(?: +${plainWord})* *$`, "u");

export const policy: Policy = {
  version: "table-5",
  judge(plan: Plan): Verdict {
    const { tool, command, paths, fails } = plan;
    if (fails !== undefined) return allow("does-nothing", "it cannot be done, and only says so");
    if (tool === "process") return allow("own-process", "it concerns what this session has started");
    if (tool === "terminal" && command === undefined) return allow("closes-shell", "it ends what this session opened");
    if (paths !== undefined) return judgePaths(paths);
    if (command === undefined) return ask("no-command", `${tool} is not known to be harmless`);
    // What a name means there, a command before may have changed.
    if (isInShell(plan))
      return ask("persistent-shell", "the persistent shell may have given its names another meaning");
    if (!plainCommand.test(command)) return ask("not-plain", "more than one plain command");
    const program = command.trim().split(" ")[0] ?? "";
    if (!harmless.has(program)) return ask("unknown-program", `${program} is not known to be harmless`);
    return allow("harmless-program", `${program} only lists, prints or waits`);
  },
};

/** What is in the project may be read, but for what is hidden there: that is where secrets are kept. */
function judgePaths(paths: readonly PlannedPath[]): Verdict {
  const verdicts = paths.map(judgePath);
  const none = allow("reads-project", "it only reads what is in the session's folder");
  return verdicts.find(({ verdict }) => verdict === "ask") ?? verdicts[0] ?? none;
}

function judgePath({ path, real, use, outside, self, own }: PlannedPath): Verdict {
  const named = outside && path !== real ? `${path}, that is ${real},` : path;
  if (own === "output") return allow("own-output", "it only reads what a command of this session wrote");
  if (self) return ask("assents-own", `${named} is Assent's own`);
  if (use === "write" && outside) return ask("changes-outside", `it changes ${named} outside the session's folder`);
  if (use === "write") return ask("changes-file", `it changes ${path}`);
  if (outside) return ask("outside-project", `${named} is outside the session's folder`);
  if (isHidden(path) || isHidden(real)) return ask("hidden-file", `${path} is hidden`);
  return allow("reads-project", "it only reads what is in the session's folder");
}

function isInShell({ more }: Plan): boolean {
  return typeof more === "object" && more !== null && "persistent" in more && more["persistent"] === true;
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
