import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { approvalDraft } from "../../src/core/interaction/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { jsonLines, Place, type Scripted, terminal } from "./product.ts";

type Request = { readonly interaction_id: string; readonly question: string; readonly subject: object };

const done: Scripted = { text: "Done." };

/** Runs until the question waits. */
function asked(place: Place): Request {
  const { status, stdout } = place.assent(["run", "--unattended=park", "go"]);
  expect(status).toBe(4);
  const [request] = jsonLines<Request>(stdout);
  if (request === undefined) throw new Error("nothing was asked");
  return request;
}

function answer(place: Place, { interaction_id: id }: Request, reply: string): number | null {
  expect(place.assent(["answer", id, reply]).status).toBe(0);
  return place.assent(["resume", id.split("-")[0] ?? ""]).status;
}

const lastMessage = (place: Place): string => place.requests().at(-1)?.request.messages.at(-1)?.text ?? "";

describe("an approval", () => {
  const command = "mkdir -p build && rm -rf build && echo x >> count && echo gone";

  verifies("APPR-5a", "waits, and after a yes runs the command, whose result goes to the agent", () => {
    const place = new Place([terminal(command), done]);
    const request = asked(place);
    expect(request).toMatchObject({
      question: `Approve command: ${command}? (yes/no)`,
      subject: { command: [command], cwd: place.folder },
    });
    expect(place.read("count")).toBe("");
    expect(answer(place, request, "yes")).toBe(0);
    expect(place.read("count")).toBe("x\n");
    expect(lastMessage(place)).toContain("gone");
  });

  verifies("APPR-5a", "runs nothing after a no, and tells the agent that, with the reason that was typed", () => {
    for (const [reply, told] of [
      ["no", /^not approved/],
      ["2", /^not approved/],
      ["keep the folder, please", /^not approved.*keep the folder, please/s],
    ] as const) {
      const place = new Place([terminal(command), done]);
      expect(answer(place, asked(place), reply)).toBe(3);
      expect(lastMessage(place)).toMatch(told);
      expect(place.read("count")).toBe("");
    }
  });

  verifies("APPR-5a", "is interrupted by an input that contains stop", () => {
    for (const reply of ["stop", "please stop it"]) {
      const place = new Place([terminal(command), done]);
      expect(answer(place, asked(place), reply)).toBe(130);
      expect(place.requests()).toHaveLength(1);
      expect(place.read("count")).toBe("");
    }
  });

  verifies(
    "APPR-5b",
    "has its question in one line that is never cut, with escapes, and the command as lines beside it",
    () => {
      const long = `rm -rf ${"folder-with-a-name ".repeat(400)}end`;
      const lines = "rm -rf a\nrm -rf 'b\tc'\n# \u202eend\u001b[2K";
      expect(asked(new Place([terminal(long), done])).question).toBe(`Approve command: ${long}? (yes/no)`);
      const place = new Place([terminal(lines), done]);
      const { question, subject } = asked(place);
      expect(question).toBe("Approve command: rm -rf a\\nrm -rf 'b\\tc'\\n# \\u{202e}end\\u{1b}[2K? (yes/no)");
      expect(subject).toEqual({ command: lines.split("\n"), cwd: place.folder });
    },
  );

  verifies("APPR-5c", "of a file change names the tool and the path, and shows the difference", () => {
    const write = {
      tool: "write_file",
      arguments: { path: ".github/workflows/ci.yml", content: "on: push\n" },
      id: "a",
    };
    const place = new Place([{ calls: [write] }, done]);
    const request = asked(place);
    expect(request.question).toBe("Approve command: write_file .github/workflows/ci.yml? (yes/no)");
    expect(request.subject).toMatchObject({ tool: "write_file", path: ".github/workflows/ci.yml", cwd: place.folder });
    expect(JSON.stringify(request.subject)).toContain("+on: push");
    expect(answer(place, request, "yes")).toBe(0);
    expect(place.read(".github/workflows/ci.yml")).toBe("on: push\n");
  });

  verifies("APPR-5c", "of any other tool names it with its arguments as compact JSON", () => {
    const more = { to: "prod\u200b", now: true };
    expect(approvalDraft({ tool: "deploy", cwd: "/project", more })).toEqual({
      question: 'Approve command: deploy {"to":"prod\\u{200b}","now":true}? (yes/no)',
      subject: { tool: "deploy", arguments: more, cwd: "/project" },
    });
  });
});

describe("what the policy wants to know", () => {
  type Event = { readonly type: string; readonly rule?: string; readonly verdict?: string; readonly facts?: object };

  verifies("APPR-1b", "is looked up before it judges, and recorded with the verdict", () => {
    const place = new Place([terminal("cat data/journal.db"), done]);
    mkdirSync(place.home, { recursive: true });
    symlinkSync(place.home, place.file("data"));
    const { status, stdout } = place.assent(["run", "--json", "go"]);
    const judged = jsonLines<Event>(stdout).find(({ type }) => type === "call.judged");
    expect(status).toBe(3);
    expect(judged).toMatchObject({ verdict: "ask", rule: "self-approval" });
    expect(JSON.stringify(judged?.facts)).toContain(join(place.home, "journal.db"));
  });

  test("a link to a secret is known as one", () => {
    const place = new Place([terminal("cat notes.txt"), done]);
    writeFileSync(place.file(".env"), "KEY=unmistakable\n");
    symlinkSync(".env", place.file("notes.txt"));
    expect(place.assent(["run", "go"]).status).toBe(3);
    expect(place.read("log")).not.toContain("unmistakable");
  });

  verifies("APPR-11", "what usually holds secrets does not reach the model before a person said yes", () => {
    const read = { tool: "read_file", arguments: { path: ".env" }, id: "a" };
    for (const reply of [{ calls: [read] }, terminal("cat .env"), terminal("cat < .env"), terminal("grep KEY .env")]) {
      const place = new Place([reply, done]);
      writeFileSync(place.file(".env"), "KEY=unmistakable\n");
      const request = asked(place);
      expect(place.read("log")).not.toContain("unmistakable");
      expect(answer(place, request, "yes")).toBe(0);
      expect(place.read("log")).toContain("unmistakable");
    }
  });
});
