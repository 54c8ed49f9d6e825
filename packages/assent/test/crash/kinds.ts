import type { ScriptEntry, ScriptedCall } from "../../src/testing/index.ts";

/** What the model says when a request holds nothing later than the turn before; `tooLong`: first it does not fit. */
export type Reply = ScriptEntry & { readonly tooLong?: true };

/** One session: its prompt, what the model replies turn by turn, and what people answer, by what they are asked for. */
export type Story = {
  readonly prompt: string;
  readonly replies: readonly Reply[];
  readonly answers?: Readonly<Record<string, string>>;
  readonly outcomes: readonly string[];
};

/** How sessions of one kind are played. */
export type Kind = {
  readonly name: string;
  /** Who plays it: commands one after the other, a person at a terminal, or a server that is spoken to over HTTP. */
  readonly surface: "commands" | "terminal" | "server";
  readonly stories: readonly Story[];
  /** Of `assent run`. */
  readonly flags?: readonly string[];
  /** In the place of `assent run`. */
  readonly begins?: readonly string[];
  /** Somebody stops it once its command runs. */
  readonly stops?: true;
  /** How many rules are saved by it. */
  readonly saves?: number;
};

/** Found again in every request that comes after its turn, also when the history has become a summary. */
export function mark(turn: number, nth = 0): string {
  return `turn${turn}_${nth}`;
}

/** Leaves a byte for each time that it ran. */
const run = (file: string) => `printf x >> ran/${file}`;
/** The same, and it is asked about. */
const asked = (file: string) => `rm -rf none; ${run(file)}`;

type Unmarked = Omit<ScriptedCall, "id">;

function terminal(command: string, more: Readonly<Record<string, boolean>> = {}): Unmarked {
  return { tool: "terminal", arguments: { command, ...more } };
}

const done = "All is done.";
const steps = [
  { key: "env", instruction: "Which environment?", options: ["Staging", "Production"] },
  { key: "region", instruction: "Which region?", options: ["EU", "US"] },
];
/** Of a flow that no model sees. */
export const secretFlow = {
  steps: [steps[0], { key: "token", instruction: "What is the token?", sensitive: true }, steps[1]],
};
export const secret = "hunter2-of-the-campaign";

/** Replies with these calls, one turn each, then a text. */
function turns(...calls: readonly (readonly Unmarked[])[]): readonly Reply[] {
  const marked = (turn: number) => (call: Unmarked, nth: number) => ({ ...call, id: mark(turn, nth) });
  return [...calls.map((each, index) => ({ calls: each.map(marked(index + 1)) })), { text: done }];
}

const answered = { prompt: "Do as the story says.", outcomes: ["answered"] };
const agentic: Unmarked = { tool: "agentic", arguments: { user_prompt: answered.prompt, objective: "All of it" } };
const complete: Unmarked = { tool: "complete", arguments: { result: done, status: "success" } };
const ask: Unmarked = { tool: "ask", arguments: { question: "Which colour?", options: ["Red", "Green"] } };

function commands(name: string, replies: readonly Reply[], more: Partial<Kind & Story> = {}): Kind {
  const { answers, outcomes, ...kind } = more;
  const story = { ...answered, replies, ...(answers && { answers }), ...(outcomes && { outcomes }) };
  return { name, surface: "commands", stories: [story], ...kind };
}

const approval = (answers: Readonly<Record<string, string>>) => ({ answers });

/** All that a session can be in the middle of. */
export const kinds: readonly Kind[] = [
  commands("calls", turns([terminal(run("a"))], [terminal(run("b")), terminal(run("c"))])),
  commands(
    "parallel",
    turns([
      { tool: "read_file", arguments: { path: "notes.txt" } },
      { tool: "list_files", arguments: { path: "." } },
      { tool: "search_files", arguments: { pattern: "note", path: "." } },
      terminal(run("a")),
    ]),
  ),
  commands("approved", turns([terminal(asked("a"))], [terminal(run("b"))]), approval({ approval: "1" })),
  commands("refused", turns([terminal(asked("a"))], [terminal(run("b"))]), approval({ approval: "2" })),
  commands("session grant", turns([terminal(asked("a"))], [terminal(asked("a"))]), approval({ approval: "3" })),
  commands("project grant", turns([terminal(asked("a"))], [terminal(asked("a"))]), {
    ...approval({ approval: "4", grant: "1" }),
    saves: 1,
  }),
  commands("question", turns([ask], [terminal(run("a"))]), { answers: { question: "2" } }),
  commands("flow", turns([{ tool: "flow", arguments: { steps } }], [terminal(run("a"))]), {
    answers: { "flow env": "1", "flow region": "2", "flow @confirm": "1" },
  }),
  commands("secret flow", [], {
    begins: ["flow", "flow.json"],
    answers: { "flow env": "1", "flow token": secret, "flow region": "2", "flow @confirm": "1" },
  }),
  commands("run", turns([agentic], [terminal(run("a"))], [terminal(run("b"))], [complete]), {
    outcomes: ["completed"],
  }),
  commands("iteration limit", turns([agentic], [terminal(run("a"))], [terminal(run("b"))]), {
    flags: ["--max-iterations", "2"],
    outcomes: ["iteration-limit"],
  }),
  commands("turn limit", turns([terminal(run("a"))], [terminal(run("b"))], [terminal(run("c"))]), {
    flags: ["--max-turns", "2"],
    answers: { "turn-limit": "1" },
  }),
  commands("turn limit held", turns([terminal(run("a"))], [terminal(run("b"))]), {
    flags: ["--max-turns", "1"],
    answers: { "turn-limit": "2" },
    outcomes: ["turn-limit"],
  }),
  commands("stop", turns([terminal(`${run("a")}; sleep 4; ${run("b")}`)]), {
    stops: true,
    // Killed before it could be stopped, it goes on without the command.
    outcomes: ["stopped", "answered"],
  }),
  commands(
    "background",
    turns(
      [terminal(`(sleep 0.3; ${run("b")}) & ${run("a")}`, { persistent: true })],
      [terminal(run("c"), { persistent: true })],
      [{ tool: "terminal", arguments: { close: true } }],
    ),
  ),
  commands("summary", [
    ...turns([terminal(run("a"))], [terminal(run("b"))]).slice(0, -1),
    { text: done, tooLong: true },
  ]),
  {
    name: "terminal",
    surface: "terminal",
    stories: [
      { ...answered, replies: turns([terminal(asked("a"))], [ask]), answers: { approval: "1", question: "1" } },
    ],
  },
  {
    name: "server",
    surface: "server",
    stories: [
      {
        ...{ prompt: "The first story.", outcomes: ["answered"] },
        replies: turns([terminal(asked("a"))], [terminal(run("b"))]),
        answers: { approval: "1" },
      },
      {
        ...{ prompt: "The other story.", outcomes: ["answered"] },
        replies: turns([terminal(run("c"))], [ask]),
        answers: { question: "2" },
      },
    ],
  },
];
