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
