import { enterLine, route, wantsTerminal } from "../adapters/shell/index.ts";
import type { InteractionRequest, Person } from "../core/index.ts";
import type { SessionHost } from "../runtime/index.ts";
import { plainLines, saidSystem } from "../show/index.ts";
import type { Errand, Surroundings } from "../slash/index.ts";
import { readSlash } from "../slash/index.ts";
import { enteredCommand } from "../tools/index.ts";

/** Who types in every play. */
export const player: Person = { name: "ada", adapter: "test" };

/** Where a line is typed. */
export type TypingPlace = {
  readonly host: SessionHost;
  readonly session: string;
  /** The question that is open. */
  readonly open: InteractionRequest | null;
  readonly around: Surroundings;
};

/** What came of a line: it answers the question that is open, or has been taken up and shows this. */
export type Entered =
  | { readonly type: "reply"; readonly line: string }
  | { readonly type: "taken"; readonly shown: string };

/** How lines are taken up. */
export type Typing = (line: string, place: TypingPlace) => Entered | Promise<Entered>;

/** As the shell takes them up: commands of its own, commands of the person, answers, and what is said to the model. */
export const shellTyping: Typing = async (line, { host, session, open, around }) => {
  // A question takes the line from where it is asked.
  if (open !== null && !isSlash(line)) return { type: "reply", line };
  const routed = route(line, { open, isCommand: (name) => isSlash(`/${name}`) });
  if (routed.type === "prompt") return { type: "taken", shown: say(routed.text, { host, session }) };
  const entering = {
    host,
    person: player,
    around,
    readCommand: enteredCommand,
    wantsTerminal,
    whyNotAttached: async () => null,
  };
  const { said, errand } = await enterLine(line, { session, open }, entering);
  return { type: "taken", shown: `${plainLines(said)}${errand === undefined ? "" : describeErrand(errand)}` };
};

/** As it is typed: a play looks at no files, so none is attached. */
function say(text: string, { host, session }: Pick<TypingPlace, "host" | "session">): string {
  const body = { type: "prompt", text, delivery: "now", entry: "typed", by: player, authority: "act" } as const;
  const { refusal } = host.submit(session, body);
  return refusal === null ? "" : plainLines(saidSystem(refusal.detail));
}

function isSlash(line: string): boolean {
  const read = readSlash(line);
  return read !== null && "command" in read && read.command.name !== "text";
}

/** What only a shell can do is told, and not done. */
function describeErrand(errand: Errand): string {
  switch (errand.type) {
    case "show":
      return plainLines(errand.said);
    case "open":
      return plainLines(saidSystem(`the shell opens session ${errand.session}`));
    case "child":
      return plainLines(saidSystem(`the shell runs ${errand.argv.join(" ")}`));
    case "pick":
      return plainLines(saidSystem(`the shell lets one of ${errand.sessions.length} sessions be picked`));
    case "begin":
      return plainLines(saidSystem("the shell begins a new session"));
    case "leave":
    case "clear":
      return plainLines(saidSystem(`the shell does this: ${errand.type}`));
    default:
      return errand satisfies never;
  }
}
