import { goesOn, keep, type Row, run, type Step, timedOut, worked } from "../row.ts";

const soon = { timeout_s: 1 } as const;
const vicious =
  "builtin(){ :; }; eval(){ :; }; command(){ :; }; trap(){ :; }; unset(){ :; }; source(){ :; }; .(){ :; }; true(){ :; }; " +
  "export(){ :; }; declare(){ :; }; local(){ :; }; set(){ :; }; exec(){ :; }; kill(){ :; }; pwd(){ echo /nowhere; }; " +
  "test(){ :; }; [(){ :; }; cat(){ :; }; mktemp(){ :; }; exit(){ :; }; return(){ :; }; echo defined";

/** A thing that is done to the persistent shell, after which the next command must work: there, or in a new one. */
function survives(name: string, ...steps: readonly Step[]): Row {
  return { name, requirement: "TERM-7", steps: [...steps, goesOn] };
}

/** What a command can do to the shell that it runs in. */
export const shell: readonly Row[] = [
  survives(
    "after exit in the persistent shell the next call works",
    keep("echo bye; exit 7", { exit: 7, says: ["bye", /shell/i] }),
  ),
  survives(
    "after exec in the persistent shell the next call works",
    keep("exec echo replaced", { says: ["replaced", /shell/i] }),
  ),
  survives(
    "a program that took the shell's place is killed when its time is over, and the next call works",
    keep("echo $$ >> pids; exec sleep 1000", timedOut, soon),
  ),
  survives(
    "after the shell killed itself the next call works",
    keep("echo dying; kill -9 $$", { says: ["dying", /shell/i] }),
  ),
  survives(
    "after a child killed the shell the next call works",
    keep("bash -c 'kill -9 $PPID'; echo never", { says: [/shell/i], lacks: ["never"] }),
  ),
  survives("after kill 0 in the persistent shell the next call works", keep("kill 0; kill -9 0", {})),
  survives(
    "after the shell stopped itself the next call works",
    keep("echo $$ >> pids; kill -STOP $$", timedOut, soon),
  ),
  survives("after suspend the next call works", keep("suspend -f", {}, soon)),
  survives("a loop without end in the shell itself ends with its time", keep("while :; do :; done", timedOut, soon)),
  survives(
    "a shell that hears no signals any more is ended with its time",
    keep("trap '' TERM INT HUP; while :; do sleep 0.05; done", timedOut, soon),
  ),
  survives(
    "a persistent command that is stopped leaves a shell that works",
    keep("bash @programs/respawns.sh", { says: [/kill/i], nothingLeft: true }, { stop: "ready" }),
  ),
  {
    name: "after a time-out the shell is where it was",
    requirement: "TERM-4",
    steps: [
      keep("mkdir -p sub/deep; cd sub/deep; kept=yes; pwd", {
        ...worked,
        says: ["@here/sub/deep"],
        cwd: "@here/sub/deep",
      }),
      keep("sleep 1000 & echo $! >> @here/pids; wait", { ...timedOut, cwd: "@here/sub/deep" }, soon),
      keep("pwd", { ...worked, says: ["@here/sub/deep"], cwd: "@here/sub/deep" }),
    ],
  },
  survives("set -e ends at most the shell, never the session", keep("set -e", worked), keep("false", { exit: 1 })),
  survives(
    "set -u ends at most the shell, never the session",
    keep("set -u", worked),
    keep("echo $unheard_of", { says: ["unheard_of"] }),
  ),
  survives("set -n does not brick the session", keep("set -n", {}, soon), keep("true", {}, soon)),
  survives("set -t does not brick the session", keep("set -t", {}, soon), keep("true", {}, soon)),
  survives(
    "set -v and set -x change no result",
    keep("set -vx", worked),
    keep("echo traced", { ...worked, says: ["traced"] }),
  ),
  {
    name: "set -f, IFS and shopt are the command's own business",
    requirement: "TERM-7",
    steps: [
      keep("set -f; IFS=:; shopt -s nullglob failglob extglob nocasematch; set -- a b; set -C; umask 777", worked),
      keep('value=a:b; printf "<%s>" $value; echo *; echo $#', { ...worked, says: ["<a><b>", "*"] }),
      keep("cd / && pwd", { ...worked, says: ["/"], cwd: "/" }),
      keep("(exit 9)", { type: "output", exit: 9, cwd: "/" }),
    ],
  },
  survives("posix mode changes no result", keep("set -o posix; POSIXLY_CORRECT=1; shopt -u sourcepath", worked)),
  survives("job control changes no result", keep("set -m; sleep 1000 & echo $! >> pids", worked)),
  survives(
    "read, printf and cd that are functions change no result",
    keep('read(){ :; }; printf(){ :; }; cd(){ builtin cd /; }; echo(){ builtin echo "$@"; }', worked),
    keep("echo here; (exit 6)", { type: "output", exit: 6, says: ["here"], cwd: "@here" }),
  ),
  survives("builtins that are all functions break at most the shell", keep(vicious, { says: ["defined"] }, soon)),
  survives(
    "disabled builtins break at most the shell",
    keep("enable -n printf cd eval trap read test; echo off", { says: ["off"] }, soon),
  ),
  survives(
    "aliases over everything change no result",
    keep("shopt -s expand_aliases; alias eval=false printf=false builtin=false '{=false' cd=false", worked),
    keep("builtin true", {}, soon),
  ),
  survives(
    "traps on everything break at most the shell",
    keep(
      "trap 'echo on-exit' EXIT; trap 'echo on-debug' DEBUG; trap 'echo on-error' ERR; trap 'echo on-return' RETURN",
      worked,
      { timeout_s: 5 },
    ),
    keep("false", { exit: 1 }),
  ),
  survives(
    "variables that cannot be changed break at most the shell",
    keep("readonly IFS PATH PWD OLDPWD REPLY PS1 PS4 PROMPT_COMMAND HOME", {}),
  ),
  survives(
    "PROMPT_COMMAND and PS4 that run commands change no result",
    keep("PROMPT_COMMAND='exit 1'; PS1='$(exit 2)'; PS4='$(exit 3)'; set -x", {}),
  ),
  survives(
    "a path that leads nowhere is the command's own problem",
    keep("PATH=/nowhere; ls", { type: "output", exit: 127 }),
    keep("cd /; echo still", { ...worked, says: ["still"], cwd: "/" }),
  ),
  {
    name: "functions, aliases, variables and the folder are kept, and gone with the shell",
    requirement: "TERM-1",
    steps: [
      keep(
        "shopt -s expand_aliases; alias hi='echo alias-kept'; greet(){ echo function-$1; }; export kept=variable; cd /",
        worked,
      ),
      keep("hi; greet kept; echo $kept-kept; pwd", {
        ...worked,
        says: ["alias-kept", "function-kept", "variable-kept"],
        cwd: "/",
      }),
      { type: "terminal", close: true, expected: { type: "output" } },
      run('echo "[$kept]"', { ...worked, says: ["[]"] }),
    ],
  },
  survives(
    "after exec > /dev/null the next command has output",
    keep("exec > /dev/null 2>&1; echo unseen", { lacks: ["unseen"] }),
  ),
  survives("after output was closed the next command has output", keep("exec >&- 2>&- <&-", {})),
  survives(
    "after all descriptors were closed the next command works",
    keep('for n in {3..255}; do eval "exec $n>&-" 2> /dev/null; done', {}, { timeout_s: 2 }),
  ),
  survives(
    "whoever writes into all descriptors of the shell gets no other result",
    keep("for n in {3..20}; do { echo 0; echo done; } >& $n; done 2> /dev/null; (exit 8)", {}, { timeout_s: 2 }),
  ),
  survives(
    "cat in the persistent shell reads nothing of the next command",
    keep("cat; echo read-all", { ...worked, says: ["read-all"] }),
  ),
  survives("read in the persistent shell finds nothing", keep('read -r x; echo "[$x]"', { ...worked, says: ["[]"] })),
  survives(
    "return, break and continue at the top are the command's own business",
    keep("break; continue; return 3", {}),
  ),
  survives(
    "exit in a subshell leaves the shell",
    keep("kept=1; (exit 5)", { type: "output", exit: 5 }),
    keep("echo kept-$kept", { ...worked, says: ["kept-1"] }),
  ),
  ...["'", '"', "$(", "${", "`", "((", "cat <<END", "if true; then", "f() {", "case x in"].map((text) =>
    survives(
      `an unfinished ${text} is the command's own mistake in the persistent shell`,
      keep(text, {}, { timeout_s: 5 }),
    ),
  ),
  ...["}", ")", "fi", "done", "esac", ";;", "&& true", "\\", "# note", "} ; echo pwned; {", "' ; echo pwned; '"].map(
    (text) => survives(`a command that is only ${text} is the command's own mistake`, keep(text, {}, { timeout_s: 5 })),
  ),
  {
    name: "an unfinished quote, a syntax error and an unfinished heredoc are results",
    requirement: "TERM-7",
    steps: [
      run("echo 'open", { type: "output", exit: [1, 2], says: [/unexpected EOF/] }),
      run("if then", { type: "output", exit: [1, 2], says: [/syntax error/] }),
      run("cat <<END\ninside", { ...worked, says: ["inside", /here-document/] }),
      run("cat <<'END'\n$inside `ls`\nEND\necho after", { ...worked, says: ["$inside `ls`", "after"] }),
    ],
  },
  {
    name: "a heredoc and a comment at the end work in the persistent shell",
    requirement: "TERM-1",
    steps: [
      keep("cat <<END\ninside $((1 + 1))\nEND", { ...worked, says: ["inside 2"] }),
      keep("echo said # and not done", { ...worked, says: ["said"], lacks: ["and not done"] }),
      keep("echo first\n\n\n(exit 4)\n", { type: "output", exit: 4, says: ["first"] }),
    ],
  },
];
