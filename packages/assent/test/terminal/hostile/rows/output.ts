import { keep, type Row, run, timedOut, worked } from "../row.ts";

const spilt = { ...worked, spills: true } as const;
const flood = { requirement: "TERM-3", floods: true } as const;

/** Output that is too much, or not text, or more than text. */
export const output: readonly Row[] = [
  {
    ...{ name: "yes is cut off by its time, head and tail are kept", ...flood },
    steps: [run("exec yes", { ...timedOut, spills: true, says: [/y\ny\n/, /kill/i] }, { timeout_s: 1 })],
  },
  {
    ...{ name: "a hundred megabytes of zeros leave memory bounded", ...flood },
    steps: [run("head -c 100000000 /dev/zero", spilt)],
  },
  {
    ...{ name: "a hundred megabytes in the persistent shell leave memory bounded, and the shell goes on", ...flood },
    steps: [keep("head -c 100000000 /dev/zero", spilt), keep("echo next", { ...worked, says: ["next"] })],
  },
  {
    ...{ name: "three megabytes of random bytes are a result", ...flood },
    steps: [run("head -c 3000000 /dev/urandom; exit 4", { ...spilt, exit: 4 })],
  },
  {
    ...{ name: "one line of five megabytes is cut in its middle", ...flood },
    steps: [
      run("echo first-; head -c 5000000 /dev/zero | tr '\\0' x; echo -last", {
        ...spilt,
        says: [/first-\nxxx/, /xxx-last/],
      }),
    ],
  },
  {
    ...{ name: "output and errors may flood at the same time", ...flood },
    steps: [
      run("yes out | head -c 9000000 & yes err | head -c 9000000 >&2; wait; echo end", {
        ...spilt,
        says: ["out", "err", "end"],
      }),
    ],
  },
  {
    ...{ name: "a million empty lines and a hundred thousand little writes are a result", ...flood },
    steps: [
      run("yes '' | head -n 1000000; for ((i = 0; i < 100000; i++)); do echo $i; done", { ...spilt, says: ["99999"] }),
    ],
  },
  {
    name: "NUL bytes end nothing",
    requirement: "TERM-3",
    steps: [run("printf 'left\\0right\\n'", { ...worked, says: [/left[\s\S]*right|binary/i] })],
  },
  {
    name: "NUL bytes end nothing in the persistent shell",
    requirement: "TERM-3",
    steps: [keep("printf 'left\\0right\\n'", { ...worked, says: [/left[\s\S]*right|binary/i] })],
  },
  {
    name: "bytes that are no UTF-8 become a well-formed text",
    requirement: "TERM-3",
    steps: [
      run("printf '\\377\\376ok\\303\\050\\355\\240\\200end\\342\\202'", { ...worked, says: [/ok[\s\S]*end|binary/i] }),
    ],
  },
  {
    name: "one byte that is no UTF-8 does not hide a text",
    requirement: "TERM-3",
    steps: [
      run("echo the first line; printf 'caf\\351\\n'; seq 1 200; echo the last line", {
        ...worked,
        says: ["the first line", "caf", "the last line"],
      }),
    ],
  },
  {
    name: "what a terminal would obey is only text here",
    requirement: "TERM-3",
    steps: [
      run("bash @programs/talks-to-terminal.sh", {
        ...worked,
        says: [/before[\s\S]*after/],
        lacks: ["\u001b", "\u0007"],
      }),
      keep("bash @programs/talks-to-terminal.sh; (exit 5)", {
        type: "output",
        exit: 5,
        says: [/before[\s\S]*after/],
        lacks: ["\u001b", "\u0007"],
      }),
    ],
  },
  {
    name: "characters that turn the direction of text are kept, as they are or as escapes",
    requirement: "TERM-3",
    steps: [
      run("printf 'a\\342\\200\\256b\\342\\201\\246c\\342\\200\\213d\\n'", {
        ...worked,
        says: [/a(\u202e|\\u\{202e\})b(\u2066|\\u\{2066\})c/],
      }),
    ],
  },
  {
    name: "output without a newline at its end is whole",
    requirement: "TERM-3",
    steps: [
      keep("printf no-newline; printf no-newline-either >&2", {
        ...worked,
        says: [/no-newline(?!-)/, "no-newline-either"],
      }),
      keep("printf again", { ...worked, says: ["again"], lacks: ["no-newline"] }),
    ],
  },
  {
    name: "writing to /dev/stdout and /dev/stderr works",
    requirement: "TERM-3",
    steps: [
      run("echo one > /dev/stdout; echo two > /dev/stderr; echo three | tee /dev/stderr > /dev/null", {
        ...{ ...worked, says: ["one", "two", "three"], lacks: [/No such device|denied/i] },
      }),
      keep("echo one > /dev/stdout; echo two > /dev/stderr; echo three >> /proc/self/fd/1", {
        ...{ ...worked, says: ["one", "two", "three"], lacks: [/No such device|denied/i] },
      }),
    ],
  },
  {
    name: "a command without output and with an exit code is a result",
    requirement: "TERM-3",
    steps: [run("exit 255", { type: "output", exit: 255 }), keep("(exit 254)", { type: "output", exit: 254 })],
  },
];
