import { describe, expect, test } from "vitest";
import type { Grant, Json, SessionEvent } from "../../src/core/index.ts";
import { type ConfiguredRule, openPolicy } from "../../src/policy/index.ts";
import { type JudgedAgain, type JudgingAgain, judgeAgain } from "../../src/runtime/index.ts";
import { ruleOf } from "../core/grants.ts";
import { read, Story, terminal } from "../core/story.ts";
import { verifies } from "../requirements/verifies.ts";

const facts = { cwd: "/home/ada/project", home: "/home/ada" };

const noList: ConfiguredRule = {
  ...{ name: "no-list", command: ["ls"], verdict: "deny", reason: "nobody lists here" },
  examples: { match: ["ls -l"], differ: ["cat x"] },
};

type Told = { readonly tool?: string; readonly arguments?: string; readonly facts?: Json; readonly was?: Partial<Was> };
type Was = Extract<SessionEvent, { readonly type: "call.judged" }>;

/** A session in which one call was judged on these facts. */
function recorded(command: string | null, { tool = "read_file", arguments: given = "{}", ...told }: Told = {}) {
  const call = command === null ? { ...read("x"), tool, arguments: given } : terminal(command);
  const story = new Story().prompt().model("", call).judge("allow");
  return story.events.map((event): SessionEvent => {
    if (event.type === "session.created") return { ...event, cwd: facts.cwd };
    return event.type === "call.judged"
      ? { ...event, rule: "nothing-found", facts, ...told.was, ...factsIn(told) }
      : event;
  });
}

function factsIn({ facts: given }: Told): { readonly facts?: Json } {
  return given === undefined ? {} : { facts: given };
}

function judging(more: Partial<JudgingAgain> = {}): JudgingAgain {
  return {
    policy: (home) => openPolicy({ platform: "linux", home: home ?? "/home/now", own: ["/home/ada/.assent"] }),
    ...{ rules: () => [], kept: [], recorded: [] },
    ...more,
  };
}

function only(events: readonly SessionEvent[], more: Partial<JudgingAgain> = {}): JudgedAgain {
  const [first, ...others] = judgeAgain(events, judging(more));
  if (first === undefined || others.length > 0) throw new Error(`expected one call, came ${others.length + 1}`);
  return first;
}

describe("a call that was judged", () => {
  verifies("SESS-6c", "is judged by the rules of now and the facts of then", () => {
    expect(only(recorded("ls -la"), { rules: () => [noList] })).toMatchObject({
      ...{ call: "t1c1", tool: "terminal", what: "ls -la", assumed: [] },
      was: { verdict: "allow", rule: "nothing-found" },
      now: { verdict: "deny", rule: "no-list", reason: "nobody lists here" },
    });
    expect(only(recorded("echo a"), { rules: () => [noList] })).toMatchObject({ now: { verdict: "allow" } });
    // In the home of then, not in that of now.
    const links = { "/home/ada/.bashrc": "/home/ada/.bashrc" };
    const startup = recorded("touch /home/ada/.bashrc", { facts: { ...facts, links } });
    expect(only(startup)).toMatchObject({ now: { verdict: "ask", rule: "overwrite-startup" } });
  });

  verifies("SESS-6c", "is judged by where the home led then", () => {
    const links = { "/home/ada/.bashrc": "/data/ada/.bashrc" };
    const asked: unknown[] = [];
    const policy: JudgingAgain["policy"] = (home, realHome) => {
      asked.push([home, realHome]);
      return openPolicy({
        platform: "linux",
        home: home ?? "",
        own: [],
        ...(realHome === undefined ? {} : { realHome }),
      });
    };
    const startup = (more: object) => recorded("touch ~/.bashrc", { facts: { ...facts, ...more, links } });
    expect(only(startup({ real_home: "/data/ada" }), { policy })).toMatchObject({ now: { rule: "overwrite-startup" } });
    expect(only(startup({}), { policy })).toMatchObject({ now: { verdict: "allow" } });
    expect(asked).toEqual([
      ["/home/ada", "/data/ada"],
      ["/home/ada", undefined],
    ]);
  });

  verifies("SESS-6c", "is judged by where links led then", () => {
    const links = { "/home/ada/project/a": "/etc/passwd" };
    const told = { facts: { ...facts, links } };
    expect(only(recorded("echo x > a", told))).toMatchObject({ now: { verdict: "ask", rule: "overwrite-system" } });
    const plain = { facts: { ...facts, links: { "/home/ada/project/a": "/home/ada/project/a" } } };
    expect(only(recorded("echo x > a", plain))).toMatchObject({ now: { verdict: "allow" } });
  });

  verifies("SESS-6c", "on a file is judged by what its path was, whatever it is now", () => {
    const path = { path: "a", real: "/etc/passwd", use: "write", outside: true };
    const told = { tool: "write_file", facts: { ...facts, paths: [path] } };
    expect(only(recorded(null, told))).toMatchObject({ now: { verdict: "ask", rule: "overwrite-system" } });
  });

  test("of an outside server is judged by what a person had accepted", () => {
    const outside = { server: "one", definition: "d" };
    const asked = (more: object) =>
      only(recorded(null, { tool: "one__x", facts: { ...facts, outside: { ...outside, ...more } } }));
    expect(asked({})).toMatchObject({ now: { verdict: "ask", rule: "outside-tool" } });
    expect(asked({ changed: true })).toMatchObject({ now: { verdict: "ask", rule: "changed-tool" } });
    const marked = { tool: "one__x", facts: { ...facts, outside, tier: "safe" } };
    expect(only(recorded(null, marked))).toMatchObject({ now: { verdict: "allow", rule: "marked-tool" } });
  });

  test("by nobody's policy is as it was: filled in by a person, read-only, without its tool, or impossible", () => {
    const words: readonly Partial<Was>[] = [
      { verdict: "allow", rule: "person", reason: "a person filled it in and confirmed it" },
      { verdict: "deny", rule: "read-only", reason: "nothing may be changed here: this was started as read-only" },
      { verdict: "deny", rule: "no-such-tool", facts: null },
      { verdict: "allow", rule: "does-nothing" },
    ];
    for (const was of words) {
      const { now, was: before } = { now: null, ...only(recorded("ls", { was }), { rules: () => [noList] }) };
      expect(now).toEqual(before);
    }
  });

  test("several times is judged as it was the last time", () => {
    const events = recorded("ls");
    const judged = events.filter(({ type }) => type === "call.judged");
    const at = events.findIndex(({ type }) => type === "call.judged");
    expect(judgeAgain(events.toSpliced(at, 0, ...judged), judging())).toHaveLength(1);
  });
});

describe("what a person granted", () => {
  const grant = { ...ruleOf("rm -r old"), root: facts.cwd, id: "g1", scope: "user", created: 0 } as const;
  const policy: JudgingAgain["policy"] = () => ({
    version: "1",
    judge(plan, grants = []) {
      const found = grants.find(({ signature }) => signature === ruleOf(plan.command ?? "").signature);
      if (found !== undefined) return { verdict: "allow", rule: "granted", reason: "", granted: found.id };
      return { verdict: "ask", rule: "r", reason: "", grantable: ruleOf(plan.command ?? "") };
    },
  });
  const was = { rule: "granted", granted: { id: "g1", scope: "user" } } as const;

  verifies("SESS-6c", "counts as it did then, whatever is left of it", () => {
    const used: Grant = { ...grant, uses: 0, expires: 1 };
    expect(only(recorded("rm -r old", { was }), { policy, kept: [used] })).toMatchObject({
      now: { verdict: "allow" },
    });
    expect(only(recorded("rm -r old"), { policy, kept: [grant] })).toMatchObject({ now: { verdict: "allow" } });
  });

  test("counts for no call from before it was granted", () => {
    const later = { ...grant, created: 5_000 };
    expect(only(recorded("rm -r old"), { policy, kept: [later] })).toMatchObject({ now: { verdict: "ask" } });
  });

  verifies("SESS-6c", "and was taken back counts for what it allowed then, and for nothing else", () => {
    const recordedOnly = { policy, recorded: [grant] };
    expect(only(recorded("rm -r old", { was }), recordedOnly)).toMatchObject({ now: { verdict: "allow" } });
    expect(only(recorded("rm -r old"), recordedOnly)).toMatchObject({ now: { verdict: "ask" } });
  });

  verifies("SESS-6d", "and nobody knows any more leaves the verdict open", () => {
    expect(only(recorded("rm -r old", { was }), { policy })).toMatchObject({
      unknown: "grant g1, by which it was allowed, is not kept any more",
    });
  });
});

describe("a call of which not all is recorded", () => {
  const unknown = (events: readonly SessionEvent[], more: Partial<JudgingAgain> = {}) => {
    const judged = only(events, more);
    return "unknown" in judged ? judged.unknown : judged.now;
  };

  verifies("SESS-6d", "is not judged again, and it is told why", () => {
    expect(unknown(recorded("ls", { facts: "none" }))).toBe("what it was judged by is not recorded");
    expect(unknown(recorded(null, { facts: { cwd: facts.cwd } }))).toBe(
      "what it was about is not recorded: an earlier version did not keep it",
    );
    expect(unknown(recorded("echo x > a"))).toBe("where /home/ada/project/a led then is not recorded");
    expect(unknown(recorded("ls [secret]"))).toBe("a value that is hidden stands in it");
  });

  verifies("SESS-6d", "because of what its shell had defined is judged only where that makes no difference", () => {
    const shell = { variables: ["X", "HOME_OF"], inherited: ["HOME_OF"] };
    const told = { facts: { ...facts, shell } };
    expect(unknown(recorded("$X -rf build", told))).toBe("what its shell had defined is recorded by name only: X");
    expect(unknown(recorded("echo $X", told))).toMatchObject({ verdict: "allow" });
    const links = { "/home/ada/project/build": "/home/ada/project/build" };
    const inherited = { facts: { ...facts, links, shell: { variables: ["HOME_OF"], inherited: ["HOME_OF"] } } };
    expect(unknown(recorded("rm -rf build", inherited))).toMatchObject({ verdict: "ask" });
    expect(unknown(recorded("ls", { facts: { ...facts, shell: null } }))).toMatchObject({ rule: "persistent-shell" });
  });

  test("where a path could not be told then, it cannot be told now, and that is a fact like others", () => {
    const told = { facts: { ...facts, untold: ["/home/ada/project/a"] } };
    expect(unknown(recorded("echo x > a", told))).toMatchObject({ verdict: expect.any(String) });
  });

  verifies("SESS-6d", "by an earlier version is judged for the home of now, and says so", () => {
    expect(only(recorded("ls", { facts: { cwd: facts.cwd } }))).toMatchObject({
      now: { verdict: "allow" },
      assumed: ["home"],
    });
  });
});
