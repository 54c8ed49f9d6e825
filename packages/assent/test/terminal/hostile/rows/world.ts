import { goesOn, keep, type Row, run, timedOut, worked } from "../row.ts";

const soon = { timeout_s: 1 } as const;
const long = (length: number) => `: ${"x".repeat(length)}; echo long-done`;

/** Folders that go away, limits of the system, input that never comes, signals that hit the wrong one. */
export const world: readonly Row[] = [
  {
    name: "kill 0 ends the command and nothing else",
    requirement: "TERM-7",
    steps: [
      run("kill 0; sleep 1000", { signal: "SIGTERM" }),
      run("trap '' TERM; kill -9 0; sleep 1000", { signal: "SIGKILL" }),
    ],
  },
  {
    name: "a command whose shell is killed by its child is a result",
    requirement: "TERM-7",
    steps: [
      run("bash -c 'kill -9 $PPID'; echo never", { signal: "SIGKILL", lacks: ["never"] }),
      run("echo dying; kill -9 $$", { signal: "SIGKILL", says: ["dying"] }),
      run("kill -SEGV $$; sleep 1000", { signal: "SIGSEGV" }),
    ],
  },
  {
    name: "exec is a result",
    requirement: "TERM-7",
    steps: [
      run("exec echo replaced", { ...worked, says: ["replaced"] }),
      run("exec /nowhere", { type: "output", exit: 127 }),
    ],
  },
  {
    name: "a command that deletes its folder is a result, and the next one says that it is gone",
    requirement: "TERM-7",
    steps: [
      run("mkdir @here/doomed", worked),
      run("rm -r @here/doomed; echo gone", { ...worked, says: ["gone"] }, { cwd: "@here/doomed" }),
      run(
        "echo never",
        { type: "error", says: ["@here/doomed", /not exist|no such|gone/i], lacks: ["never"] },
        { cwd: "@here/doomed" },
      ),
      run("echo elsewhere", { ...worked, says: ["elsewhere"] }),
    ],
  },
  {
    name: "a folder that never existed is told as that",
    requirement: "TERM-7",
    steps: [
      run("echo never", { type: "error", says: ["@here/none", /not exist|no such|gone/i] }, { cwd: "@here/none" }),
      keep("echo never", { type: "error", says: ["@here/none", /not exist|no such|gone/i] }, { cwd: "@here/none" }),
    ],
  },
  {
    name: "a file in the place of the folder is told as that",
    requirement: "TERM-7",
    steps: [
      run(": > @here/file", worked),
      run("echo never", { type: "error", says: ["@here/file"], lacks: [/never$/] }, { cwd: "@here/file" }),
    ],
  },
  {
    name: "a persistent shell whose folder is removed says so and goes on",
    requirement: "TERM-7",
    steps: [
      keep("mkdir -p doomed/deep; cd doomed/deep", { ...worked, cwd: "@here/doomed/deep" }),
      keep("rm -r @here/doomed; echo removed", { says: ["removed"] }),
      goesOn,
      keep("cd @here; pwd", { ...worked, says: ["@here"], cwd: "@here" }),
    ],
  },
  {
    name: "a persistent shell that died in a folder that is removed opens somewhere and says so",
    requirement: "TERM-7",
    steps: [
      keep("mkdir doomed; cd doomed", { ...worked, cwd: "@here/doomed" }),
      keep("rm -r @here/doomed; kill -9 $$", { says: [/shell/i] }),
      keep("echo maybe", { says: [/doomed|maybe/] }),
      keep("cd @here && echo back", {}),
      { type: "terminal", close: true, expected: {} },
      run("echo elsewhere", { ...worked, says: ["elsewhere"] }),
    ],
  },
  {
    name: "a folder with newline, quotes and dollar in its name is a folder",
    requirement: "TERM-3",
    steps: [
      keep("mkdir \"$PWD/a'b\\\"c\"$'\\n''$(id)'; cd \"$PWD/a'b\\\"c\"$'\\n''$(id)'; echo in", {
        ...worked,
        says: ["in"],
        cwd: "@here/a'b\"c\n$(id)",
      }),
      goesOn,
    ],
  },
  {
    name: "a variable of a megabyte hinders programs and not the shell",
    requirement: "TERM-7",
    steps: [
      keep("big=$(head -c 1000000 /dev/zero | tr '\\0' x); printf %s \"$big\" | wc -c; export big", {
        ...worked,
        says: ["1000000"],
      }),
      keep("/bin/echo never", { type: "output", exit: 126, says: [/too long/i] }),
      keep("unset big; /bin/echo again", { ...worked, says: ["again"] }),
    ],
  },
  {
    name: "a megabyte of environment in parts hinders nothing",
    requirement: "TERM-7",
    steps: [
      keep("part=$(head -c 100000 /dev/zero | tr '\\0' x); for n in {1..10}; do export big$n=$part; done", worked),
      keep('/bin/echo "$big10" | wc -c', { ...worked, says: ["100001"] }),
    ],
  },
  {
    name: "a command of 120 kilobytes runs",
    requirement: "TERM-7",
    steps: [
      run(long(120_000), { ...worked, says: ["long-done"] }),
      keep(long(120_000), { ...worked, says: ["long-done"] }),
    ],
  },
  {
    name: "a command of a megabyte runs or is a clear error",
    requirement: "TERM-7",
    steps: [
      run(long(1_000_000), { says: [/^long-done|too long|E2BIG/i] }),
      run("echo after", { ...worked, says: ["after"] }),
    ],
  },
  {
    name: "a command of a megabyte runs in the persistent shell or is a clear error",
    requirement: "TERM-7",
    steps: [keep(long(1_000_000), { says: [/long-done|too long|E2BIG/i] }), goesOn],
  },
  {
    name: "a command with a NUL byte in it runs or is a clear error",
    requirement: "TERM-7",
    steps: [run("echo a\0b", { says: [/a|null|NUL/i] }), keep("echo a\0b", { says: [/a|null|NUL/i] }, soon), goesOn],
  },
  {
    name: "twenty descriptors break at most the shell",
    requirement: "TERM-7",
    steps: [
      run("ulimit -n 20; echo few", { ...worked, says: ["few"] }),
      keep("ulimit -n 20; echo few", { says: ["few"] }),
      goesOn,
    ],
  },
  {
    name: "a shell that may write no files breaks at most itself",
    requirement: "TERM-7",
    steps: [keep("ulimit -f 0; echo none", { says: ["none"] }), goesOn],
  },
  {
    name: "a shell that may use no more memory breaks at most itself",
    requirement: "TERM-7",
    steps: [
      keep("ulimit -v 20000; echo small", { says: ["small"] }),
      keep("true", {}),
      { type: "terminal", close: true, expected: {} },
      run("echo fresh", { ...worked, says: ["fresh"] }),
    ],
  },
  {
    name: "a command that used up its processor time is a result",
    requirement: "TERM-3",
    steps: [run("ulimit -t 1; while :; do :; done", { signal: "SIGKILL" }, { timeout_s: 20 })],
  },
  {
    name: "cat, read and ssh-like programs find no input and no terminal",
    requirement: "TERM-6",
    steps: [
      run("cat; echo read-all", { ...worked, says: ["read-all"] }),
      run('read -r x; echo "$? [$x]"', { ...worked, says: ["1 []"] }),
      run("read -r x < /dev/tty; echo tty-$?", { ...worked, says: ["tty-1", "/dev/tty"] }),
      run("[ -t 0 ] || [ -t 1 ] || [ -t 2 ] || echo no terminal", { ...worked, says: ["no terminal"] }),
      keep("read -r x < /dev/tty; echo tty-$?", { ...worked, says: ["tty-1", "/dev/tty"] }),
    ],
  },
  {
    name: "a program that looks for input without end is ended with its time",
    requirement: "TERM-6",
    steps: [run("while ! read -r x; do :; done", timedOut, soon)],
  },
  {
    name: "a command sees its marker and no variable that is hidden",
    requirement: "TERM-7",
    steps: [
      run('echo "$ASSENT_RUN [$HOSTILE_SECRET] [$HOSTILE_OPEN]"', { ...worked, says: ["@session/c1 [] [open]"] }),
      keep('echo "$ASSENT_RUN [$HOSTILE_SECRET] [$HOSTILE_OPEN]"', { ...worked, says: ["@session/c2 [] [open]"] }),
    ],
  },
  {
    name: "a one-off command beside the open shell, a command with close, and nothing at all are errors that say what to do",
    requirement: "TERM-2",
    steps: [
      { type: "terminal", close: true, expected: { type: "output", says: [/no|not|none/i] } },
      { type: "terminal", expected: { type: "error" } },
      keep("echo open", { ...worked, says: ["open"] }),
      run("echo never", { type: "error", says: [/persistent|close/i], lacks: [/^never$/m] }),
      run("echo never", { type: "error", lacks: [/^never$/m] }, { close: true }),
      { type: "terminal", close: true, expected: { type: "output" } },
      run("echo again", { ...worked, says: ["again"] }),
    ],
  },
  {
    name: "a time-out that is not within 1 to 300 is an argument error",
    requirement: "TERM-4",
    steps: [0, -1, 301, 1e300].map((timeout_s) =>
      run("echo never", { type: "error", lacks: [/^never$/m] }, { timeout_s }),
    ),
  },
];

const secret = { text: "correct horse", secret: true } as const;
const plain = { text: "seven", secret: false } as const;

/** With a person who can answer, a command that waits for input becomes a question. */
export const input: readonly Row[] = [
  {
    name: "a command that waits for input and gets none is ended with a clear result",
    requirement: "TERM-6",
    attended: [null],
    steps: [
      run(
        "echo $$ >> pids; printf 'Name? '; read -r x; echo \"got [$x]\"",
        { type: "error", nothingLeft: true },
        { timeout_s: 20 },
      ),
    ],
  },
  {
    name: "a command that waits for input gets what was typed",
    requirement: "TERM-6",
    attended: [plain],
    steps: [
      run("printf 'How many? '; read -r x; echo \"got [$x]\"", { ...worked, says: ["got [seven]"] }, { timeout_s: 20 }),
    ],
  },
  {
    name: "a secret that was typed is in no result and no output",
    requirement: "TERM-6",
    attended: [secret],
    steps: [
      run(
        "read -r -s -p 'Password: ' x < /dev/tty; printf %s \"$x\" | wc -c",
        { ...worked, says: ["13"], lacks: ["horse"] },
        { timeout_s: 20 },
      ),
    ],
  },
  {
    name: "a program that asks without end is ended when nobody answers any more",
    requirement: "TERM-6",
    attended: [plain, plain, plain, null],
    steps: [
      run("echo $$ >> pids; while :; do read -r x; done", { type: "error", nothingLeft: true }, { timeout_s: 20 }),
    ],
  },
  {
    name: "a deaf program that asks is stopped while the question is open",
    requirement: "TERM-6",
    attended: [],
    steps: [
      run(
        "trap '' TERM INT HUP; echo $$ >> pids; : > ready; read -r x; sleep 1000",
        { says: [/kill/i], nothingLeft: true },
        { stop: "ready" },
      ),
    ],
  },
];
