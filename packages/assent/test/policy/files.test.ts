import { describe, expect, test } from "vitest";
import type { Plan, PlannedPath } from "../../src/policy/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { saved } from "./grants.ts";
import { command, own, policy } from "./places.ts";
import { world } from "./world.ts";

type Case = [path: string, rule: string, more?: Partial<PlannedPath>];

function plan(use: "read" | "write", path: string, more: Partial<PlannedPath> = {}): Plan {
  const planned: PlannedPath = { path, real: path, use, outside: path.startsWith("/"), ...more };
  return { tool: use === "read" ? "read_file" : "write_file", cwd: world.cwd, paths: [planned] };
}

const verdictOn = (plan: Plan): readonly unknown[] => {
  const judged = policy.judge(plan);
  return [judged.verdict, judged.rule, judged.verdict === "ask" && (judged.grantable ?? null) !== null];
};

const secrets: readonly string[] = [
  ...".env,.env.local,.env.production,config/.env,server.key,certs/private.pem,id_rsa,.npmrc,.netrc".split(","),
  ..."/home/dev/.ssh/id_ed25519,/home/dev/.aws/credentials,/home/dev/.netrc,/home/dev/.kube/config".split(","),
  ..."/home/dev/.docker/config.json,/home/dev/.git-credentials,/home/dev/.gnupg/secring.gpg,/etc/shadow".split(","),
  ..."/home/dev/.config/gh/hosts.yml,/home/dev/.pgpass".split(","),
];

const readable: readonly string[] = [
  ..."src/main.ts,README.md,.env.example,.env.sample,.gitignore,package.json,docs/secrets.md,.github/ci.yml".split(","),
  ..."/etc/hosts,/usr/include/stdio.h,/home/dev/other/notes.txt,/home/dev/.ssh/id_ed25519.pub".split(","),
];

verifies(
  "APPR-11",
  "a file tool that reads what usually holds secrets asks first, and anything else is read at once",
  () => {
    const asked = ["ask", "secret-file", true];
    expect(secrets.map((path) => [path, ...verdictOn(plan("read", path))])).toEqual(
      secrets.map((path) => [path, ...asked]),
    );
    expect(readable.map((path) => [path, ...verdictOn(plan("read", path))])).toEqual(
      readable.map((path) => [path, "allow", "reads-file", false]),
    );
  },
);

verifies("APPR-11", "a link to a secret is one, by its name and by where it leads", () => {
  expect(verdictOn(plan("read", "notes.txt", { real: ".env" }))).toEqual(["ask", "secret-file", true]);
  expect(verdictOn(plan("read", ".env", { real: "notes.txt" }))).toEqual(["ask", "secret-file", true]);
  const reason = "it reads notes.txt, that is .env, which usually holds secrets";
  expect(policy.judge(plan("read", "notes.txt", { real: ".env" })).reason).toBe(reason);
});

verifies(
  "APPR-11",
  "a command that shows what usually holds secrets asks first, and one that does not show it runs",
  () => {
    const rulesOf = (text: string) => (policy.judge(command(text)).findings ?? []).map(({ rule }) => rule);
    const shows = [
      ..."cat .env,head -n 3 .env.local,grep KEY .env,base64 ~/.ssh/id_rsa,less ~/.aws/credentials,cat <.env".split(
        ",",
      ),
      ..."tac .env,nl .env,xxd .env,sort .env,cut -d= -f2 .env,awk '{print}' .env,sed -n 1p .env,jq . .env".split(","),
      ..."cp .env notes.txt,cd config && cat .env,cat $PWD/.env,x=.env; cat $x,cat .e?v,cat ./.en*,bat .env".split(","),
      ..."echo $(<.env),cat ~/.netrc,cat ~/.kube/config,diff .env /dev/null,env -S 'cat .env',xargs cat <<< .env".split(
        ",",
      ),
      ...'python3 -c \'print(open(".env").read())\',node -p \'fs.readFileSync(".env", "utf8")\''.split(/,(?=node)/),
    ];
    expect(shows.filter((text) => !rulesOf(text).includes("secret-read"))).toEqual([]);
    const harmless = [
      ..."ls -la .env,test -f .env,cp .env.example .env,echo A=1 >> .env,cat .env.example,wc -l .env,rm .env".split(
        ",",
      ),
      ..."cat ~/.ssh/id_rsa.pub,git status .env,grep -rn dotenv src,echo .env >> .gitignore,chmod 600 .env".split(","),
    ];
    expect(harmless.filter((text) => policy.judge(command(text)).verdict !== "allow")).toEqual([]);
  },
);

describe("a file tool that changes", () => {
  test.each<Case>([
    ["src/main.ts", "changes-project"],
    [".env", "changes-project"],
    ["docs/new/page.md", "changes-project"],
    [".git/info/exclude", "changes-project"],
  ])("%s in the project does not ask", (path, rule) => {
    expect(verdictOn(plan("write", path))).toEqual(["allow", rule, false]);
  });

  test.each<Case>([
    ["/etc/hosts", "overwrite-system"],
    ["/usr/local/bin/tool", "overwrite-system"],
    ["/dev/sda", "overwrite-system"],
    ["link.txt", "overwrite-system", { real: "/etc/hosts", outside: true }],
    [".git/hooks/pre-commit", "changes-code"],
    [".git/config", "changes-code"],
    [".github/workflows/ci.yml", "changes-code"],
    [".gitlab-ci.yml", "changes-code"],
    ["/home/dev/.bashrc", "changes-code"],
    ["/home/dev/.ssh/authorized_keys", "changes-code"],
    ["hooks/x", "changes-code", { real: ".git/hooks/pre-commit" }],
    ["/home/dev/other/notes.txt", "changes-outside"],
    ["/tmp/x", "changes-outside"],
    ["notes.txt", "changes-outside", { real: "/home/dev/other/notes.txt", outside: true }],
  ])("%s asks: %s", (path, rule, more) => {
    expect(verdictOn(plan("write", path, more))).toEqual(["ask", rule, true]);
  });

  test.each<Case>([
    [`${own[0]}/policy.json`, "self-approval", { self: true }],
    [".assent/policy.json", "self-approval", { self: true }],
    ["data/x", "self-approval", { real: `${own[0]}/x`, outside: true, self: true }],
  ])("%s asks, and nothing can be granted", (path, rule, more) => {
    expect(verdictOn(plan("write", path, more))).toEqual(["ask", rule, false]);
    expect(verdictOn(plan("read", path, more))).toEqual(["ask", rule, false]);
  });
});

test("several paths ask when one of them does", () => {
  const { paths: one = [] } = plan("read", "src/main.ts");
  const { paths: other = [] } = plan("write", "/etc/hosts");
  expect(verdictOn({ tool: "move", cwd: world.cwd, paths: [...one, ...other] })).toEqual([
    "ask",
    "overwrite-system",
    true,
  ]);
});

verifies("APPR-7i", "a grant for a file is for that tool, use and place alone", () => {
  const asked = plan("write", "/home/dev/other/notes.txt");
  const judged = policy.judge(asked);
  expect(judged.verdict === "ask" && judged.grantable).toBeTruthy();
  if (judged.verdict !== "ask" || !judged.grantable) return;
  const grant = saved(judged.grantable, "project");
  const grantedBy = (other: Plan) => "granted" in policy.judge(other, [grant]);
  expect(grantedBy(asked)).toBe(true);
  expect(grantedBy(plan("write", "/home/dev/other/more.txt"))).toBe(false);
  expect(grantedBy(plan("write", "/home/dev/other/notes.txt", { real: "/etc/hosts" }))).toBe(false);
  expect(grantedBy({ ...asked, tool: "edit_file" })).toBe(false);
  expect(grantedBy({ ...asked, cwd: "/home/dev/third" })).toBe(false);
  const { paths: more = [] } = plan("write", "/home/dev/other/more.txt");
  expect(grantedBy({ ...asked, paths: [...(asked.paths ?? []), ...more] })).toBe(false);
});

test("what cannot be done, what concerns the session's own, and what only looks something up do not ask", () => {
  const { cwd } = world;
  expect(verdictOn({ tool: "write_file", cwd, fails: "no such folder" })).toEqual(["allow", "does-nothing", false]);
  expect(verdictOn({ tool: "process", cwd })).toEqual(["allow", "own-process", false]);
  expect(verdictOn({ tool: "terminal", cwd })).toEqual(["allow", "closes-shell", false]);
  expect(verdictOn({ tool: "lookup", cwd, tier: "safe" })).toEqual(["allow", "safe-tool", false]);
  expect(verdictOn({ tool: "deploy", cwd, tier: "elevated" })).toEqual(["ask", "elevated-tool", true]);
  expect(verdictOn({ tool: "terminal", cwd, command: "ls", shell: null })).toEqual(["ask", "persistent-shell", false]);
});
