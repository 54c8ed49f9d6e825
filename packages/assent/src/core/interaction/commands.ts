/** The commands of the shell, with which a typed line there may begin; their names are exact (ANS-10). */
export const shellCommands: readonly string[] = [
  "audit",
  "clear",
  "compact",
  "context",
  "demo",
  "doctor",
  "exit",
  "export",
  "flow",
  "fork",
  "grants",
  "help",
  "history",
  "integrations",
  "keep",
  "mcp",
  "model",
  "new",
  "policy",
  "queue",
  "quit",
  "rename",
  "resume",
  "sessions",
  "status",
  "stop",
  "text",
  "tools",
  "turn-limit",
];

/** A command of the shell as it was typed. */
export type TypedCommand = { readonly name: string; readonly rest: string };

/** A line as a registered command, or `null`: then it is a reply like any other. */
export function readCommand(line: string, registered: readonly string[]): TypedCommand | null {
  if (!line.startsWith("/")) return null;
  const [name = ""] = line.slice(1).split(" ", 1);
  return registered.includes(name) ? { name, rest: line.slice(name.length + 2) } : null;
}

/** A name, or `<server>:<prompt>` for what a server offers; then a blank, and anything. */
const commandLine = /^\/([a-z][a-z0-9-]*|[a-z0-9][a-z0-9-]*:[A-Za-z0-9_][\w.-]*)(?:\s([\s\S]*))?$/;

/** A line that looks like a command, whether there is one of that name or not; `null` where it does not. */
export function readCommandLine(line: string): TypedCommand | null {
  const [, name, rest = ""] = commandLine.exec(line) ?? [];
  return name === undefined ? null : { name, rest };
}
