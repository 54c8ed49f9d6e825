import { expect, test } from "vitest";
import { judgeCommand } from "../../src/policy/index.ts";

const place = { cwd: "/home/dev/project", home: "/home/dev", platform: "linux", root: "/home/dev/project" } as const;
const verdictOf = (command: string): string => judgeCommand(command, place).verdict;

/** What was once believed to be harmless: each hides what runs behind something that a shell does and one may overlook. */
const hiding: Readonly<Record<string, readonly string[]>> = {
  "a budget that is spent before the end": [`mytool '${"a b;".repeat(800)}'; rm -rf ~`],
  "a word that is only there when a variable is": ["$" + "{DEBUG:+echo} rm -rf ~", "$" + "{y+ls} sudo foo"],
  "a default that is also assigned": ["x=; : $" + "{x:=sudo}; $x ls", 'unset x; : "$' + '{x:=sudo}"; $x ls'],
  "the second round of a repetition": [
    "c=ls; for i in $(seq 2); do $c foo; c=sudo; done",
    "c=ls; for i in *; do $c foo; c=sudo; done",
    "c=ls; for i in {1..30}; do $c foo; c=sudo; done",
    "set -- ls ls ls ls sudo; while [ $# -gt 0 ]; do $1 foo; shift; done",
  ],
  "a function that calls itself": [
    "f() { $1 foo; [ $2 ] && f $2; }; f ls sudo",
    'f() { $1 x; shift; f "$@"; }; f ls ls sudo',
  ],
  "what is never reached": [
    "x=sudo; for i in 1; do break; x=ls; done; $x foo",
    "f() { return; x=ls; }; x=sudo; f; $x foo",
  ],
  "a trap that sets a variable": [
    "x=ls; trap 'x=sudo' DEBUG; $x foo",
    "cd /boot; trap 'cd /tmp' USR1; printf x > config",
  ],
  "a sum that sets a variable": ["x=0; ((x=1)); a=(ls sudo); $" + "{a[x]} foo", "let n=0+1; kill -9 $n"],
  "output that goes elsewhere": [
    "s$(echo x >&2)udo y",
    "$(printf ls >&2; printf sudo) x",
    "$(printf sudo > /dev/stdout) x",
  ],
  "escapes that end a text": ["$(echo -e 'sud\\c ')o ls", "echo -e 'ls #\\U0000000arm -rf ~' | sh"],
  "input that was set before": ["exec < <(echo 'rm -rf ~'); bash", "exec 5<<<'rm -rf ~'; bash /dev/fd/5"],
  "options that change what words mean": [
    "set -k; ls PATH=/tmp/evil:$PATH",
    "shopt -s lastpipe; echo sudo | read x; $x foo",
  ],
  "links before dots": ["ln -s /etc/ssl l; echo x > l/../passwd", "ln -s /etc/ssl l; cd l; echo x > ../passwd"],
  "links before what is not known": ["ln -s /etc l; echo x > l/$(date +%s)"],
  "makefiles that were just written": [
    "printf 'Z := $(shell rm -rf ~)\\nall:\\n\\techo\\n' > Makefile && make",
    "printf 'a:\\n\\trm -rf ~\\n' > x; make -f x",
  ],
  "everything in a folder": ["rm ~/*", "rm ?*", "rm src/*", "rm *.*"],
};

test.each(Object.entries(hiding))("nothing hides behind %s", (_, commands) => {
  expect(commands.filter((command) => verdictOf(command) !== "ask")).toEqual([]);
});

test("patterns with many stars take no time worth speaking of, and are not worked out", () => {
  const command = `x=${"a".repeat(250)}; $${"{x%%*a*a*a*a*a*a*b}"} foo`;
  expect(verdictOf(command)).toBe("ask");
});

test("ordinary relatives of these are not asked about", () => {
  const ordinary = [
    "for f in *.log; do wc -l $f; done",
    "i=0; while (( i < 3 )); do curl -s localhost/$i; ((i++)); done",
    "echo error >&2; exit 1",
    "rm -f dist/*",
    "cd src; cat ../package.json",
    "fact() { (( $1 <= 1 )) && echo 1 || echo $(( $1 * $(fact $(( $1 - 1 ))) )); }; fact 6",
  ];
  expect(ordinary.filter((command) => verdictOf(command) !== "allow")).toEqual([]);
});
