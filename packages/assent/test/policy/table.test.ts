import { expect, test } from "vitest";
import { policy } from "../../src/policy/index.ts";

function verdict(command: string): string {
  return policy.judge({ tool: "terminal", cwd: "/work", command }).verdict;
}

test.each([
  "echo hello",
  "ls",
  "ls -la src",
  " pwd ",
  "true",
  "false",
  "seq 1 5",
  "sleep 1",
  "echo 'it is; fine & well'",
  "echo ''",
])("%j is one plain command of a harmless program: nobody is asked", (command) => {
  expect(verdict(command)).toBe("allow");
});

test.each([
  ...["rm -rf build", "cat .env", "curl example.org", "sudo ls", "unknown", "", " ", "/bin/ls", "./ls", "'ls'", "l's'"],
  ...[
    "ls; rm x",
    "ls && rm x",
    "ls | sh",
    "ls & rm x",
    "ls\nrm x",
    "ls\rrm x",
    "ls > x",
    "ls >> x",
    "ls < x",
    "ls 2>&1",
  ],
  ...[
    "echo $(rm x)",
    "echo `rm x`",
    "echo $HOME",
    "echo $" + "{x:=1}",
    'echo "$(rm x)"',
    'echo "a"',
    "echo \\a",
    "echo ~",
  ],
  ...[
    "echo {a,b}",
    "ls *",
    "ls ?",
    "ls [a]",
    "echo !!",
    "echo #x",
    "(ls)",
    "{ ls; }",
    "! ls",
    "ls\u2028rm x",
    "ls\u00a0x",
  ],
  ...[
    "A=b ls",
    "PATH=. ls",
    "ls=1",
    "echo 'open",
    "echo a'b",
    "echo 'a\nb'",
    "echo 'a\u0000b'",
    "time ls",
    "env ls",
    "exec ls",
  ],
  ...["printf hello", "printf -v 'a[$(touch pwned)]' x", "printf '-v' 'a[$(touch pwned)]' x", "eval ls", "command ls"],
  ...["\u0435cho hi", "ｌｓ", "ls\u200b", "ls\t-la"],
])("%j is not surely harmless: a person is asked", (command) => {
  expect(verdict(command)).toBe("ask");
});

test("what has no command is asked about", () => {
  expect(policy.judge({ tool: "anything", cwd: "/work" }).verdict).toBe("ask");
});

const file = { path: "src/a.ts", real: "src/a.ts", use: "read", outside: false } as const;

test.each([
  ["reading in the project", [file], "allow"],
  ["reading through a link inside", [{ ...file, real: "lib/a.ts" }], "allow"],
  ["nothing named at all", [], "allow"],
  ["reading outside", [{ ...file, path: "/etc/hosts", real: "/etc/hosts", outside: true }], "ask"],
  ["a link that leads outside", [{ ...file, real: "/etc/hosts", outside: true }], "ask"],
  ["a hidden file", [{ ...file, path: ".env", real: ".env" }], "ask"],
  ["a hidden folder", [{ ...file, path: "a/.git/config", real: "a/.git/config" }], "ask"],
  ["a link to a hidden file", [{ ...file, real: ".env" }], "ask"],
  ["writing", [{ ...file, use: "write" }], "ask"],
  ["one of several", [file, { ...file, use: "write" }], "ask"],
] as const)("files: %s", (_, paths, expected) => {
  expect(policy.judge({ tool: "read_file", cwd: "/work", paths }).verdict).toBe(expected);
});

test("nobody is asked about what cannot be done, what was started here, or the end of the shell", () => {
  const at = { cwd: "/work" };
  expect(policy.judge({ ...at, tool: "edit_file", fails: "no such file" }).verdict).toBe("allow");
  expect(policy.judge({ ...at, tool: "process", more: { operation: "kill", process: "7" } }).verdict).toBe("allow");
  expect(policy.judge({ ...at, tool: "terminal", more: { close: true } }).verdict).toBe("allow");
});

test("a change that leads outside says where to", () => {
  const paths = [{ path: "link", real: "/etc/hosts", use: "write", outside: true }] as const;
  expect(policy.judge({ tool: "write_file", cwd: "/work", paths })).toEqual({
    verdict: "ask",
    rule: "changes-outside",
    reason: "it changes link, that is /etc/hosts, outside the session's folder",
  });
});

test("in the persistent shell nothing is known to be harmless: a name may mean anything there", () => {
  const plan = { tool: "terminal", cwd: "/work", command: "ls" };
  expect(policy.judge({ ...plan, more: { persistent: false } }).verdict).toBe("allow");
  expect(policy.judge({ ...plan, more: { persistent: true } })).toMatchObject({
    verdict: "ask",
    rule: "persistent-shell",
  });
});
