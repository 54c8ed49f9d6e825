import { keep, type Row, run, stopped, timedOut, worked } from "../row.ts";

const perl = { needs: "perl" } as const;
const killed = { ...timedOut, signal: "SIGKILL" } as const;
const soon = { timeout_s: 1 } as const;
const stop = { stop: "ready" } as const;

/** Processes that do not want to end when they are told to. */
export const stubborn: readonly Row[] = [
  {
    name: "a command that hears no SIGTERM is killed when its time is over",
    requirement: "TERM-4",
    steps: [run("exec bash @programs/ignores-term.sh", killed, soon)],
  },
  {
    name: "a command that hears no SIGTERM has two seconds to finish what it is at",
    requirement: "TERM-4",
    steps: [run("trap '' TERM; sleep 1.8; echo whole", { ...timedOut, says: ["whole"], exit: 0 }, soon)],
  },
  {
    name: "a command that hears no SIGTERM is killed when it is stopped",
    requirement: "STOP-3",
    steps: [run("exec bash @programs/ignores-term.sh", { ...stopped, signal: "SIGKILL" }, stop)],
  },
  {
    name: "a command that ends on SIGTERM is not killed harder than that",
    requirement: "TERM-4",
    steps: [run("echo $$ >> pids; exec sleep 1000", { ...timedOut, signal: "SIGTERM" }, soon)],
  },
  {
    name: "what a command wrote before its time was over is in the result",
    requirement: "TERM-4",
    steps: [run("echo so far; echo and errors >&2; sleep 1000", { ...timedOut, says: ["so far", "and errors"] }, soon)],
  },
  {
    name: "a command that hears neither TERM nor INT nor HUP and starts its child anew ends with its child",
    requirement: "TERM-4",
    steps: [run("bash @programs/respawns.sh", timedOut, soon)],
  },
  {
    name: "a Node process that hears no signal ends with its child that left group and environment",
    requirement: "STOP-3",
    steps: [run("@node @programs/deaf", stopped, stop)],
  },
  {
    ...{ name: "a chain of 200 processes ends to the last", requirement: "STOP-3", ...perl },
    steps: [run("perl @programs/chain.pl 200", stopped, stop)],
  },
  {
    ...{ name: "three hundred deaf children end to the last", requirement: "TERM-4", ...perl },
    steps: [run("perl @programs/crowd.pl 300", timedOut, { timeout_s: 2 })],
  },
  {
    ...{
      name: "500 processes of which each comes back once when told to end are ended",
      requirement: "STOP-3",
      ...perl,
    },
    steps: [run("perl @programs/bomb.pl 500", stopped, stop)],
  },
  {
    ...{
      name: "a process that becomes its own child every few milliseconds is caught",
      requirement: "STOP-3",
      ...perl,
    },
    steps: [run("perl @programs/hops.pl", stopped, stop)],
  },
  {
    ...{ name: "a process that becomes its own child is caught when time is over", requirement: "TERM-4", ...perl },
    steps: [run("perl @programs/hops.pl", timedOut, soon)],
  },
  {
    name: "a child without the marker ends with what started it",
    requirement: "STOP-3",
    steps: [run("env -i sleep 1000 & echo $! >> pids; : > ready; wait", stopped, stop)],
  },
  {
    name: "a deaf child without the marker in a session of its own ends with what started it when stopped",
    ...{ requirement: "STOP-3", ...perl },
    steps: [run("perl @programs/unmarked.pl", stopped, stop)],
  },
  {
    name: "a deaf child without the marker in a session of its own ends with what started it when time is over",
    ...{ requirement: "TERM-4", ...perl },
    steps: [run("perl @programs/unmarked.pl", timedOut, soon)],
  },
  {
    ...{ name: "a child that wrote over its environment is still found", requirement: "STOP-3", ...perl },
    steps: [run("perl @programs/overwrites-environ.pl", stopped, stop)],
  },
  {
    ...{ name: "a process whose name reads like a zombie's is killed all the same", requirement: "TERM-4", ...perl },
    steps: [run("perl @programs/lying-name.pl", { ...timedOut, signal: "SIGKILL" }, soon)],
  },
  {
    name: "a stopped child ends with its parent",
    requirement: "TERM-4",
    steps: [run("bash @programs/stopped-child.sh", timedOut, soon)],
  },
  {
    name: "a command that stops itself does not outlive its time",
    requirement: "TERM-4",
    steps: [run("echo $$ >> pids; kill -STOP $$; echo never", { ...timedOut, lacks: ["never"] }, soon)],
  },
  {
    ...{ name: "a group whose leader has ended is ended", requirement: "STOP-3", ...perl },
    steps: [run("perl @programs/leaderless.pl stay", stopped, stop)],
  },
  {
    ...{ name: "ten megabytes of last words hold nothing up", requirement: "TERM-4", ...perl, floods: true },
    steps: [run("exec perl @programs/last-words.pl", { ...killed, spills: true }, soon)],
  },
  {
    name: "a command that closed its output is stopped like any other",
    requirement: "STOP-3",
    steps: [run("bash @programs/mute.sh", stopped, stop)],
  },
  {
    name: "a command that closed its output does not outlive its time",
    requirement: "TERM-4",
    steps: [run("bash @programs/mute.sh", timedOut, soon)],
  },
  {
    name: "a stop in the middle of a time-out's kill is one kill and one result",
    requirement: "TERM-4",
    steps: [
      run(
        "exec bash @programs/notes-term.sh",
        { says: [/kill/i], signal: "SIGKILL", nothingLeft: true },
        {
          ...{ timeout_s: 1, stop: "told" },
        },
      ),
    ],
  },
  {
    name: "a command that was stopped before it started never runs",
    requirement: "STOP-3",
    steps: [
      run("echo ran > ran; echo $$ >> pids; sleep 1000", { untouched: ["ran"], nothingLeft: true }, { stop: "before" }),
    ],
  },
  {
    name: "a persistent command that was stopped before it started never runs, and the next one does",
    requirement: "STOP-3",
    steps: [
      keep("echo ran > ran; sleep 1000", { untouched: ["ran"] }, { stop: "before" }),
      keep("echo next", { ...worked, says: ["next"] }),
    ],
  },
  {
    name: "a command that sleeps in its own trap on exit does not outlive its time",
    requirement: "TERM-4",
    steps: [run("trap 'echo $BASHPID >> pids; sleep 1000' EXIT; echo hi", { ...timedOut, says: ["hi"] }, soon)],
  },
];
