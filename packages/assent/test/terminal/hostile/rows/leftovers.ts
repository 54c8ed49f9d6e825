import { keep, type Row, run, type Step, worked } from "../row.ts";

const left = { ...worked, background: true } as const;
const perl = { needs: "perl" } as const;

function ask(operation: "list" | "read" | "wait" | "kill", says: readonly (string | RegExp)[] = []): Step {
  const which = operation === "list" ? {} : { process: "@process" };
  return {
    type: "process",
    operation,
    ...which,
    ...(operation === "wait" ? { timeout_s: 1 } : {}),
    expected: { says },
  };
}

/** What goes on when the command has ended: it holds nothing up, is told of, and ends with the session. */
export const leftovers: readonly Row[] = [
  {
    name: "a child that holds the pipe for ever does not hold the call",
    requirement: "TERM-5",
    steps: [run("sleep 1000 & echo $! >> pids; echo started", { ...left, says: ["started"] })],
  },
  {
    name: "a child that holds the pipe of a persistent shell holds neither this call nor the next",
    requirement: "TERM-5",
    steps: [
      keep("sleep 1000 & echo $! >> pids; echo started", { ...left, says: ["started"] }),
      keep("echo next", { ...worked, says: ["next"], lacks: ["started"] }),
    ],
  },
  {
    ...{ name: "a daemon by the book is told of and ends with the session", requirement: "TERM-5", ...perl },
    steps: [run("perl @programs/daemon.pl", { ...left, says: ["daemon started"] })],
  },
  {
    ...{ name: "a daemon of a persistent shell ends with the session", requirement: "TERM-5", ...perl },
    steps: [keep("perl @programs/daemon.pl", { ...left, says: ["daemon started"] })],
  },
  {
    name: "a daemon that wiped its marker before it was seen holds nothing up",
    ...{ requirement: "STOP-3", ...perl, escapes: true },
    steps: [run("perl @programs/daemon.pl bare", { ...worked, says: ["daemon started"] })],
  },
  {
    ...{ name: "a process started by setsid and nohup ends with the session", requirement: "TERM-5", needs: "setsid" },
    steps: [run("setsid nohup sleep 1000 > /dev/null 2>&1 & echo $! >> pids", left)],
  },
  {
    name: "a disowned process ends with the session",
    requirement: "TERM-5",
    steps: [run("nohup sleep 1000 > /dev/null 2>&1 & echo $! >> pids; disown", left)],
  },
  {
    name: "a process that a persistent shell disowned ends when the shell is closed and the session, too",
    requirement: "TERM-5",
    steps: [
      keep("nohup sleep 1000 > /dev/null 2>&1 & echo $! >> pids; disown; unset ASSENT_RUN", left),
      keep("sleep 1000 & echo $! >> pids", worked),
      { type: "terminal", close: true, expected: { type: "output" } },
    ],
  },
  {
    ...{ name: "a deaf member of a group without leader ends with the session", requirement: "TERM-5", ...perl },
    steps: [run("perl @programs/leaderless.pl", { ...left, says: ["leader gone"] })],
  },
  {
    name: "a stopped process in the background ends with the session",
    requirement: "TERM-5",
    steps: [run("sleep 1000 & echo $! >> pids; kill -STOP $!", left)],
  },
  {
    name: "a command may end while its child writes without end",
    ...{ requirement: "TERM-5", floods: true },
    steps: [run("yes & echo $! >> pids; sleep 0.2; exit 3", { type: "output", exit: 3 })],
  },
  {
    name: "what a background job writes after the call returned is read by process",
    requirement: "TERM-5",
    steps: [
      run("(sleep 0.5; echo late words; exec sleep 1000) & echo $! >> pids; echo started", {
        ...{ ...left, says: ["started"], lacks: ["late words"] },
      }),
      ask("read", ["late words"]),
    ],
  },
  {
    name: "a background process is listed, waited for in vain, killed and told as ended",
    requirement: "TERM-5",
    steps: [
      run("sleep 1000 & echo $! >> pids", left),
      ...[ask("list", ["sleep 1000"]), ask("wait", [/run/i]), ask("kill", [/kill|end/i])],
      { type: "told", state: "ended" },
    ],
  },
  {
    name: "a background process that ends by itself is told as ended",
    requirement: "TERM-5",
    steps: [
      run("(until [ -e go ]; do sleep 0.05; done) & echo $! >> pids", left),
      run(": > go", { type: "output", exit: 0 }),
      { type: "told", state: "ended" },
      ask("read", []),
    ],
  },
  {
    name: "a background process that hears no SIGTERM is killed by process",
    requirement: "TERM-5",
    steps: [
      run("bash @programs/ignores-term.sh > /dev/null 2>&1 & until [ -e ready ]; do sleep 0.05; done", left),
      ask("kill", [/kill|end/i]),
      { type: "told", state: "ended" },
    ],
  },
  {
    name: "a background process that floods fills neither memory nor disk, and is killed",
    ...{ requirement: "TERM-5", floods: true },
    steps: [
      run("yes flood & echo $! >> pids", left),
      ...[ask("read", ["flood"]), ask("kill", [/kill|end/i])],
      { type: "told", state: "ended" },
    ],
  },
];
