import type { Grant, GrantRule, GrantScope } from "../../src/core/index.ts";
import type { Plan, ShellFacts, Verdict } from "../../src/policy/index.ts";
import { command, policy } from "./places.ts";
import { dangerousSeeds } from "./rewriting/seeds.ts";
import { world } from "./world.ts";

/** The rule that a person could save at the question about this. */
export function grantableFor(plan: Plan): GrantRule | null {
  const judged = policy.judge(plan);
  return judged.verdict === "ask" ? (judged.grantable ?? null) : null;
}

export function saved(rule: GrantRule, scope: GrantScope): Grant {
  return { ...rule, id: `g-${scope}`, scope, created: 0 };
}

/** Whether a grant is what lets this run. */
export function isGranted(plan: Plan, grant: Grant): boolean {
  const judged = policy.judge(plan, [grant]);
  return judged.verdict === "allow" && judged.granted === grant.id;
}

export const findingsOf = (verdict: Verdict): string =>
  JSON.stringify((verdict.findings ?? []).map(({ rule, reason }) => [rule, reason]));

/** Commands of which something can be granted: the dangerous ones of the rewriting tests, and some of other shapes. */
export const grantables: readonly { readonly text: string; readonly rule: GrantRule }[] = [
  ...dangerousSeeds.map(({ source }) => source),
  "rm -rf build 2>&1",
  "rm -rf build < answers.txt",
  "rm -rf build && mkdir build",
  "rm -rf build; mkdir build",
  "cd packages && rm -rf dist",
  "if test -d build; then rm -rf build; fi",
  "git push origin main --tags",
  "git push 2>&1 | tail -n 3",
  "curl -s https://example.com/a.json > a.json",
  "curl -s https://example.com/a.json | jq '.[0]'",
  "VERSION=2 npm publish --tag next",
  "python3 <<'PY'\nimport shutil\nshutil.rmtree('build')\nPY",
  "psql -h db.example <<'SQL'\nselect 1\nSQL",
  "rm -r 'a folder' \"another folder\"",
  "rm -rf 'it'\\''s'",
  "timeout 5 rm -rf build",
  "bash -c 'rm -rf build && ls'",
  "rm -rf build # the old one",
].flatMap((text) => {
  const rule = grantableFor(command(text));
  return rule === null ? [] : [{ text, rule }];
});

/** A shell that people have worked in, where nothing that the commands here use means anything else. */
const workedIn: ShellFacts = {
  functions: { greet: "{ \n    echo hello\n}" },
  aliases: { gs: "git status" },
  traps: {},
  variables: { EDITOR_THEME: "dark", LAST_RESULT: "0" },
  options: { expand_aliases: true, histexpand: false },
  places: {},
  disabled: [],
  inherited: ["EDITOR_THEME"],
};

export const inShell = (text: string, cwd: string = world.cwd, more: Partial<ShellFacts> = {}): Plan =>
  command(text, { cwd, shell: { ...workedIn, ...more }, more: { persistent: true, folder: world.root } });
