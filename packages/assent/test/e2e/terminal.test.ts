import { chmodSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { counting, jsonLines, needsTerminal, noTerminal, type Scripted, until } from "./product.ts";
import { call, filesUnder, kept, once, processes, TerminalPlace } from "./terminal-product.ts";

const done = { text: "Done." };
/** Time enough to kill the product before the model says more. */
const slow = { text: "Late.", delay_ms: 120_000 };

/** A place with a folder `sub`. */
function placeWith(replies: readonly Scripted[]): TerminalPlace {
  const place = new TerminalPlace(replies);
  mkdirSync(place.file("sub"));
  return place;
}

/** The script, but for what made it wait. */
function goesOn(place: TerminalPlace, replies: readonly Scripted[]): string {
  const file = place.file("more.jsonl");
  writeFileSync(file, replies.map((reply) => JSON.stringify(reply)).join("\n"));
  return `scripted:${file}`;
}

async function requestsOut(place: TerminalPlace, many: number): Promise<void> {
  await until(`request ${many} is out`, () => (place.requests().length >= many ? true : undefined));
}

describe.skipIf(noTerminal)(`the persistent shell${needsTerminal}`, () => {
  verifies(["TERM-1", "TERM-2"], "keeps folder, variables and functions until it is closed", async () => {
    const place = placeWith([
      kept('cd sub; export A=1; B=2; f() { echo "f $1"; }'),
      kept('pwd; echo "$A$B"; f x'),
      once("echo beside"),
      call({ command: "ls", close: true }),
      call({}),
      call({ close: true }),
      call({ close: true }),
      once("echo alone"),
      done,
    ]);
    const run = place.startInTerminal(["run", "go"]);
    expect(await run.ended).toBe(0);
    const sub = realpathSync(place.file("sub"));
    const [first, second, beside, closed, none, alone] = place.results();
    expect(first).toMatchObject({ type: "output", exit: 0, cwd: sub });
    expect(first?.text).toContain(`[a persistent shell was opened in ${dirname(sub)}]`);
    expect(second).toMatchObject({ type: "output", text: `${sub}\n12\nf x\n`, exit: 0, cwd: sub });
    expect(beside).toMatchObject({ type: "error" });
    expect(beside?.text).toBe(
      `a persistent shell is open in ${sub}: send the command with persistent: true to run it there, or close: true first`,
    );
    expect(closed?.text.split("\n")[0]).toBe(`the persistent shell is closed; it was in ${sub}`);
    expect(none?.text).toBe("no persistent shell is open; there is nothing to close");
    expect(alone).toMatchObject({ type: "output", text: "alone\n", exit: 0 });
    expect(place.eventsOf("call.invalid").map(({ reason }) => reason)).toEqual([
      "command and close exclude each other: run the command first, then close",
      "expected a command, or close: true to close the persistent shell",
    ]);
    expect(place.eventsOf("terminal.opened")).toMatchObject([{ cwd: dirname(sub) }]);
    expect(place.eventsOf("terminal.closed")).toMatchObject([{ cwd: sub }]);
  });

  verifies("TERM-7", "that ends itself is told, and the next call opens one where it was", async () => {
    const ways = ["cd sub; exit 3", "exec true", "kill -9 $$", "mkdir gone; cd gone; rmdir ../gone"];
    const place = placeWith([...ways.flatMap((way) => [kept(way), kept("pwd")]), done]);
    const run = place.startInTerminal(["run", "go"]);
    expect(await run.ended).toBe(0);
    const sub = realpathSync(place.file("sub"));
    const results = place.results();
    for (const [nth, end] of [{ exit: 3 }, { exit: 0 }, { signal: "SIGKILL" }].entries()) {
      expect(results[2 * nth]).toMatchObject(end);
      expect(results[2 * nth]?.text).toContain(
        `[the persistent shell has ended; with the next command a new one opens in ${sub},`,
      );
      expect(results[2 * nth + 1]?.text).toContain(`${sub}\n[a new persistent shell was opened in ${sub}, without`);
    }
    expect(results[6]?.text).toContain(`[the shell's folder ${join(sub, "gone")} is gone; it went to ${dirname(sub)}]`);
    expect(results[7]?.text).toBe(`${dirname(sub)}\n`);
  });

  verifies(
    "TERM-4",
    "goes with a command whose time is over, nothing of which runs on, and opens anew where it was",
    async () => {
      const place = placeWith([
        kept("cd sub; A=kept"),
        call({ command: "sleep 300 | cat; touch never", persistent: true, timeout_s: 1 }),
        kept("echo [$A] $PWD; ls"),
        done,
      ]);
      const run = place.startInTerminal(["run", "go"]);
      expect(await run.ended).toBe(0);
      const [, over, after] = place.results();
      expect(over?.type).toBe("error");
      expect(over?.text).toMatch(/\[timed out after 1 s\]\n\[killed: .*sleep \(\d+\)/);
      const sub = realpathSync(place.file("sub"));
      expect(after?.text).toBe(
        `[] ${sub}\n[a new persistent shell was opened in ${sub}, without the variables and functions of the one before]`,
      );
      await place.nothingRuns();
    },
  );

  verifies("TERM-7", "that died with its process opens anew in the folder where it was", async () => {
    const opens = { calls: [{ tool: "agentic", arguments: { user_prompt: "go", objective: "get there" } }] };
    const ends = { calls: [{ tool: "complete", arguments: { result: "there", status: "success" } }] };
    const first = kept("cd sub; A=lost");
    const place = placeWith([opens, first, slow]);
    place.startInTerminal(["run", "go"]);
    await requestsOut(place, 3);
    await place.killHolder();
    const model = goesOn(place, [opens, first, kept("pwd"), ends]);
    const resumed = place.startInTerminal(["resume", "--model", model, place.sessionId()]);
    expect(await resumed.ended).toBe(0);
    const sub = realpathSync(place.file("sub"));
    expect(place.eventsOf("terminal.closed")[0]).toMatchObject({ cwd: sub, lost: true });
    expect(place.requests()[2]?.request.closing).toContain(`\nTerminal: open in ${sub}\n`);
    expect(place.requests()[3]?.request.closing).toContain(`\nTerminal: closed, was in ${sub}\n`);
    expect(place.eventsOf("call.finished").findLast(({ result }) => result.cwd !== undefined)?.result.text).toBe(
      `${sub}\n[a new persistent shell was opened in ${sub}, without the variables and functions of the one before]`,
    );
    await place.nothingRuns();
  });

  verifies("CLI-3", "is told of by --json also when it ends with the product", async () => {
    const place = new TerminalPlace([kept("pwd"), done]);
    const run = place.startInTerminal(["run", "--json", "go"], { to: place.file("events") });
    expect(await run.ended).toBe(0);
    const printed = jsonLines<{ type: string }>(place.read("events")).map(({ type }) => type);
    expect(printed).toEqual(place.events().map(({ type }) => type));
    expect(printed).toContain("terminal.closed");
  });

  verifies("APPR-6a", "is the only one for which its approval counts", async () => {
    const place = placeWith([kept("cd sub"), kept("rm -rf none; echo x >> ../count"), done]);
    const run = place.startInTerminal(["run", "go"]);
    const id = await run.asked("2) No");
    await place.killHolder();
    expect(place.assent(["answer", id, "yes"]).status).toBe(0);
    expect(place.assent(["resume", place.sessionId()]).status).toBe(3);
    expect(place.eventsOf("call.refused")).toMatchObject([{ why: "changed" }]);
    expect(place.read("count")).toBe("");
    await place.nothingRuns();
  });

  verifies("APPR-6a", "that is yet to be opened is opened after a crash as well", async () => {
    const place = placeWith([kept(counting), done]);
    const run = place.startInTerminal(["run", "go"]);
    const id = await run.asked("2) No");
    await place.killHolder();
    expect(place.assent(["answer", id, "yes"]).status).toBe(0);
    expect(place.assent(["resume", place.sessionId()]).status).toBe(0);
    expect(place.read("count")).toBe("x\n");
    expect(place.eventsOf("terminal.opened")).toHaveLength(1);
    await place.nothingRuns();
  });
});

describe.skipIf(noTerminal)(`what a command leaves in the background${needsTerminal}`, () => {
  const ways = [
    "sleep 300 & echo done",
    "setsid nohup sleep 301 >/dev/null 2>&1 &",
    "(setsid sh -c 'sleep 302 & sleep 303' &)",
    `bash -c 'trap "" TERM; sleep 304; sleep 305' & echo deaf`,
  ];

  verifies(["TERM-5", "STOP-3b"], "does not hold the call, is listed, and ends with the product", async () => {
    const place = new TerminalPlace([...ways.map(once), processes({ operation: "list" }), done]);
    const run = place.startInTerminal(["run", "go"]);
    expect(await run.ended).toBe(0);
    await place.nothingRuns();
    const results = place.results();
    for (const nth of ways.keys()) expect(results[nth]).toMatchObject({ type: "output", exit: 0 });
    expect(results[0]?.text).toMatch(/^done\n\[runs on in the background: (?:sleep|bash) \(\d+\); /);
    expect(results[3]?.text).toMatch(/^deaf\n\[runs on in the background: bash \(\d+\).*; /);
    for (const line of [
      /^\d+ sleep 300$/m,
      /^\d+ .*sleep 301$/m,
      /^\d+ sh -c sleep 302 & sleep 303$/m,
      /^\d+ bash -c trap/m,
    ])
      expect(results[4]?.text).toMatch(line);
    const started = place.eventsOf("process.started");
    expect(started.map(({ command }) => command)).toEqual(
      expect.arrayContaining([expect.stringContaining("sleep 300")]),
    );
    const ended = place.eventsOf("process.ended").map(({ process }) => process);
    expect(ended).toEqual(expect.arrayContaining(started.map(({ process }) => process)));
  });

  verifies("TERM-5", "in the persistent shell does so, too", async () => {
    const place = new TerminalPlace([kept("sleep 300 & echo done"), kept("jobs"), call({ close: true }), done]);
    const run = place.startInTerminal(["run", "go"]);
    expect(await run.ended).toBe(0);
    const [first, jobs] = place.results();
    expect(first?.text).toMatch(/^done\n\[runs on in the background: (?:sleep|bash)/);
    expect(jobs?.text).toContain("sleep 300");
    await place.nothingRuns();
  });

  verifies("TERM-5", "is known to the process that goes on after a crash, and ends with that", async () => {
    const first = once("sleep 300 & sleep 301 &");
    const place = new TerminalPlace([first, slow]);
    place.start(["run", "go"]);
    await requestsOut(place, 2);
    const pids = place.eventsOf("process.started").map(({ process }) => process);
    expect(pids).toHaveLength(2);
    const [one = "", other = ""] = pids;
    await place.killHolder();
    const more = [
      processes({ operation: "list" }),
      processes({ operation: "kill", process: one }),
      processes({ operation: "wait", process: one }),
      processes({ operation: "read", process: other }),
      processes({ operation: "wait", process: other, timeout_s: 1 }),
      processes({ operation: "kill", process: "1" }),
    ];
    const model = goesOn(place, [first, ...more, done]);
    expect(place.marked()).toHaveLength(2);
    expect(place.assent(["resume", "--model", model, place.sessionId()]).status).toBe(0);
    const [, listed, killed, waited, read, still, foreign] = place.results();
    expect(listed?.text.split("\n").toSorted()).toEqual([`${one} sleep 300`, `${other} sleep 301`].toSorted());
    expect(killed?.text).toContain(`killed: sleep (${one})`);
    expect(waited?.text).toContain(`[process ${one} has ended]`);
    expect(read?.text).toContain(`[process ${other} runs]`);
    expect(still?.text).toContain(`[process ${other} still runs after 1 s]`);
    expect(foreign).toMatchObject({ type: "error" });
    expect(foreign?.text).toContain("no background process of this session has the pid 1\n");
    await place.nothingRuns();
  });
});

describe.skipIf(noTerminal)(`a command with a terminal${needsTerminal}`, () => {
  const ends = ["echo out; echo err >&2; exit 7", "kill -9 $$", "echo x; kill -TERM $$"];

  verifies("TERM-3a", "has the same result as one without, but for a signal it is told as shells do", async () => {
    const plain = new TerminalPlace([...ends.map(once), done]);
    expect(plain.assent(["run", "go"]).status).toBe(0);
    const typed = new TerminalPlace([...ends.map(once), done]);
    const run = typed.startInTerminal(["run", "go"]);
    expect(await run.ended).toBe(0);
    expect(plain.results()).toMatchObject([{ exit: 7 }, { signal: "SIGKILL" }, { signal: "SIGTERM" }]);
    expect(typed.results()).toMatchObject([{ exit: 7 }, { exit: 137 }, { exit: 143 }]);
  });
});

describe("what a command writes", () => {
  const hostile = String.raw`printf '\033[31mred\033[0m \033]52;c;aGk=\007 \342\200\256bidi \007bel \23331mc1 \302\23332mC1\n'`;

  if (!noTerminal) {
    verifies("TERM-3a", "is obeyed by no terminal, nor is what it writes to its own", async () => {
      const place = new TerminalPlace([once(`${hostile}; ${hostile} >/dev/tty; read x`), done]);
      const run = place.startInTerminal(["run", "go"]);
      await run.reply("The command waits for input; ^D ends it.", "x");
      expect(await run.ended).toBe(0);
      const raw = run.raw.toString("latin1");
      expect(raw).toContain("red");
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
      expect(raw.match(/[\x00-\x07\x0b\x0e-\x1f\x7f]/g)).toBeNull();
      // No control character in two bytes, none in one, and none that turns the direction.
      expect(raw.match(/\u00c2[\u0080-\u009f]/g)).toBeNull();
      expect(run.raw.equals(Buffer.from(run.raw.toString("utf8")))).toBe(true);
      expect(run.raw.toString("utf8").match(/[\u202a-\u202e\u2066-\u2069]/g)).toBeNull();
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
      expect(place.lastTold().match(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g)).toBeNull();
      expect(place.lastTold()).toContain("red");
    });
  }

  verifies("TERM-3a", "and is too much is kept in a file that the text names and only the person can read", () => {
    const place = new TerminalPlace([once("seq 20000"), done]);
    expect(place.assent(["run", "go"]).status).toBe(0);
    const [file = "", ...more] = filesUnder(place.cache);
    expect(more).toEqual([]);
    expect(place.results()[0]?.text).toContain(file);
    expect(place.lastTold()).toContain(file);
    expect(place.lastTold()).toMatch(/^1\n2\n3\n/);
    expect(place.lastTold()).toContain("\n19999\n20000\n");
    expect(readFileSync(file, "utf8")).toBe(Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join(""));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (let folder = dirname(file); folder !== place.cache; folder = dirname(folder))
      expect({ folder, mode: statSync(folder).mode & 0o777 }).toEqual({ folder, mode: 0o700 });
    expect(file.startsWith(place.home)).toBe(false);
  });
});

describe("where a command runs", () => {
  verifies("TERM-7", "is the shell that ASSENT_SHELL names", () => {
    const place = new TerminalPlace([once("echo hi"), done]);
    const shell = place.file("shell");
    writeFileSync(shell, '#!/bin/sh\necho "through $0" >&2\nexec sh "$@"\n');
    chmodSync(shell, 0o755);
    place.env["ASSENT_SHELL"] = shell;
    expect(place.assent(["run", "go"]).status).toBe(0);
    expect(place.results()).toMatchObject([{ type: "output", exit: 0, text: `hi\nstderr:\nthrough ${shell}\n` }]);
  });

  verifies("TERM-7", "is an error that names the shell, and the variable that does, when there is none", async () => {
    const place = new TerminalPlace([once("echo hi"), done], { ASSENT_SHELL: "/no/such/shell" });
    expect(place.assent(["run", "go"]).status).toBe(0);
    if (!noTerminal) {
      const more = goesOn(place, [done, done, once("echo hi"), done]);
      expect(await place.startInTerminal(["run", "--continue", "--model", more, "again"]).ended).toBe(0);
    }
    for (const result of place.results()) {
      expect(result.type).toBe("error");
      expect(result.text).toMatch(
        /^the command was not started: .*\/no\/such\/shell.*; ASSENT_SHELL names this shell$/,
      );
    }
  });

  verifies("TERM-7", "is the person's environment but for Assent's secrets, with the mark of the run", () => {
    const secrets = { OPENAI_API_KEY: "k1", ANTHROPIC_API_KEY: "k2", ASSENT_X_TOKEN: "k3", ASSENT_DB_PASSWORD: "k4" };
    const place = new TerminalPlace([once("env"), done], { ...secrets, PERSONS_OWN: "theirs" });
    expect(place.assent(["run", "go"]).status).toBe(0);
    const variables = place.results()[0]?.text.split("\n") ?? [];
    for (const name of Object.keys(secrets))
      expect(variables.filter((each) => each.startsWith(`${name}=`))).toEqual([]);
    expect(variables).toContain("PERSONS_OWN=theirs");
    expect(variables).toContain(`HOME=${place.env["HOME"]}`);
    expect(variables.find((each) => each.startsWith("ASSENT_RUN="))).toMatch(
      new RegExp(`^ASSENT_RUN=${place.sessionId()}/.+$`),
    );
  });
});
