import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  type AuditRecord,
  defineTool,
  type HostOptions,
  type InputBody,
  type Journal,
  JournalError,
  type ModelAnswer,
  openHost,
  openMachinePolicy,
  openMemoryJournal,
  openSqliteJournal,
  openTools,
  type Plan,
  type Policy,
  type Provider,
  type SessionEvent,
  scriptedModel,
  type Tool,
  type Verdict,
  type WatchedCall,
} from "../../src/index.ts";
import { Bench, prompt } from "../runtime/bench.ts";

/** What a program without types gives, or one that is wrong about its own. */
function anything<T>(value: unknown): T;
function anything(value: unknown): unknown {
  return value;
}

/** A field that throws when it is looked at. */
function unreadable<T extends object>(given: T, name: string): T {
  const get = () => {
    throw new Error(`there is no ${name}`);
  };
  return Object.defineProperty(given, name, { get, enumerable: true });
}

const acting = { by: { name: "ada", adapter: "test" }, authority: "act" } as const;
const told = { name: "add", description: "Add.", parameters: { type: "object" }, tier: "safe" } as const;
const schema = { "~standard": { version: 1, validate: (value: unknown) => ({ value }) } } as const;
const calling = { calls: [{ tool: "add", arguments: {} }] };
const replies = [calling, { text: "Done." }];
const usage = { input: 1, output: 1, cached: 0 };

type Seen = { readonly events: readonly SessionEvent[]; readonly audit: readonly AuditRecord[] };

/** One prompt to its end. What came of it is read back from the store, as another process would read it. */
async function exchange(more: Partial<HostOptions>): Promise<Seen> {
  const folder = mkdtempSync(join(tmpdir(), "assent-misbehaving-"));
  const journal = openSqliteJournal(join(folder, "journal.db"));
  const host = openHost({ journal, provider: scriptedModel({ replies }), tools: [], ...more });
  onTestFinished(async () => {
    await host.close();
    journal.close();
    rmSync(folder, { recursive: true });
  });
  const made = host.create({ cwd: "/" });
  if ("refusal" in made) throw new Error(made.refusal.detail);
  const watch = host.watch(made.session);
  host.hold(made.session, { unattended: () => "deny" });
  host.submit(made.session, { type: "prompt", text: "go", delivery: "now", entry: "submitted", ...acting });
  for await (const watched of watch) {
    if (watched.type === "recorded" && watched.event.type === "exchange.ended") break;
  }
  const { events, damage } = journal.read(made.session, 0);
  expect(damage).toBeNull();
  return { events: events.map(({ event }) => event), audit: host.audit(made.session) };
}

function resultIn({ events }: Seen): unknown {
  const finished = events.find((event) => event.type === "call.finished");
  return finished?.type === "call.finished" ? finished.result : null;
}

function endingOf({ events }: Seen): unknown {
  const ended = events.find((event) => event.type === "exchange.ended");
  return ended?.type === "exchange.ended" ? { ...ended, at: 0 } : null;
}

const answered = { type: "exchange.ended", exchange: 1, text: "Done.", outcome: "answered", at: 0 };

const expected = 'add broke: expected a result with a type ("output" or "error") and a text, found';
const noResults: readonly (readonly [what: string, given: unknown, told: string])[] = [
  ["nothing", undefined, `${expected} undefined`],
  ["null", null, `${expected} null`],
  ["a number", 42, `${expected} the number 42`],
  ["a list", ["a"], `${expected} a list`],
  ["a function", () => "a", `${expected} a function`],
  ["an empty object", {}, `${expected} an object without fields`],
  ["an object of its own", { sum: 3 }, `${expected} an object with sum; type: is missing`],
  ["no text", { type: "output" }, `${expected} an object with type; text: is missing`],
  [
    "a text that is none",
    { type: "output", text: 5 },
    `${expected} an object with type, text; text: expected string, found 5`,
  ],
  [
    "another type",
    { type: "ok", text: "a" },
    `${expected} an object with type, text; type: expected ("output" | "error"), found "ok"`,
  ],
  [
    "an exit that is no number",
    { type: "output", text: "a", exit: 1n },
    `${expected} an object with type, text, exit; exit: expected number, found 1`,
  ],
];

describe("a tool that gives no result is a failed call that says what came, and the session goes on", () => {
  for (const [what, given, text] of noResults) {
    test(`a defined one that gives ${what}`, async () => {
      const tool = defineTool({ ...told, schema, run: () => anything<string>(given) });
      const seen = await exchange({ tools: [tool] });
      expect(resultIn(seen)).toEqual({ type: "error", text });
      expect(endingOf(seen)).toEqual(answered);
    });
  }

  test("one that is written by hand, also by a promise", async () => {
    const run = async () => anything<never>("3");
    expect(resultIn(await exchange({ tools: [handMade({ run })] }))).toEqual({
      type: "error",
      text: `${expected} the text "3"`,
    });
  });

  test("what else stands in a result, or is undefined there, is left out", async () => {
    const given = { type: "output", text: "3", exit: undefined, more: () => 1 };
    const tool = defineTool({ ...told, schema, run: () => anything<string>(given) });
    expect(resultIn(await exchange({ tools: [tool] }))).toEqual({ type: "output", text: "3" });
  });

  test("one of which a field cannot be read", async () => {
    const given = unreadable({ type: "output", text: "a" }, "exit");
    expect(resultIn(await exchange({ tools: [handMade({ run: async () => given })] }))).toEqual({
      type: "error",
      text: "add broke: there is no exit",
    });
  });

  test("whatever it throws", async () => {
    const thrown: readonly (readonly [unknown, string])[] = [
      ["no shelf", "no shelf"],
      [new Error("no shelf"), "no shelf"],
      [new TypeError(""), "TypeError"],
      [undefined, "it threw undefined"],
      [Object.create(null), "it threw an object without fields"],
      [{ code: 5 }, "it threw an object with code"],
      [Symbol("a"), "it threw the symbol Symbol(a)"],
    ];
    for (const [error, text] of thrown) {
      const run = () => {
        throw error;
      };
      const seen = await exchange({ tools: [defineTool({ ...told, schema, run })] });
      expect(resultIn(seen)).toEqual({ type: "error", text: `add broke: ${text}` });
    }
  });
});

const handPlan = (_given: string, { cwd }: { readonly cwd: string }): Plan => ({ tool: "add", cwd, tier: "safe" });

function handMade(hands: object, more: object = {}): Tool {
  const read = () => ({ type: "tool", parallel: true }) as const;
  const run = async () => ({ type: "output", text: "3" }) as const;
  return { ...told, read, hands: { plan: handPlan, run, ...hands }, ...more };
}

describe("a tool that tells or asks what cannot be is a failed call, and the session goes on", () => {
  const cases: readonly (readonly [string, (watched: WatchedCall) => unknown, string])[] = [
    [
      "it tells nothing",
      ({ tell }) => tell(anything<never>(undefined)),
      "add broke: expected a fact of the type terminal or process, found undefined",
    ],
    [
      "it tells of a process without its pid",
      ({ tell }) => tell(anything<never>({ type: "process", state: "started", process: "7" })),
      "add broke: expected a fact of the type terminal or process, found an object with type, state, process; pid: is missing",
    ],
    [
      "it asks for input without a question",
      ({ ask }) => ask(anything<never>({ options: [] })),
      "add broke: expected a question with its options, found an object with options; question: is missing",
    ],
    [
      "it asks with what cannot be written down",
      ({ ask }) => ask(anything<never>({ question: "?", options: [], allow_free_text: true, subject: 1n })),
      "add broke: Do not know how to serialize a BigInt",
    ],
    [
      "it puts a form without its steps",
      ({ form }) => form(anything<never>({})),
      "add broke: expected a flow with its steps, found an object without fields",
    ],
  ];
  for (const [what, act, text] of cases) {
    test(what, async () => {
      const run = async (_plan: Plan, watched: WatchedCall) => {
        await act(watched);
        return { type: "output", text: "3" };
      };
      const seen = await exchange({ tools: [handMade({ run })] });
      expect(resultIn(seen)).toEqual({ type: "error", text });
      expect(endingOf(seen)).toEqual(answered);
    });
  }
});

describe("a tool that breaks before it runs", () => {
  const ran: string[] = [];
  const run = async () => {
    ran.push("run");
    return { type: "output", text: "3" };
  };
  const noPlan = "add broke: expected a plan with the tool and its cwd, found";
  const plans: readonly (readonly [string, () => unknown, string])[] = [
    ["throws", () => anything<() => never>(undefined)(), "add broke: anything(...) is not a function"],
    ["has none", () => undefined, `${noPlan} undefined`],
    ["has a promise", async () => ({}), `${noPlan} a promise`],
    ["has one of something else", () => ({ tool: "add" }), `${noPlan} an object with tool; cwd: is missing`],
    [
      "has one that cannot be written down",
      () => ({ tool: "add", cwd: "/", tier: "safe", more: 1n }),
      "add broke: Do not know how to serialize a BigInt",
    ],
  ];
  for (const [what, plan, text] of plans) {
    test(`a plan: ${what}: nothing runs, and the model is told`, async () => {
      const seen = await exchange({ tools: [handMade({ plan, run })] });
      expect(resultIn(seen)).toEqual({ type: "error", text });
      expect(seen.audit).toMatchObject([{ verdict: "allow", rule: "does-nothing" }]);
      expect(ran).toEqual([]);
    });
  }

  test("what it makes of its arguments is nothing: the call is invalid", async () => {
    const { events } = await exchange({ tools: [handMade({}, { read: () => undefined })] });
    expect(events.find(({ type }) => type === "call.invalid")).toMatchObject({
      reason: 'add broke: expected what the call asks for, such as { type: "tool", parallel: true }, found undefined',
    });
  });

  test("hands that cannot be loaded, and a tool that cannot say whether it is there, are told by their names", async () => {
    const load = () => Promise.reject(new Error("no such module"));
    await expect(exchange({ tools: [handMade({}, { hands: load })] })).rejects.toThrow(
      "the hands of add could not be loaded: no such module",
    );
    await expect(exchange({ tools: [handMade({}, { hands: async () => ({ run }) })] })).rejects.toThrow(
      "the hands of add: expected an object with plan and run, found an object with run",
    );
    const available = () => anything<{ a: { b: boolean } }>({}).a.b;
    await expect(exchange({ tools: [handMade({}, { available })] })).rejects.toThrow(
      /^add broke, asked whether it is available: /,
    );
  });
});

describe("what was told to end and does not", () => {
  const forever = new Promise<never>(() => {});
  const bench = () => new Bench({ calls: [{ tool: "add", arguments: {}, id: "c" }] }, { text: "Done." });
  const stop: InputBody = { type: "stop", mode: "kill", ...acting };

  test("a call is given up: the session goes on without it, and says that nothing is known of it", async () => {
    const place = bench();
    const host = place.process(1, { tools: [handMade({ run: () => forever }, { timeoutMs: 1_000 })], policy: allow });
    host.create({ cwd: "/", limits: {} });
    host.submit("s", prompt());
    host.hold("s");
    await place.pass(10_900);
    expect(host.view("s").lastEnding).toBeNull();
    await place.pass(200);
    expect(host.audit("s")).toMatchObject([{ end: "failed" }]);
    const texts = host
      .events("s", { after: 0, most: 99 })
      .flatMap(({ event }) => (event.type === "call.finished" ? [event.result.text] : []));
    expect(texts).toEqual(["add was told to end and has not ended after 10 s: what it did, or still does, is unknown"]);
    expect(host.view("s").lastEnding).toMatchObject({ outcome: "answered" });
  });

  test("a host that is closed meanwhile is closed", async () => {
    const place = bench();
    const host = place.process(1, { tools: [handMade({ run: () => forever })], policy: allow });
    host.create({ cwd: "/", limits: {} });
    host.submit("s", prompt());
    host.hold("s");
    await place.pass(100);
    let closed = false;
    void host.close().then(() => {
      closed = true;
    });
    await place.pass(11_000);
    expect(closed).toBe(true);
  });

  test("a request that was stopped is given up", async () => {
    const place = bench();
    const host = place.process(1, { provider: { ask: () => forever } });
    host.create({ cwd: "/", limits: {} });
    host.submit("s", prompt());
    host.hold("s");
    await place.pass(100);
    host.submit("s", stop);
    await place.pass(11_000);
    expect(host.view("s").lastEnding).toMatchObject({ outcome: "stopped" });
  });
});

const noAnswer =
  "the provider gave no answer: expected an answer of the type replied, failed, overflow or abandoned, found";
const answers: readonly (readonly [what: string, given: unknown, told: string])[] = [
  ["nothing", undefined, `${noAnswer} undefined`],
  ["a text", "Hello.", `${noAnswer} the text "Hello."`],
  ["no type", { text: "Hello." }, `${noAnswer} an object with text; type: is missing`],
  ["no text", { type: "replied", calls: [], usage }, `${noAnswer} an object with type, calls, usage; text: is missing`],
  [
    "no calls",
    { type: "replied", text: "a", usage },
    `${noAnswer} an object with type, text, usage; calls: is missing`,
  ],
  ["no failure", { type: "failed" }, `${noAnswer} an object with type; failure: is missing`],
  [
    "arguments that are no text",
    { type: "replied", text: "", usage, calls: [{ id: "1", tool: "add", arguments: {} }] },
    `${noAnswer} an object with type, text, usage, calls; calls.0.arguments: expected string, found Object`,
  ],
  ["a generator", (async function* () {})(), `${noAnswer} a generator, or something else to iterate`],
  [
    "a thought that has no bytes",
    { type: "replied", text: "a", calls: [], usage, reasoning: { model: "m", content: () => 1 } },
    `${noAnswer} an object with type, text, calls, usage, reasoning; reasoning.content: expected a JSON value, found Function`,
  ],
  [
    "a thought that cannot be written down",
    { type: "replied", text: "a", calls: [], usage, reasoning: { model: "m", content: { a: 1n } } },
    `${noAnswer} an object with type, text, calls, usage, reasoning; reasoning.content: expected a JSON value, found Object`,
  ],
  [
    "a text that cannot be read",
    unreadable({ type: "replied", calls: [], usage }, "text"),
    "the provider gave no answer: there is no text",
  ],
  [
    "more that cannot be read",
    { type: "replied", text: "a", usage, calls: [unreadable({ id: "1", tool: "add", arguments: "{}" }, "more")] },
    "the provider gave no answer: there is no more",
  ],
];

describe("a provider that gives no answer is a failed request that says what came", () => {
  for (const [what, given, detail] of answers) {
    test(`it gives ${what}`, async () => {
      const seen = await exchange({ provider: { ask: async () => anything<ModelAnswer>(given) } });
      expect(endingOf(seen)).toMatchObject({ outcome: "failed", reason: "model", detail });
    });
  }

  test("it throws what is no error", async () => {
    const ask = async () => {
      throw anything<Error>({ code: 5 });
    };
    expect(endingOf(await exchange({ provider: { ask } }))).toMatchObject({ detail: "it threw an object with code" });
  });

  test("counts may be missing, and what it shows meanwhile may be no text", async () => {
    const ask: Provider["ask"] = async (_question, { onText }) => {
      onText(anything<string>(undefined));
      return anything<ModelAnswer>({ type: "replied", text: "Done.", calls: [] });
    };
    expect(endingOf(await exchange({ provider: { ask } }))).toEqual(answered);
  });
});

const allow: Policy = { version: "1", judge: () => ({ verdict: "allow", rule: "all", reason: "it may" }) };
const noVerdict = "the policy broke: expected a verdict (allow, ask or deny) with its rule and reason, found";

describe("a policy that gives no verdict allows nothing, and says what came", () => {
  const words: readonly (readonly [what: string, judge: () => unknown, reason: string])[] = [
    ["nothing", () => undefined, `${noVerdict} undefined`],
    ["a promise", async () => allow.judge({ tool: "add", cwd: "/" }), `${noVerdict} a promise`],
    ["true", () => true, `${noVerdict} the boolean true`],
    [
      "an allow without its reason",
      () => ({ verdict: "allow", rule: "a" }),
      `${noVerdict} an object with verdict, rule; reason: is missing`,
    ],
    [
      "an exception",
      () => anything<Policy>(null).judge,
      "the policy broke: Cannot read properties of null (reading 'judge')",
    ],
  ];
  const run = vi.fn(() => "3");
  for (const [what, judge, reason] of words) {
    test(`it gives ${what}`, async () => {
      const policy = { version: "1", judge: () => anything<Verdict>(judge()) };
      const { audit } = await exchange({ tools: [defineTool({ ...told, schema, run })], policy });
      expect(audit).toMatchObject([{ verdict: "deny", rule: "broken-policy", reason, end: "refused" }]);
      expect(run).not.toHaveBeenCalled();
    });
  }

  test("it cannot say which paths it wants to know", async () => {
    const policy = { ...allow, wants: () => anything<string[]>(5) };
    const { audit } = await exchange({ tools: [defineTool({ ...told, schema, run })], policy });
    const reason = "the policy broke: wants: expected a list of paths, found the number 5";
    expect(audit).toMatchObject([{ verdict: "deny", reason }]);
  });

  test("one that came later and is none is told", async () => {
    const tools = [defineTool({ ...told, schema, run })];
    await expect(exchange({ tools, policy: async () => anything<Policy>(undefined) })).rejects.toThrow(
      "policy: expected a policy with a version and judge, found undefined",
    );
  });
});

describe("a journal that does not answer", () => {
  const cases: readonly (readonly [what: string, change: (journal: Journal) => object, message: string])[] = [
    [
      "by a promise",
      (journal) => ({ append: async (...given: Parameters<Journal["append"]>) => journal.append(...given) }),
      'the journal\'s append gave no answer: expected { type: "appended" } or { type: "stale", newest }, found a promise; it must answer at once',
    ],
    [
      "with nothing",
      () => ({ read: () => undefined }),
      "the journal's read gave no answer: expected an object with events and damage, found undefined; it must answer at once",
    ],
    ["but throws", () => ({ append: vi.fn().mockThrow(new Error("no room")) }), "the journal's append broke: no room"],
  ];
  for (const [what, change, message] of cases) {
    test(`${what}: who asked is told by an error of the journal`, () => {
      const journal = openMemoryJournal();
      const host = openHost({
        journal: { ...journal, ...change(journal) },
        provider: scriptedModel({ replies }),
        tools: [],
      });
      expect(() => host.create({ cwd: "/" })).toThrow(new JournalError("io", message));
    });
  }
});

describe("what could not be read back is not recorded", () => {
  const host = openHost({ journal: openMemoryJournal(), provider: scriptedModel({ replies }), tools: [] });
  const submitted = (body: unknown) => () => host.submit("s", anything<InputBody>(body));

  test("an input that is none is told with those that there are", () => {
    expect(submitted(undefined)).toThrow(
      /^submit: expected an input, whose type is one of creation, .*; found undefined$/,
    );
    expect(submitted({ type: "hello" })).toThrow(/; found the type "hello"$/);
  });

  test("an input with a field of another kind is told with the field, and the session is as it was", () => {
    const made = host.create({ cwd: "/" });
    const session = "session" in made ? made.session : "";
    const body = { ...prompt(), by: "ada" };
    expect(() => host.submit(session, anything<InputBody>(body))).toThrow(
      `session ${session}: the input prompt cannot be recorded: exchange.started: by: expected Object, found "ada"`,
    );
    expect(host.view(session).seq).toBe(1);
    expect(() => host.create(anything<{ cwd: string }>({ cwd: 5 }))).toThrow(
      /^create: cwd: expected a text, found the number 5$/,
    );
  });

  test("an id that is always the same is told, and not tried for ever", () => {
    const journal = openMemoryJournal();
    const same = openHost({ journal, provider: scriptedModel({ replies }), tools: [], newId: () => "s" });
    same.create({ cwd: "/" });
    expect(() => same.create({ cwd: "/" })).toThrow(
      "newId: expected an id that no session has, found 100 taken ones in a row",
    );
  });
});

test("options that cannot work are told where they are given: the thing, what was expected, what came", () => {
  const given = { journal: openMemoryJournal(), provider: scriptedModel({ replies }), tools: [] };
  const cases: readonly (readonly [unknown, string | RegExp])[] = [
    [undefined, "openHost: expected an object, found undefined"],
    [
      { ...given, journal: {} },
      /^openHost: journal: expected a journal, such as openMemoryJournal\(\), with append, .*, found an object without fields$/,
    ],
    [
      { ...given, provider: "openai:gpt-5" },
      'openHost: provider: expected a provider, such as openModel("…"), with ask, found the text "openai:gpt-5"',
    ],
    [
      { ...given, tools: handMade({}) },
      /^openHost: tools: expected a list of tools, such as openTools\(\), found an object with /,
    ],
    [{ ...given, tools: [handMade({}), {}] }, "openHost: tools[1]: name: expected a text, found undefined"],
    [
      { ...given, tools: [handMade({}, { tier: "low" })] },
      'openHost: tool "add": tier: expected "safe" or "elevated", found the text "low"',
    ],
    [
      { ...given, policy: { judge: () => true } },
      "openHost: policy: expected a policy, or a function that opens one, found an object with judge",
    ],
    [
      { ...given, softOffers: true },
      'openHost: softOffers: expected "regenerate", "warn" or "off", found the boolean true',
    ],
    [{ ...given, own: "data" }, 'openHost: own: expected a list of paths, found the text "data"'],
  ];
  for (const [options, message] of cases) expect(() => openHost(anything<HostOptions>(options))).toThrow(message);
  expect(() => openHost({ ...given, ...anything<object>({ policy: undefined, own: undefined }) })).not.toThrow();
});

test("a folder that is out of bounds and is no list of paths is told, and not taken for its letters", async () => {
  const text = anything<string[]>("data");
  expect(() => openTools({ self: text })).toThrow('openTools: self: expected a list of paths, found the text "data"');
  await expect(openMachinePolicy({ own: text })).rejects.toThrow(
    'openMachinePolicy: own: expected a list of paths, found the text "data"',
  );
});

test("a definition that cannot work is told where it is made", () => {
  const whole = { ...told, schema, run: () => "3" };
  const cases: readonly (readonly [unknown, string])[] = [
    [undefined, "defineTool: expected an object, found undefined"],
    [{ ...whole, name: undefined }, "defineTool: name: expected a text, found undefined"],
    [{ ...whole, run: undefined }, 'defineTool "add": run: expected a function, found undefined'],
    [
      { ...whole, schema: { type: "object" } },
      'defineTool "add": schema: expected a schema that follows Standard Schema, found an object with type',
    ],
    [{ ...whole, tier: undefined }, 'defineTool "add": tier: expected "safe" or "elevated", found undefined'],
  ];
  for (const [definition, message] of cases)
    expect(() => defineTool(anything<typeof whole>(definition))).toThrow(message);
  expect(() => scriptedModel(anything<{ replies: [] }>({}))).toThrow(
    "scriptedModel: replies: expected a list of replies, found undefined",
  );
});
