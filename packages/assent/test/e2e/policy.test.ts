import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { rules } from "../../src/policy/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { jsonLines, needsTerminal, noTerminal, Place, type Scripted, terminal, until } from "./product.ts";

describe("assent policy explain", () => {
  verifies("APPR-8a", "prints the verdict, the rule, the reason, the part, and what really runs", () => {
    const place = new Place([]);
    const explain = (...argv: readonly string[]) => place.assent(["policy", "explain", ...argv]).stdout;
    expect(explain("ls && x=rm && $x -rf build")).toBe(
      [
        "ask: it deletes folders with all that is in them (rm -r) (delete-recursive)",
        "  delete: it deletes folders with all that is in them (rm -r) (delete-recursive)",
        "    part: $x -rf build",
        "    runs: rm -rf build",
        "",
      ].join("\n"),
    );
    expect(explain("ls -la")).toBe("allow: nothing in it needs a person (nothing-found)\n");
    expect(explain("r\u200bm x")).toContain("\\u{200b}");
    expect(JSON.parse(explain("--json", "curl https://example.com"))).toMatchObject({
      ...{ verdict: "ask", rule: "network-host", reason: "it connects to https://example.com" },
      findings: [{ category: "network", span: { start: 5, end: 24 } }],
      grantable: { match: "exact", display: "curl https://example.com", categories: ["network"] },
    });
  });

  test("judges for another folder and another home", () => {
    const place = new Place([]);
    const explain = (...argv: readonly string[]) => place.assent(["policy", "explain", ...argv]).stdout;
    expect(explain("touch motd")).toMatch(/^allow/);
    expect(explain("--cwd", "/etc", "touch motd")).toMatch(/^ask: .*\(overwrite-system\)/);
    expect(explain("--home", "/home/ada", "touch /home/ada/.bashrc")).toMatch(/^ask: .*\(overwrite-startup\)/);
  });

  test("knows where Assent keeps its own", () => {
    const place = new Place([]);
    const { stdout } = place.assent(["policy", "explain", "--json", `cat ${place.home}/journal.db`]);
    expect(JSON.parse(stdout)).toMatchObject({ verdict: "ask", rule: "self-approval", grantable: null });
  });

  verifies("APPR-10b", "knows where Assent keeps its own behind a link, by each of its paths", () => {
    const place = new Place([]);
    symlinkSync(place.home, place.file("link"));
    place.env["ASSENT_HOME"] = place.file("link");
    for (const home of [place.home, place.file("link"), "$ASSENT_HOME"]) {
      const { stdout } = place.assent(["policy", "explain", "--json", `cp x.json ${home}/grants/x.json`]);
      expect(JSON.parse(stdout)).toMatchObject({ verdict: "ask", rule: "self-approval", grantable: null });
    }
  });

  test("takes the rules that people have written into account, and asks about everything while they cannot be read", () => {
    const place = new Place([]);
    const explain = (command: string) => place.assent(["policy", "explain", command]).stdout;
    const examples = { match: ["npm run deploy"], differ: ["npm test"] };
    const rule = {
      name: "no-deploy",
      command: ["npm", "run", "deploy"],
      verdict: "deny",
      reason: "not today",
      examples,
    };
    mkdirSync(place.file(".assent"));
    writeFileSync(place.file(".assent/policy.json"), JSON.stringify({ rules: [rule] }));
    expect(explain("npm run deploy")).toBe("deny: not today (no-deploy)\n");
    expect(explain("npm test")).toMatch(/^allow/);
    for (const broken of ["{", JSON.stringify({ rules: [{ ...rule, verdict: "allow" }] })]) {
      writeFileSync(place.file(".assent/policy.json"), broken);
      expect(explain("npm test")).toMatch(/^ask: .*policy\.json cannot be read: .*everything asks \(policy-file\)\n/);
    }
    rmSync(place.file(".assent"), { recursive: true });
    symlinkSync(".assent", place.file(".assent"));
    expect(explain("npm test")).toMatch(/^ask: .*policy\.json cannot be read: .*everything asks \(policy-file\)\n/);
    // Below what is no folder there are no rules.
    rmSync(place.file(".assent"));
    writeFileSync(place.file(".assent"), "");
    expect(explain("npm test")).toMatch(/^allow/);
  });
});

describe("assent policy check", () => {
  type Checked = { readonly needs_approval: boolean; readonly verdict: string; readonly rule: string; reason: string };

  verifies("APPR-8b", "answers every line before the next one is sent, also one that it cannot read", async () => {
    const check = new Place([]).start(["policy", "check"]);
    const ask = async (line: string): Promise<Checked> => {
      const before = check.output.length;
      check.type(`${line}\n`);
      const seen = () => check.output.slice(before);
      await until("the line is answered", () => seen().endsWith("\n") || undefined, seen);
      return JSON.parse(seen());
    };
    const cwd = "/home/dev/project";
    expect(await ask(JSON.stringify({ command: "rm -rf build", cwd }))).toEqual({
      ...{ needs_approval: true, verdict: "ask", rule: "delete-recursive" },
      reason: "it deletes folders with all that is in them (rm -r)",
      findings: [expect.objectContaining({ category: "delete", span: { start: 0, end: 12 } })],
    });
    expect(await ask(JSON.stringify({ command: "ls", cwd }))).toEqual({
      ...{ needs_approval: false, verdict: "allow", rule: "nothing-found" },
      ...{ reason: "nothing in it needs a person", findings: [] },
    });
    for (const broken of ["{", "[]", '"ls"', '{"command":"ls"}', '{"command":1,"cwd":"/"}']) {
      expect(await ask(broken)).toMatchObject({ needs_approval: true, verdict: "ask", rule: "not-read" });
    }
    const bashrc = { command: "touch /srv/ada/.bashrc", cwd };
    expect(await ask(JSON.stringify(bashrc))).toMatchObject({ needs_approval: false });
    expect(await ask(JSON.stringify({ ...bashrc, home: "/srv/ada" }))).toMatchObject({ rule: "overwrite-startup" });
    check.endInput();
    expect(await check.ended).toBe(0);
  });

  test("answers a last line without an end, and as many lines as come", () => {
    const lines = Array.from({ length: 500 }, (_, index) =>
      JSON.stringify({ command: index % 2 === 0 ? "ls" : "sudo ls", cwd: "/home/dev/project" }),
    );
    const { status, stdout } = new Place([]).assent(["policy", "check"], lines.join("\n"));
    expect(status).toBe(0);
    expect(jsonLines<Checked>(stdout).map(({ verdict }) => verdict)).toEqual(
      lines.map((_, index) => (index % 2 === 0 ? "allow" : "ask")),
    );
  });
});

verifies("APPR-8c", "assent policy rules prints every rule with its examples", () => {
  const place = new Place([]);
  const printed = jsonLines(place.assent(["policy", "rules", "--json"]).stdout);
  expect(printed).toEqual(Object.entries(rules).map(([name, rule]) => ({ name, ...rule })));
  const { stdout } = place.assent(["policy", "rules"]);
  expect(stdout).toContain("delete-recursive: deletes a folder with everything in it\n  asks    rm -rf build\n");
});

const dangerous = "mkdir -p build && rm -rf build && echo x >> count";

/** The same command at each prompt. */
function repeated(times: number, command = dangerous): readonly Scripted[] {
  return Array.from({ length: times }, () => [terminal(command), { text: "Done." }]).flat();
}

/** Runs until a question waits, answers it, and goes on; without an answer the question is a mistake. */
function runAnswering(place: Place, argv: readonly string[], replies: readonly string[]): number | null {
  let { status } = place.assent(["run", "--unattended=park", ...argv, "go"]);
  for (const reply of replies) {
    expect(status).toBe(4);
    const [waiting] = place.pending();
    const id = waiting?.request.interaction_id ?? "";
    expect(place.assent(["answer", id, reply]).status).toBe(0);
    status = place.assent(["resume", "--unattended=park", waiting?.session ?? ""]).status;
  }
  return status;
}

describe("a person who is asked", () => {
  test("says yes for the session: the same command is not asked about again there, but in another session", () => {
    const place = new Place(repeated(2));
    expect(runAnswering(place, [], ["3"])).toBe(0);
    const session = place.sessions()[0]?.session ?? "";
    expect(runAnswering(place, ["--session", session], [])).toBe(0);
    expect(place.read("count")).toBe("x\nx\n");
    expect(place.assent(["run", "--unattended=park", "go"]).status).toBe(4);
  });

  test("says yes for the session, and one that does more is asked about", () => {
    const place = new Place([...repeated(1), ...repeated(1, `${dangerous} > out`)]);
    expect(runAnswering(place, [], ["3"])).toBe(0);
    const session = place.sessions()[0]?.session ?? "";
    expect(runAnswering(place, ["--session", session], ["2"])).toBe(3);
  });

  verifies(
    "APPR-7i",
    "says always in this project, confirms the rule, and is asked elsewhere or once it is revoked",
    () => {
      const place = new Place(repeated(1));
      const asked = place.assent(["run", "--unattended=park", "go"]);
      expect(asked.status).toBe(4);
      const first = place.pending()[0]?.request.interaction_id ?? "";
      expect(place.assent(["answer", first, "4"]).status).toBe(0);
      const { session = "" } = place.sessions()[0] ?? {};
      const confirming = jsonLines<{ question: string; subject: object }>(
        place.assent(["resume", "--unattended=park", session]).stdout,
      )[0];
      expect(confirming?.question).toBe(`Save this rule: always allow ${dangerous} in this project? (yes/no)`);
      expect(confirming?.subject).toMatchObject({ command: [dangerous], match: "exact", scope: "project" });
      expect(place.read("count")).toBe("");
      expect(place.assent(["answer", place.pending()[0]?.request.interaction_id ?? "", "yes"]).status).toBe(0);
      expect(place.assent(["resume", session])).toMatchObject({ status: 0, stdout: "Done.\n" });
      expect(place.read("count")).toBe("x\n");
      expect(place.assent(["run", "go"])).toMatchObject({ status: 0, stdout: "Done.\n" });
      expect(place.read("count")).toBe("x\nx\n");
      const other = place.file("other");
      mkdirSync(other);
      expect(place.assent(["run", "--cwd", other, "go"]).status).toBe(3);
      expect(existsSync(join(other, "count"))).toBe(false);
      const [grant] = jsonLines<{ id: string }>(place.assent(["policy", "grants", "--json"]).stdout);
      expect(place.assent(["policy", "grants", "revoke", grant?.id ?? ""]).status).toBe(0);
      expect(place.assent(["run", "go"]).status).toBe(3);
      expect(place.read("count")).toBe("x\nx\n");
    },
  );

  test("is not offered more than yes and no where nothing can be granted", () => {
    const place = new Place(repeated(1, "rm -rf ~"));
    const { stdout } = place.assent(["run", "--unattended=park", "go"]);
    const [request] = jsonLines<{ options: readonly { id: string }[] }>(stdout);
    expect(request?.options.map(({ id }) => id)).toEqual(["yes", "no"]);
  });
});

test("with nobody to ask, what needs a person is refused and the model is told, and the rest runs", () => {
  const place = new Place([terminal("echo free >> count"), ...repeated(1)]);
  expect(place.assent(["run", "go"])).toMatchObject({ status: 3, stdout: "Done.\n" });
  expect(place.requests()[2]?.request.messages.at(-1)?.text).toBe("not approved: nobody-to-answer");
  expect(place.read("count")).toBe("free\n");
});

describe.skipIf(noTerminal)(`on a terminal${needsTerminal}`, () => {
  verifies(
    "APPR-6b",
    "the question shows with carets what it is about, what really runs, and hidden characters",
    async () => {
      const place = new Place(repeated(1, "ls && x=rm && $x -rf build\u200b"));
      const run = place.startInTerminal(["run", "go"]);
      await run.shows("2) No");
      const [request] = place.pending();
      expect(request?.request).toMatchObject({
        question: "Approve command: ls && x=rm && $x -rf build\\u{200b}? (yes/no)",
      });
      expect(run.output).toContain("ls && x=rm && $x -rf build\\u{200b}\n");
      expect(run.output).toMatch(/\^{18,}/);
      expect(run.output).toContain("rm -rf build\\u{200b}");
      expect(run.output).not.toContain("\u200b");
      await run.answer("2");
      expect(await run.ended).toBe(3);
    },
  );

  test("yes for the session is typed as 3, and the same is not asked about again", async () => {
    const place = new Place([terminal(dangerous), terminal(dangerous, "call_B"), { text: "Done." }]);
    const run = place.startInTerminal(["run", "go"]);
    await run.shows("3) Yes for this session");
    await run.answer("3");
    expect(await run.ended).toBe(0);
    expect(place.read("count")).toBe("x\nx\n");
    expect(run.output.split("3) Yes for this session")).toHaveLength(2);
  });
});
