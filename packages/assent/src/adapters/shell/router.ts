import type { InteractionRequest } from "../../core/index.ts";
import { isBlank, readCommandLine } from "../../core/interaction/index.ts";

/** Where a typed line goes (ANS-0). What a reply or a prompt means, and whether it says stop, is the core's to find out. */
export type Routed =
  /** An empty line where nothing is asked. */
  | { readonly type: "nothing" }
  | { readonly type: "slash"; readonly line: string }
  /** Looks like a command, and is none. */
  | { readonly type: "unknown"; readonly name: string }
  | { readonly type: "command"; readonly command: string; readonly tty: boolean }
  | { readonly type: "reply"; readonly line: string }
  | { readonly type: "prompt"; readonly text: string };

export type Routing = {
  /** The question that is open. */
  readonly open: Pick<InteractionRequest, "sensitive"> | null;
  readonly isCommand: (name: string) => boolean;
};

/** The words of a person are never read for what they might mean: only how a line begins counts here (SEL-1). */
export function route(line: string, { open, isCommand }: Routing): Routed {
  if (open?.sensitive) return { type: "reply", line };
  const { name, rest = "" } = readCommandLine(line) ?? {};
  // What stands behind it is the answer, whatever it looks like, and the core reads it so; without any, its usage is told
  // and no attempt is lost.
  if (name === "text" && open !== null && !isBlank(rest)) return { type: "reply", line };
  if (name !== undefined && isCommand(name)) return { type: "slash", line };
  if (open !== null) return { type: "reply", line };
  if (name !== undefined) return { type: "unknown", name };
  if (line.startsWith("!")) return entered(line);
  return isBlank(line) ? { type: "nothing" } : { type: "prompt", text: line };
}

/** Two marks give a command the terminal for itself. */
function entered(line: string): Routed {
  const tty = line.startsWith("!!");
  const command = line.slice(tty ? 2 : 1).trim();
  return command === "" ? { type: "nothing" } : { type: "command", command, tty };
}
