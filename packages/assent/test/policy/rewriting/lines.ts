/** Steps that put the line somewhere else in a script, where it runs as before. */
import type { Random } from "../../simulation/random.ts";
import { bodyOf, freshName, type Line, pick, type Step, unitOf } from "./form.ts";

/** One of the texts; the result is compound unless said otherwise. */
function around(
  name: string,
  write: (line: Line, random: Random) => readonly string[],
  more: Partial<Line> = {},
): Step {
  return {
    name,
    on: "line",
    apply(line, random) {
      const text = pick(random, write(line, random));
      return text === undefined ? undefined : { compound: true, bash: true, ...more, text };
    },
  };
}

function substitution(name: string, write: (text: string, line: Line) => readonly string[]): Step {
  // The blank keeps a subshell inside from looking like a sum.
  return around(name, (line) => write(line.compound ? `$(\n${line.text}\n)` : `$( ${line.text} )`, line));
}

export const lineSteps: readonly Step[] = [
  around("grouped", (line) => [`{${bodyOf(line)}}`, `(${bodyOf(line)})`, `((1)) && {${bodyOf(line)}}`], {
    compound: false,
  }),
  around("after another command", (line) => [
    `true && ${unitOf(line)}`,
    `false || ${unitOf(line)}`,
    `cd . && ${unitOf(line)}`,
    `echo start; ${unitOf(line)}`,
    `npm test\n${line.text}`,
    `mkdir -p out && ls > /dev/null && ${unitOf(line)}`,
    `sleep 1 & ${unitOf(line)}`,
    `set -euo pipefail\n${line.text}`,
    `[ -d . ] && ${unitOf(line)}`,
    `[[ 1 == 1 ]] && ${unitOf(line)}`,
  ]),
  around("before another command", (line) => [
    `${unitOf(line)} || true`,
    `${unitOf(line)} && echo done`,
    `${line.text}\necho done`,
    `${unitOf(line)}; ls`,
    `${unitOf(line)} &`,
    `${unitOf(line)} & wait`,
    `${unitOf(line)} & disown`,
  ]),
  around("in a pipe", (line) => [
    `${unitOf(line)} | cat`,
    `${unitOf(line)} 2>&1 | tail -5`,
    `${unitOf(line)} |& tee /tmp/log`,
    `true | ${unitOf(line)}`,
    `yes | ${unitOf(line)}`,
    `! ${unitOf(line)}`,
    `time ${unitOf(line)}`,
    `time -p ${unitOf(line)}`,
  ]),
  around("in a branch", (line) => [
    `if true; then${bodyOf(line)}fi`,
    `if${bodyOf(line)}then :; fi`,
    `if false; then :; else${bodyOf(line)}fi`,
    `if false; then :; elif${bodyOf(line)}then :; fi`,
    `if [ -f package.json ]; then${bodyOf(line)}fi`,
    `case x in x)${bodyOf(line)};; esac`,
    `case "$OSTYPE" in linux*)${bodyOf(line)};; *) : ;; esac`,
    `case x in x) : ;& y)${bodyOf(line)};; esac`,
  ]),
  around("repeated", (line) => [
    `for i in 1; do${bodyOf(line)}done`,
    `for i in a b; do${bodyOf(line)}done`,
    `for ((i = 0; i < 1; i++)); do${bodyOf(line)}done`,
    `while true; do${bodyOf(line)}break; done`,
    `while${bodyOf(line)}do break; done`,
    `until${bodyOf(line)}do break; done`,
    `until false; do${bodyOf(line)}break; done`,
    `echo 1 | while read -r _; do${bodyOf(line)}done`,
    `while read -r _; do${bodyOf(line)}done <<< once`,
  ]),
  around("in a function", (line, random) => {
    const name = freshName(random, line.text);
    return [
      `${name}() {${bodyOf(line)}}; ${name}`,
      `function ${name} {${bodyOf(line)}}\n${name}`,
      `${name}() (${bodyOf(line)}); ${name} a b`,
      `ls() {${bodyOf(line)}}; ls -la`,
      `${name}() {${bodyOf(line)}}; true && ${name}`,
      `${name}() {${bodyOf(line)}}; inner() { ${name}; }; inner`,
      `${name}() {${bodyOf(line)}}; go=${name}; $go`,
      `${name}() {${bodyOf(line)}}; trap ${name} EXIT`,
      `${name}() {${bodyOf(line)}}; export -f ${name}; bash -c ${name}`,
      `${name}() if true; then${bodyOf(line)}fi; ${name}`,
    ];
  }),
  substitution("substituted in a word", (text) => [
    `echo "${text}"`,
    `echo ${text}`,
    `: ${text}`,
    `echo "done: ${text} files"`,
    `ls -la "/tmp/${text}"`,
    `printf '%s\\n' "${text}"`,
    `git commit -m "${text}"`,
    `test -z "${text}"`,
  ]),
  substitution("substituted in an assignment", (text) => [
    `OUT=${text}`,
    `OUT="${text}" ls`,
    `export OUT="${text}"`,
    `local_copy=(a "${text}")`,
    `declare -r OUT=${text}`,
    `: "\${OUT:=${text}}"`,
    `echo "\${OUT:-${text}}"`,
    `echo "\${OUT+x}\${OUT-${text}}"`,
  ]),
  substitution("substituted elsewhere", (text, line) => [
    `echo $((0 + $(\n${line.text}\necho 1\n)))`,
    `cat <<NOTE\n${text}\nNOTE`,
    `cat <<< "${text}"`,
    `for i in ${text}; do :; done`,
    `case ${text} in *) : ;; esac`,
    `[[ -n ${text} ]]`,
    `echo hi > "/tmp/out${text}"`,
    `if [ "${text}" = "" ]; then :; fi`,
    `arr[0]=${text}`,
    `echo "$(echo "${text}")"`,
  ]),
  around("process substitution", (line) => [
    `cat <(${bodyOf(line)})`,
    `echo x > >(${bodyOf(line)})`,
    `diff <(ls) <(${bodyOf(line)})`,
  ]),
  around("comments and blank lines", (line) => [
    `# tidy up\n${line.text}`,
    `${unitOf(line)} # all good`,
    `\n\n${line.text}\n\n`,
    `  ${unitOf(line)}  `,
    `\t${line.text}`,
    `#!/bin/bash\n# it's "fine\n${line.text}`,
    `echo '# not a comment'; ${unitOf(line)}`,
    `: 'a note\nof two lines'\n${line.text}`,
    `cat > /tmp/note <<'TEXT'\nls\nTEXT\n${line.text}`,
  ]),
  around("far away", (line) => [
    `ls${"\n".repeat(60)}${line.text}`,
    `ls${" ".repeat(300)}; ${unitOf(line)}`,
    `echo ${"a".repeat(400)}; ${unitOf(line)}`,
    `${"cd .; ".repeat(30)}${unitOf(line)}`,
    `ls;${"\t".repeat(80)}${unitOf(line)}`,
  ]),
  around("redirected", (line) => [
    `{${bodyOf(line)}} > /dev/null 2>&1`,
    `(${bodyOf(line)}) < /dev/null`,
    `{${bodyOf(line)}} 2> /tmp/errors`,
    `exec 3>&1; ${unitOf(line)}`,
    `{${bodyOf(line)}} &> /tmp/all`,
  ]),
  around("in a coprocess", (line) => [`coproc {${bodyOf(line)}}`, `coproc worker {${bodyOf(line)}}; wait`]),
  {
    name: "an alias",
    on: "line",
    apply(line, random) {
      const first = /^([a-z]\w*) /.exec(line.text)?.[1];
      if (
        line.compound ||
        first === undefined ||
        ["time", "coproc", "if", "for", "while", "case", "until", "function"].includes(first)
      )
        return undefined;
      const name = freshName(random, line.text);
      const text = `shopt -s expand_aliases\nalias ${name}='${first}'\n${name}${line.text.slice(first.length)}`;
      // A whole group is parsed before its first line runs, so nothing may go around.
      return { ...line, text, compound: true, bash: true, done: true };
    },
  },
];
