import type { FakeServer } from "./fake-server.ts";

/** A few sessions as they are in life: an approval, a question, several choices, a flow, a secret; one works, one has ended. */
export function fillShop(server: FakeServer): void {
  const minute = 60_000;
  const now = Date.now();
  const exchange = {
    ordinal: 1,
    prompt: "clean the build",
    by: { name: "ada", adapter: "page" },
    replies: 2,
    run: null,
    stop: null,
  };
  const working = { open: true, holder: { pid: 4711 }, exchange } as const;
  server.session("k7y4zq0c2m", {
    name: "clean-up",
    prompt: "clean the build and run the tests",
    usage: { input: 12_840, output: 1_022, cached: 9_000, cost: 0.0412 },
    turns: 3,
    ...working,
  });
  server.record("k7y4zq0c2m", "session.created", { cwd: "/home/ada/shop", limits: {} });
  server.record("k7y4zq0c2m", "exchange.started", {
    exchange: 1,
    prompt: "clean the build and run the tests",
    by: exchange.by,
  });
  toolCall(server, "k7y4zq0c2m", { number: 1, command: "npm test", output: longOutput() });
  server.ask(
    "k7y4zq0c2m",
    approval("k7y4zq0c2m-1", "OUT=build; ls src && rm -r $OUT", [21, 31, "rm -r build"]),
    now - 4 * minute,
  );
  server.session("p2", { name: "deploy", prompt: "deploy the shop", cwd: "/srv/deploy", ...working });
  server.ask("p2", { interaction_id: "p2-1", default_option_id: "1" }, now - 2 * minute);
  server.session("m3", { prompt: "set up the linters", cwd: "/home/ada/tools", ...working });
  server.ask(
    "m3",
    {
      interaction_id: "m3-1",
      question: "Which checks should run before a commit?",
      multi_select: true,
      min_selected: 1,
      max_selected: 2,
      allow_free_text: false,
      options: ["Types", "Lint", "Tests"].map((label, index) => ({ id: String(index + 1), label })),
    },
    now - minute,
  );
  server.session("w4", { name: "hostile", prompt: "look at this", ...working });
  server.ask(
    "w4",
    approval("w4-1", "echo \u202egnp.txt\u200b '<img src=x onerror=alert(1)>' && curl evil.example", [44, 61, null]),
    now,
  );
  server.session("e5", { prompt: "what takes so much room here?", outcome: "answered", turns: 2 });
  server.record("e5", "exchange.started", { exchange: 1, prompt: "what takes so much room here?", by: exchange.by });
  toolCall(server, "e5", { number: 1, command: "du -sh *", output: "1.2G\tnode_modules\n14M\tdist" });
  server.record("e5", "model.replied", reply(2, "", []));
  const text = "`node_modules` does: **1.2 GB**.\n\n```sh\ndu -sh node_modules\n```\n\nAll else is small.";
  server.record("e5", "exchange.ended", { exchange: 1, text, outcome: "answered" });
  fillRecords(server, now);
}

function fillRecords(server: FakeServer, now: number): void {
  const grant = {
    tool: "terminal",
    match: "exact",
    signature: "x",
    root: "/home/ada/shop",
    categories: ["delete"],
  } as const;
  server.grants = {
    grants: [
      { ...grant, id: "g1", scope: "project", display: "rm -r build", created: now - 3_600_000 },
      {
        ...grant,
        id: "g2",
        scope: "user",
        display: "curl https://shop.example/…",
        categories: ["network"],
        created: now,
      },
    ],
    damage: [],
  };
  const by = { name: "ada", adapter: "terminal pts/3" };
  const answer = {
    ...{ interaction: "k7y4zq0c2m-0", state: "answered", by, shown: "sha256:0f3a", subject: "sha256:0f3a" },
    ...{ said: "Yes", at: now, event: 9 },
    about: "approval",
  } as const;
  const nothing = {
    ...{ by: null, judged: null, rule: null, reason: null, digest: null, grant: null, answers: [], started: null },
    ...{ ended: null, exit: null, signal: null, events: [] },
  };
  server.audits.set("k7y4zq0c2m", {
    session: "k7y4zq0c2m",
    records: [
      {
        ...nothing,
        call: "t1c1",
        at: now,
        tool: "terminal",
        what: "npm test",
        verdict: "allow",
        rule: "nothing-found",
        reason: "nothing in it needs a person",
        end: "finished",
        exit: 0,
      },
      {
        ...nothing,
        call: "t2c1",
        at: now,
        tool: "terminal",
        what: "rm -rf build",
        verdict: "ask",
        rule: "delete-recursive",
        reason: "it deletes folders with all that is in them",
        digest: "sha256:0f3a",
        answers: [answer],
        end: "finished",
        exit: 0,
      },
      {
        ...nothing,
        call: "t3c1",
        at: now,
        tool: "write_file",
        what: "/etc/motd",
        verdict: "deny",
        rule: "no-system",
        reason: "a rule forbids it",
        end: "refused",
      },
    ],
    chain: { events: 24, before: 0, head: "0f3a".repeat(16), breaks: [], more: 0 },
  });
}

export function approval(
  id: string,
  command: string,
  [start, end, effective]: readonly [number, number, string | null],
) {
  const line = command.replace(/\p{Cf}/gu, (hidden) => `\\u{${hidden.codePointAt(0)?.toString(16)}}`);
  const reason =
    effective === null ? "reaches another machine (curl)" : "deletes folders with all that is in them (rm -r)";
  return {
    interaction_id: id,
    kind: "confirmation",
    question: `Approve command: ${line}? (yes/no)`,
    options: [
      { id: "yes", label: "Yes" },
      { id: "no", label: "No" },
      { id: "session", label: "Yes for this session" },
      { id: "project", label: "Always in this project" },
      { id: "user", label: "Always for me" },
    ],
    subject: { command: command.split("\n"), cwd: "/home/ada/shop" },
    metadata: { findings: [{ reason, span: { start, end }, ...(effective === null ? {} : { effective }) }] },
  } as const;
}

type Ran = { readonly number: number; readonly command: string; readonly output: string };

export function toolCall(server: FakeServer, session: string, { number, command, output }: Ran): void {
  const call = `t${number}c1`;
  const asks = { type: "tool", parallel: false, command };
  const request = { id: call, original: call, tool: "terminal", arguments: "{}", asks };
  server.record(session, "model.replied", reply(number, "I look at it first.", [request]));
  server.record(session, "call.started", { call, digest: "d" });
  server.record(session, "call.finished", { call, result: { type: "output", text: output, exit: 0 } });
}

export function reply(request: number, text: string, calls: readonly unknown[]): { readonly [name: string]: unknown } {
  return { request, reply: { text, calls, usage: { input: 1, output: 1, cached: 0 } } };
}

function longOutput(): string {
  return Array.from({ length: 60 }, (_, index) => `ok ${index + 1} - the shop keeps its promise ${index + 1}`).join(
    "\n",
  );
}

/** What deletes a folder, as it is asked about. */
export function removal(id: string): ReturnType<typeof approval> {
  return approval(id, "OUT=build; rm -r $OUT", [11, 21, "rm -r build"]);
}

export function askApproval(server: FakeServer, session: string, id: string): void {
  if (!server.sessions.has(session)) server.session(session, { name: session });
  server.ask(session, removal(id));
}
