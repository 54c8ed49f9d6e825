import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { decodeEvent } from "../../src/wire/index.ts";
import { ruleOf } from "../core/grants.ts";
import { verifies } from "../requirements/verifies.ts";
import { acting, TestPlace } from "./place.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assent-slash-"));
  vi.stubEnv("ASSENT_RUN", undefined);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function told(text: string) {
  return { type: "told", text };
}

function wrong(problem: string) {
  return { type: "wrong", problem };
}

describe("/help", () => {
  test("lists every command in a line, and tells all about one", async () => {
    const place = new TestPlace();
    const all = await place.type("/help");
    expect(all).toMatchObject({ type: "told", text: expect.stringMatching(/^\/help \[name\] .*\n\/status /) });
    expect(await place.type("/help /turn-limit")).toEqual(
      told(
        [
          "/turn-limit [n|unlimited]",
          "  shows or sets how many turns the model has before you are asked whether to go on",
          "  example: /turn-limit 50",
          "  example: /turn-limit unlimited",
        ].join("\n"),
      ),
    );
    expect(await place.type("/help quit")).toMatchObject({ text: expect.stringContaining("also: /quit") });
  });

  verifies("SEL-5e", "names what is nearest to a name that is none", async () => {
    const place = new TestPlace();
    const problem = 'expected the name of a command, found "modle"; did you mean model?';
    expect(await place.type("/help modle")).toEqual(wrong(problem));
    expect(await place.type("/help a b")).toEqual(wrong('expected the name of one command, found "a b"'));
  });
});

describe("/status", () => {
  test("tells of a new session what there is", async () => {
    expect(await new TestPlace().type("/status")).toEqual(
      told(
        [
          "assent     1.2.3",
          "model      none is set; /model setup sets one up",
          "session    s1",
          "folder     /work",
          "turns      0 of 25",
          "exchange   none so far",
        ].join("\n"),
      ),
    );
  });

  test("tells what is under way, what is asked and what waits", async () => {
    const call = { tool: "terminal", arguments: { command: "rm -rf a" }, id: "c" };
    const place = new TestPlace({ replies: [{ calls: [call], usage: { input: 1_200, output: 30, cached: 0 } }] });
    await place.type("/model openai:gpt-5");
    await place.type("/rename the\tparser");
    place.prompt("make a\nfile");
    await place.work();
    await place.type("/queue and then test");
    const { type, text } = { text: "", ...(await place.type("/status")) };
    expect([type, ...text.split("\n")]).toEqual([
      "told",
      "assent     1.2.3",
      "model      openai:gpt-5",
      "session    s1 (the\\tparser)",
      "folder     /work",
      "turns      0 of 25",
      "tokens     1,200 in, 30 out",
      "exchange   1: make a\\nfile",
      "question   Approve command: rm -rf a? (yes/no)",
      "waiting    w1  for the next exchange  and then test",
    ]);
  });

  test("takes no argument", async () => {
    expect(await new TestPlace().type("/status now")).toEqual(wrong('expected no argument, found "now"'));
  });
});

describe("/model", () => {
  test("shows it, and what else is there", async () => {
    const place = new TestPlace();
    expect(await place.type("/model openai:gpt-5")).toEqual(told("the model is openai:gpt-5"));
    expect(await place.type("/model")).toEqual(told("the model is openai:gpt-5\nthere are also ollama:qwen3"));
  });

  test("says what is wrong with a name, and what may have been meant", async () => {
    const place = new TestPlace();
    expect(await place.type("/model stup")).toEqual(
      wrong("expected <provider>:<model>, found stup; did you mean setup?"),
    );
    expect(place.used).toEqual([]);
  });

  test("shows it also where it cannot be found out what else there is", async () => {
    const used = new TestPlace().place.around.model;
    const offered = () => Promise.reject(new Error("models.json is broken"));
    const place = new TestPlace({ around: { model: { ...used, name: () => "openai:gpt-5", offered } } });
    expect(await place.type("/model")).toEqual(told("the model is openai:gpt-5"));
  });

  test.each(["/model", "/model setup"])("%s asks for one where none is set", async (line) => {
    const place = new TestPlace();
    expect(await place.type(line)).toEqual(told("setting up a model; cancel leaves everything as it is"));
    expect(place.session.exchange?.prompt).toBe("/model setup");
    await place.work();
    expect(place.session.interactions[0]?.request.question).toBe("Which provider?");
    expect(await place.type("/model setup")).toEqual(wrong("an exchange is open; its end comes first"));
  });
});

describe("/turn-limit", () => {
  test("shows and sets it", async () => {
    const place = new TestPlace();
    expect(await place.type("/turn-limit")).toEqual(told("0 of 25 turns"));
    expect(await place.type("/turn-limit 7")).toEqual(told("0 of 7 turns"));
    expect(await place.type("/turn-limit unlimited")).toEqual(told("0 of unlimited turns"));
    expect(await place.type("/turn-limit unlimted")).toMatchObject({
      problem: expect.stringMatching(/did you mean unlimited\?$/),
    });
    for (const typed of ["0", "-1", "1.5", "many"]) {
      expect(await place.type(`/turn-limit ${typed}`)).toMatchObject({ type: "wrong" });
    }
    expect(place.session.limits.turns).toBe("unlimited");
  });
});

describe("/stop", () => {
  test("ends the open exchange, and says when there is none", async () => {
    const place = new TestPlace({ replies: [{ text: "a" }] });
    expect(await place.type("/stop")).toMatchObject({ type: "wrong" });
    expect(await place.type("/stop kil")).toEqual(wrong('expected kill or nothing, found "kil"; did you mean kill?'));
    place.prompt("go");
    expect(await place.type("/stop kill")).toEqual(told("stopping; what runs is ended"));
    await place.work();
    expect(place.session.lastEnding).toEqual({ outcome: "stopped" });
  });
});

describe("/queue", () => {
  verifies("SEL-11e", "keeps a prompt for the next exchange, lists it and takes it back", async () => {
    const place = new TestPlace({ replies: [{ text: "a" }] });
    place.prompt("go");
    expect(await place.type("/queue")).toEqual(told("nothing waits"));
    expect(await place.type("/queue then test")).toEqual(told("waits as w1"));
    expect(await place.type("/queue drop the old table")).toEqual(told("waits as w2"));
    expect(await place.type("/queue list")).toEqual(
      told("w1  for the next exchange  then test\nw2  for the next exchange  drop the old table"),
    );
    expect(await place.type("/queue drop w3")).toEqual(
      wrong('drop: expected the id of a waiting text, found "w3"; there are w1, w2; did you mean w1?'),
    );
    expect(await place.type("/queue drop w1")).toEqual(told("w1 is taken back"));
    expect(place.session.waiting.map(({ id }) => id)).toEqual(["w2"]);
  });

  test("sends what is held", async () => {
    const place = new TestPlace({ replies: [{ text: "never seen" }, { text: "done" }] });
    place.prompt("go");
    await place.type("/queue later");
    await place.type("/stop");
    await place.work();
    expect(await place.type("/queue")).toEqual(told("w1  held  later"));
    expect(await place.type("/queue send w1")).toEqual(told("w1 is sent"));
    await place.pass();
    expect(place.session.lastEnding).toEqual({ outcome: "answered" });
  });

  test("sends at once where nothing is open", async () => {
    const place = new TestPlace();
    expect(await place.type("/queue go")).toEqual(told("nothing is open: it is sent"));
    expect(place.session.exchange?.prompt).toBe("go");
  });
});

describe("sessions", () => {
  verifies("SESS-3b", "/rename names it, and refuses what nobody can see", async () => {
    const place = new TestPlace();
    expect(await place.type("/rename parser")).toEqual(told("the session is called parser"));
    expect(await place.type("/rename")).toEqual(wrong("expected a name, found none"));
    expect(place.session.name).toBe("parser");
  });

  verifies("SESS-3b", "/sessions marks the one that is open", async () => {
    const place = new TestPlace();
    place.host.create({ cwd: "/other", limits: {} });
    expect(await place.type("/sessions")).toEqual(
      told("* s1  1970-01-01T00:16:40.000Z  new  /work  \n  s2  1970-01-01T00:16:40.000Z  new  /other  "),
    );
  });

  verifies("SESS-3b", "/sessions lists by the last change, and what changed together as it was made", async () => {
    const place = new TestPlace();
    for (const cwd of ["/second", "/third"]) place.host.create({ cwd, limits: {} });
    place.clock.skip(10);
    await place.type("/rename parser");
    expect(place.host.sessions().sessions.map(({ session }) => session)).toEqual(["s2", "s3", "s1"]);
    expect(await place.type("/sessions")).toEqual(
      told(
        "  s2  1970-01-01T00:16:40.000Z  new  /second  \n" +
          "  s3  1970-01-01T00:16:40.000Z  new  /third  \n" +
          "* s1  1970-01-01T00:16:40.010Z  new  /work  parser",
      ),
    );
  });

  verifies(
    "SESS-3b",
    "/resume opens by id or name, and lets the person pick where several fit or none is named",
    async () => {
      const place = new TestPlace();
      expect(await place.type("/resume")).toEqual(told("there is no other session"));
      for (const cwd of ["/other", "/work"]) {
        place.clock.skip(10);
        place.host.create({ cwd, limits: {} });
        place.host.submit("s2", { type: "name", name: "parser", ...acting });
      }
      place.clock.skip(10);
      place.host.create({ cwd: "/other", limits: {} });
      expect(await place.type("/resume s3")).toEqual({ type: "errand", errand: { type: "open", session: "s3" } });
      expect(await place.type("/resume parser")).toEqual({ type: "errand", errand: { type: "open", session: "s2" } });
      expect(await place.type("/resume")).toMatchObject({
        errand: { type: "pick", sessions: [{ session: "s3" }, { session: "s4" }, { session: "s2" }] },
      });
      expect(await place.type("/resume s")).toMatchObject({ errand: { type: "pick", sessions: { length: 4 } } });
      expect(await place.type("/resume parsre")).toEqual(
        wrong('no session has the id or name "parsre"; did you mean parser?'),
      );
    },
  );

  verifies(
    ["SESS-3b", "SEL-10"],
    "/resume of the open one goes on where the model failed, and nowhere else",
    async () => {
      const place = new TestPlace({ replies: [] });
      expect(await place.type("/resume s1")).toMatchObject({ type: "wrong" });
      place.prompt("go");
      await place.work();
      expect(place.session.failed).not.toBeNull();
      expect(await place.type("/resume s1")).toEqual(told(""));
      expect(place.session.counted.exchanges).toBe(2);
    },
  );

  verifies("SESS-3b", "/fork opens a copy, /new a new one, /exit leaves and /clear clears", async () => {
    const place = new TestPlace({ replies: [{ text: "hello" }] });
    place.prompt("hi");
    await place.work();
    expect(await place.type("/fork")).toEqual({ type: "errand", errand: { type: "open", session: "s2" } });
    expect(place.host.view("s2").history?.length).toBe(2);
    expect(await place.type("/new")).toEqual({ type: "errand", errand: { type: "begin" } });
    expect(await place.type("/exit")).toEqual({ type: "errand", errand: { type: "leave" } });
    expect(await place.type("/clear")).toEqual({ type: "errand", errand: { type: "clear" } });
    expect(await place.type("/exit now")).toEqual(wrong('expected no argument, found "now"'));
  });
});

describe("/export", () => {
  verifies("SESS-3b", "writes all events, one a line, for the owner's eyes, and never over a file", async () => {
    const place = new TestPlace({ cwd: folder, replies: [{ text: "hello" }] });
    place.prompt("hi");
    await place.work();
    const file = join(folder, "s1.jsonl");
    expect(await place.type("/export")).toEqual(told(`the session is written to ${file}`));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const lines = readFileSync(file, "utf8").trim().split("\n").map(decodeEvent);
    expect(lines.map((line) => (line.type === "event" ? line.event : line))).toEqual(await place.events());
    expect(await place.type("/export")).toEqual(
      wrong(`cannot write ${JSON.stringify(file)}: it is there already, and is not overwritten`),
    );
    expect(await place.type("/export b c.jsonl")).toEqual(
      told(`the session is written to ${join(folder, "b c.jsonl")}`),
    );
    expect(await place.type("/export none/here.jsonl")).toMatchObject({ problem: expect.stringContaining("ENOENT") });
  });
});

describe("/compact", () => {
  test("summarises, and says why it cannot", async () => {
    const place = new TestPlace({ replies: [{ text: "hello" }, { text: "a summary" }] });
    expect(await place.type("/compact")).toMatchObject({ type: "wrong" });
    place.prompt("hi");
    await place.work();
    expect(await place.type("/compact")).toEqual(told("the history is being summarised"));
    await place.pass();
    expect((await place.events()).map(({ type }) => type)).toContain("history.compacted");
  });
});

describe("what is told", () => {
  test("/context shows the facts and how full the window is", async () => {
    const provider = {
      window: 1_000,
      ask: async () =>
        ({ type: "replied", text: "hello", calls: [], usage: { input: 250, output: 1, cached: 0 } }) as const,
    };
    const place = new TestPlace({ ports: { provider } });
    expect(await place.type("/context")).toMatchObject({
      text: expect.stringContaining("nothing has been told so far"),
    });
    place.prompt("hi");
    await place.work();
    expect(await place.type("/context")).toEqual(
      told("cwd: /work\n\nhistory: 2 messages, 7 characters\ntokens: about 251 of 1000 (25 %)"),
    );
  });

  test("/tools names each with its tier and its first sentence", async () => {
    const { text } = { text: "", ...(await new TestPlace().type("/tools")) };
    expect(text.split("\n").at(0)).toBe(
      "agentic          safe      Open a run: work on an objective until you call complete.",
    );
    expect(text).toMatch(/^terminal +elevated {2}Run a bash command\.$/m);
  });

  test("/policy explains a command as it was typed, where the session is", async () => {
    const place = new TestPlace();
    expect(await place.type("/policy explain rm  -rf  a")).toEqual(told("allow: rm  -rf  a in /work"));
    expect(await place.type("/policy rules")).toEqual(told("no rules"));
    expect(await place.type("/policy explain")).toEqual(wrong("explain: expected a command, found none"));
    expect(await place.type("/policy explan ls")).toEqual(
      wrong('expected explain or rules, found "explan"; did you mean explain?'),
    );
    expect(await place.type("/policy")).toMatchObject({ type: "told" });
  });

  test("/doctor tells what the doctor says", async () => {
    expect(await new TestPlace().type("/doctor")).toEqual(told("ok  all is well"));
  });

  test("/text tells its usage", async () => {
    expect(await new TestPlace().type("/text")).toEqual(wrong("no question is open"));
  });
});

describe("/grants", () => {
  test("lists what is granted, and takes it back wherever it is kept", async () => {
    const place = new TestPlace();
    expect(await place.type("/grants")).toEqual(told("nothing is granted"));
    place.place.around.grants.put({ ...ruleOf("rm -rf build"), id: "g-s-2", scope: "project", created: 0, expires: 5 });
    expect(await place.type("/grants")).toEqual(
      told(
        "g-s-2  project  exact terminal: rm -rf build (recursive-deletion)\n" +
          "  /project  created 1970-01-01T00:00:00.000Z, expires 1970-01-01T00:00:00.005Z, does not count any more",
      ),
    );
    expect(await place.type("/grants revok g-s-2")).toMatchObject({
      problem: expect.stringMatching(/did you mean revoke\?$/),
    });
    expect(await place.type("/grants revoke g-s-3")).toEqual(wrong('no grant has the id "g-s-3"; did you mean g-s-2?'));
    vi.stubEnv("ASSENT_RUN", "s1/c1");
    expect(await place.type("/grants revoke g-s-2")).toEqual(
      wrong("a command that an agent runs cannot change what is granted"),
    );
    vi.stubEnv("ASSENT_RUN", undefined);
    expect(await place.type("/grants revoke g-s-2")).toEqual(told("grant g-s-2 is revoked"));
    expect(await place.type("/grants")).toEqual(told("nothing is granted"));
  });
});

describe("/flow", () => {
  test("asks the questions of a file, and says what is wrong with one", async () => {
    const place = new TestPlace({ cwd: folder });
    writeFileSync(join(folder, "a.json"), '{"steps":[{"key":"env","instruction":"Which one?","options":["A","B"]}]}');
    writeFileSync(join(folder, "b.json"), '{"steps":[]}');
    expect(await place.type("/flow")).toEqual(wrong("expected a file, found none"));
    expect(await place.type("/flow c.json")).toMatchObject({ problem: expect.stringMatching(/^c\.json: .*ENOENT/) });
    expect(await place.type("/flow b.json")).toMatchObject({
      problem: expect.stringMatching(/^b\.json: .*1 to 7 steps/),
    });
    expect(await place.type("/flow .")).toEqual(wrong(".: it is not a file"));
    expect(await place.type("/flow a.json")).toEqual(told("asking the questions of a.json"));
    await place.work();
    expect(place.session.interactions[0]?.request.question).toBe("Which one?");
  });
});

describe("/keep", () => {
  test("keeps a background process, and names those that there are", async () => {
    const place = new TestPlace();
    expect(await place.type("/keep")).toEqual(
      wrong('expected the pid of a background process, found ""; no background process runs'),
    );
    place.submit({ type: "process", state: "started", process: "p1", pid: 4711, since: 1, command: "serve" });
    expect(await place.type("/keep 4712")).toEqual(wrong('no background process has the pid "4712"; there are 4711'));
    expect(await place.type("/keep 4711")).toEqual(told("process 4711 does not end with the session"));
    expect(await place.type("/status")).toMatchObject({
      text: expect.stringContaining("background 4711  serve  (kept)"),
    });
  });
});
