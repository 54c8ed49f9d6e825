import type { Created } from "../../runtime/index.ts";
import type { Said } from "../../show/index.ts";
import type { Entering } from "./entering.ts";
import type { Guiding } from "./guide.ts";
import type { Markdown } from "./markdown.ts";
import type { Look } from "./style.ts";
import type { Terminal } from "./terminal.ts";
import type { TypedLines } from "./typed-lines.ts";

/** What a shell is given by whoever starts it. */
export type ShellOptions = Entering & {
  readonly terminal: Terminal;
  /** What shows the agent's texts; where it is not there yet, it is loaded before the first of them. */
  readonly markdown: Markdown | null;
  readonly look: Omit<Look, "columns">;
  readonly session: string;
  /** Whether the session was there before. */
  readonly earlier: boolean;
  readonly welcome: readonly Said[];
  /** Stands in the line at the start, to be sent with Enter. */
  readonly prefill: string;
  readonly typed: TypedLines;
  readonly guide?: Guiding;
  readonly readOnly: boolean;
  /** A new session, as `/new` wants one. */
  readonly begin: () => Created;
};

/** How a shell is left while a question waits (CLI-2). */
export const parked = 4;
