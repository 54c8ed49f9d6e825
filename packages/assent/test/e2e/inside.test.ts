import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { needsTerminal, noTerminal, Place, type Ran, type Scripted, terminal } from "./product.ts";

/** Asked about by any policy. */
const asking = [terminal("rm -rf kept"), { text: "Done." }];

function isKept(place: Place): boolean {
  return existsSync(place.file("kept"));
}

/** A place where a question waits, and an agent whose one command a person has allowed. */
class Inside extends Place {
  readonly waiting: string;

  constructor() {
    super(asking);
    mkdirSync(this.file("kept"));
    this.assent(["run", "--unattended=park", "go"]);
    this.waiting = this.pending()[0]?.request.interaction_id ?? "";
  }

  model(name: string, replies: readonly Scripted[]): string {
    writeFileSync(this.file(name), replies.map((reply) => JSON.stringify(reply)).join("\n"));
    return `scripted:${this.file(name)}`;
  }

  /** Lets the agent run these lines, each in turn; what they say, with the exit code of each. */
  agent(lines: readonly string[]): string {
    const script = lines.map((line) => `${line} </dev/null; echo "exit $?"`).join("\n");
    const model = this.model("agent.jsonl", [terminal(script), { text: "Tried." }]);
    this.assent(["run", "--unattended=park", "--model", model, "go"]);
    const own = this.pending().find(({ request }) => request.interaction_id !== this.waiting);
    if (own !== undefined) {
      this.assent(["answer", own.request.interaction_id, "yes"]);
      this.assent(["resume", own.session]);
    }
    return this.requests().at(-1)?.request.messages.at(-1)?.text ?? "";
  }
}

const refusal = "assent: a command that an agent runs cannot answer for a person\n";

describe("a command of an agent", () => {
  verifies("APPR-10a", "cannot answer a question, however it hides where it comes from", () => {
    const place = new Inside();
    const answer = place.line("answer", place.waiting, "1");
    const bare = `env -i ASSENT_HOME='${place.home}' ${answer}`;
    const said = place.agent([
      ...[answer, `env -u ASSENT_RUN ${answer}`, bare, `nohup ${answer}`, `setsid -w ${answer}`, `setsid -w ${bare}`],
      // Its parent is gone, but it carries the marker itself.
      `(setsid ${answer} >'${place.file("orphan")}' 2>&1 &); for n in {1..100}; do [ -s '${place.file("orphan")}' ] && break; sleep 0.1; done; cat '${place.file("orphan")}'; false`,
      `bash -c 'unset ASSENT_RUN; ${bare.replaceAll("'", "'\\''")}; exit $?'`,
    ]);
    expect(said.match(/exit \d+/g)).toEqual([
      "exit 3",
      "exit 3",
      "exit 3",
      "exit 3",
      "exit 3",
      "exit 3",
      "exit 1",
      "exit 3",
    ]);
    expect(said.split(refusal.trim())).toHaveLength(9);
    expect(place.pending().map(({ request }) => request.interaction_id)).toEqual([place.waiting]);
    expect(isKept(place)).toBe(true);
  });

  const others: readonly (readonly [string, (session: string) => readonly string[]])[] = [
    ["answer for a person", (session) => ["answer", `${session}-1`, "1"]],
    ["answer for a person", () => ["answer", "-"]],
    ["stop a session", (session) => ["stop", session]],
    ["go on with a session", (session) => ["resume", session]],
    ["go on with a session", (session) => ["run", "--session", session, "--max-turns", "unlimited", "go"]],
    ["go on with a session", () => ["run", "--continue", "go"]],
    ["fork a session", (session) => ["fork", session]],
    ["delete a session", (session) => ["sessions", "delete", session]],
  ];

  verifies("APPR-10a", "cannot act on a session in the name of a person", () => {
    const place = new Place(asking);
    place.assent(["run", "--unattended=park", "go"]);
    const before = place.sessions();
    const session = before[0]?.session ?? "";
    const inside = (argv: readonly string[]): Ran => place.assent(argv, "", ["env", "ASSENT_RUN=a/b"]);
    const told = others.map(([, argv]) => inside(argv(session)));
    expect(told).toEqual(
      others.map(([what]) => ({
        status: 3,
        stdout: "",
        stderr: `assent: a command that an agent runs cannot ${what}\n`,
      })),
    );
    // Nor can what an outside server starts.
    expect(place.assent(["stop", session], "", ["env", "ASSENT_SERVER=x"]).status).toBe(3);
    expect(place.sessions()).toEqual(before);
    expect(inside(["pending", "--json"]).stdout).toContain(`${session}-1`);
  });

  test("may start an agent of its own, whose questions nobody answers", () => {
    const place = new Place(asking);
    mkdirSync(place.file("kept"));
    const ran = place.assent(["run", "go"], "1\n1\n", ["env", "ASSENT_RUN=a/b"]);
    expect(ran.status).toBe(3);
    expect(isKept(place)).toBe(true);
  });
});

describe.skipIf(noTerminal)(`on a terminal that an agent has made${needsTerminal}`, () => {
  verifies("APPR-10a", "nobody is asked", async () => {
    const place = new Place(asking);
    mkdirSync(place.file("kept"));
    place.env["ASSENT_RUN"] = "a/b";
    const run = place.startInTerminal(["run", "go"]);
    run.type("1\n");
    expect(await run.ended).toBe(3);
    expect(isKept(place)).toBe(true);
  });
});
