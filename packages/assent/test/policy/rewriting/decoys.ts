/** Steps with something beside that only seems to change what the command does, and places that are easily overlooked. */
import type { Random } from "../../simulation/random.ts";
import { bodyOf, freshName, type Line, lineOf, pick, plain, type Step, single, unitOf } from "./form.ts";
import { changeWord } from "./words.ts";

/** What seems to set a variable to something else, and does not. */
const unset: readonly ((name: string) => string)[] = [
  (name) => `(${name}=ls)`,
  (name) => `echo | ${name}=ls`,
  (name) => `${name}=ls true`,
  (name) => `: $(${name}=ls)`,
  (name) => `{ ${name}=ls; } | cat`,
  (name) => `${name}=ls & wait`,
  (name) => `if false; then ${name}=ls; fi`,
  (name) => `false && ${name}=ls`,
  (name) => `true || ${name}=ls`,
  (name) => `for ${name}_ in; do ${name}=ls; done`,
  (name) => `while false; do ${name}=ls; done`,
  (name) => `case x in y) ${name}=ls ;; esac`,
  (name) => `bash -c '${name}=ls'`,
  (name) => `other() { local ${name}=ls; }; other`,
  (name) => `other() { ${name}=ls; }`,
  (name) => `other() ( ${name}=ls ); other`,
  (name) => `env ${name}=ls true`,
  (name) => `echo '${name}=ls' > /dev/null`,
  (name) => `read -r ${name} < /dev/null | cat`,
  (name) => `cat <(${name}=ls)`,
  (name) => `: '\n${name}=ls\n'`,
  (name) => `trap '${name}=ls' USR1`,
  (name) => `(exit 0); : ${name}`,
  (name) => `(exec true); exec 2>&1; : ${name}`,
];

function decoyed(name: string, set: (name: string, value: string, random: Random) => string): Step {
  return {
    name,
    on: "form",
    apply(form, random) {
      const own = freshName(random, lineOf(form).text);
      let made = "";
      const changed = changeWord(form, random, ({ value }) => {
        made = set(own, value, random);
        return `"$${own}"`;
      });
      return changed && { ...changed, bash: true, before: [...form.before, made] };
    },
  };
}

const variableDecoys: readonly Step[] = [
  decoyed(
    "a variable that seems to change",
    (name, value, random) => `${name}=${plain(value)}; ${pick(random, unset)?.(name)}`,
  ),
  decoyed(
    "a variable that changes",
    (name, value, random) =>
      pick(random, [
        `${name}=ls; ${name}=${plain(value)}`,
        `${name}=ls ${name}=${plain(value)}`,
        `${name}=${plain(value)} b=$${name}; ${name}=$b`,
        `${name}=ls; other() { ${name}=${plain(value)}; }; other`,
        `${name}=ls; unset ${name}; ${name}=${plain(value)}`,
        `${name}=ls; eval ${single(`${name}=${plain(value)}`)}`,
        `${name}=ls; for ${name} in ${plain(value)}; do :; done`,
        `${name}=ls; { ${name}=${plain(value)}; } > /dev/null`,
        `${name}=ls; ! ${name}=${plain(value)}`,
        `${name}=ls; [ -n "$${name}" ] && ${name}=${plain(value)}`,
        `${name}=ls; source /dev/stdin <<< ${single(`${name}=${plain(value)}`)}`,
        `${name}=ls; . <(echo ${single(`${name}=${plain(value)}`)})`,
        `${name}=ls; until ${name}=${plain(value)}; do :; done`,
        `${name}=(ls); ${name}[0]=${plain(value)}`,
        `${name}=ls; export ${name}=${plain(value)}`,
        `${name}=ls; printf -v ${name} %s ${plain(value)}`,
        `${name}=ls; other() { declare -n to=$1; to=${plain(value)}; }; other ${name}`,
      ]) ?? "",
  ),
];

const listDecoys: readonly Step[] = [
  {
    name: "a list that changes",
    on: "form",
    apply(form, random) {
      const { words } = form;
      if (words.length === 0 || form.before.some((text) => text.includes("IFS="))) return undefined;
      const name = freshName(random, lineOf(form).text);
      const texts = words.map(({ text }) => text).join(" ");
      const [before, use] = pick(random, [
        [`set -- ls ${texts}; shift`, '"$@"'],
        [`set -- ${texts}; (set -- ls)`, '"$@"'],
        [`other() { set -- ls; }; set -- ${texts}; other`, '"$@"'],
        [`${name}=(ls ${texts}); unset '${name}[0]'`, `"\${${name}[@]}"`],
        [`${name}=(ls ${texts}); ${name}=("\${${name}[@]:1}")`, `"\${${name}[@]}"`],
        [`${name}=(ls -la); ${name}=(${texts})`, `"\${${name}[@]}"`],
        [`${name}=(${texts}); (${name}=(ls))`, `"\${${name}[@]}"`],
        [`${name}=(${texts}); copy=("\${${name}[@]}")`, `"\${copy[@]}"`],
        [`${name}=([1]=ls [2]=-la); ${name}=(${texts} [9]=)`, `"\${${name}[@]:0:${words.length}}"`],
      ]) ?? ["", ""];
      const isCounted = words.every((each) => !each.live);
      if (use.includes(":0:") && !isCounted) return undefined;
      return { ...form, bash: true, before: [...form.before, before], words: [{ value: use, text: use, live: true }] };
    },
  },
];

/** What seems to lead to another folder, and does not. */
const strayed: readonly string[] = [
  ...[
    "(cd /tmp)",
    "cd /tmp | cat",
    "cd /tmp & wait",
    "false && cd /tmp",
    "cd /nonexistent",
    "cd /tmp; cd - > /dev/null",
  ],
  ...[
    "pushd /tmp; popd",
    "bash -c 'cd /tmp'",
    "other() { cd /tmp; }",
    "other() ( cd /tmp ); other",
    "echo $(cd /tmp)",
    "cd .",
  ],
  ...[
    "if false; then cd /tmp; fi",
    "env -C /tmp true",
    "git -C /tmp status",
    "trap 'cd /tmp' USR1",
    'cd "$PWD"',
    "cd //etc/../etc",
  ],
];

const folderDecoys: readonly Step[] = [
  {
    name: "a folder that seems to change",
    on: "form",
    apply(form, random) {
      const [only] = form.redirections;
      const parts = /^(\/(?:etc|usr|var|boot)\b.*)\/([^/]+)$/.exec(only?.target.live ? "" : (only?.target.value ?? ""));
      if (only === undefined || parts === null) return undefined;
      const stray = pick(random, strayed.slice(0, parts[1] === "/etc" ? strayed.length : -1)) ?? "cd .";
      const target = { value: parts[2] ?? "", text: plain(parts[2] ?? "") };
      const before = [...form.before, `cd ${parts[1]}`, stray];
      return { ...form, bash: true, before, redirections: [{ ...only, target }] };
    },
  },
];

function around(name: string, write: (line: Line, random: Random) => readonly string[]): Step {
  return {
    name,
    on: "line",
    apply(line, random) {
      const text = pick(random, write(line, random));
      return text === undefined ? undefined : { compound: true, bash: true, text };
    },
  };
}

const lineDecoys: readonly Step[] = [
  around("after what does not end it", (line) => [
    `(exit 0); ${unitOf(line)}`,
    `true || exit; ${unitOf(line)}`,
    `if false; then exit 0; fi; ${unitOf(line)}`,
    `exec 2>/dev/null; ${unitOf(line)}`,
    `(exec ls); ${unitOf(line)}`,
    `exec ls & ${unitOf(line)}`,
    `exit | cat; ${unitOf(line)}`,
    `other() { return; }; other; ${unitOf(line)}`,
    `other() { exit; }; ${unitOf(line)}`,
    `for i in 1 2; do [ "$i" = 1 ] && continue;${bodyOf(line)}done`,
    `for i in 1; do break; done; ${unitOf(line)}`,
    `while false; do :; done; ${unitOf(line)}`,
    `$(exit 1); ${unitOf(line)}`,
    `echo exit; ${unitOf(line)}`,
    `bash -c exit; ${unitOf(line)}`,
    `trap 'exit' USR1; ${unitOf(line)}`,
    `cd /nonexistent || ${unitOf(line)}`,
    `set -n +n; ${unitOf(line)}`,
  ]),
  around("a function that seems to change", (line, random) => {
    const name = freshName(random, line.text);
    const made = `${name}() {${bodyOf(line)}}`;
    return [
      `${made}; (${name}() { ls; }); ${name}`,
      `${name}() { ls; }; ${made}; ${name}`,
      `${made}; ${name}() { ls; } | cat; ${name}`,
      `${made}; if false; then ${name}() { ls; }; fi; ${name}`,
      `${made}; bash -c '${name}() { ls; }'; ${name}`,
      `${made}; other() { ${name}() { ls; }; }; ${name}`,
      `other() { ${made}; }; other; ${name}`,
      `${made}; (unset -f ${name}); ${name}`,
      `${made}; alias ${name}=ls; ${name}`,
      `if true; then ${made}; fi; ${name}`,
      `eval ${single(made)}; ${name}`,
      `source <(cat <<'FUNCTION'\n${made}\nFUNCTION\n); ${name}`,
      ...["echo hello", "cd src", "true && ls", "uptime -p"].flatMap((call) => {
        const shadowed = call.split(" ")[0] ?? "";
        // One that used the name itself would only call itself.
        return new RegExp(`\\b${shadowed}\\b`).test(line.text) ? [] : [`${shadowed}() {${bodyOf(line)}}; ${call}`];
      }),
      `${made}; $(echo ${name})`,
      `${made}; "${name.slice(0, 1)}"${name.slice(1)}`,
      `${made}; command true; \\${name}`,
      `${made}; for f in ${name}; do "$f"; done`,
      `${made}; time ${name} | cat`,
    ];
  }),
  around("beside a heredoc", (line) => [
    `cat <<A <<'B'\none\nA\ntwo\nB\n${line.text}`,
    `cat <<'A B'\ntext\nA B\n${line.text}`,
    `cat <<\\A\n$(ls\nA\n${line.text}`,
    `cat <<-A\n\ttext\n\tA\n${line.text}`,
    `if true; then cat <<A\ntext\nA\nfi\n${line.text}`,
    `echo "$(cat <<A\na ) b\nA\n)"\n${line.text}`,
    ...(line.compound || line.text.includes("\n")
      ? []
      : [
          `cat <<A && ${unitOf(line)}\ntext\nA`,
          `cat <<A | cat; ${unitOf(line)}\n'\nA`,
          `{ cat <<A; ${unitOf(line)}; }\n"\nA`,
        ]),
  ]),
  around("beside signs that mislead", (line) => [
    `echo a#b; ${unitOf(line)}`,
    `echo $#; ${unitOf(line)}`,
    `: \\#; ${unitOf(line)}`,
    `echo "\${#HOME}" '#'; ${unitOf(line)}`,
    `echo 'it'\\''s'; ${unitOf(line)}`,
    `echo "a\\"b'c"; ${unitOf(line)}`,
    `echo \\' \\" \\\\; ${unitOf(line)}`,
    `echo $'it\\'s'; ${unitOf(line)}`,
    `[[ a == a* ]]; ${unitOf(line)}`,
    `(( 1 << 2 )); ${unitOf(line)}`,
    `echo $(( 1 << 2 )); ${unitOf(line)}`,
    `case a in (a) ;; esac; ${unitOf(line)}`,
    `case "a)" in 'a)') ${line.compound ? unitOf(line) : line.text} ;; esac`,
    `echo "\${x:-")"}"; ${unitOf(line)}`,
    `echo "$(echo ")")"; ${unitOf(line)}`,
    `echo "$(echo '#')"; ${unitOf(line)}`,
    `echo \`echo "#"\`; ${unitOf(line)}`,
    `x=a\\ b; ${unitOf(line)}`,
    `echo a \\\n# not a comment\n${line.text}`,
    `[[ "a b" =~ ^[a-z\\ ]+$ ]]; ${unitOf(line)}`,
    `echo {; echo }; ${unitOf(line)}`,
    `echo if then fi; ${unitOf(line)}`,
    `! ! ${unitOf(line)}`,
  ]),
  around("in a place that is overlooked", (line) => {
    const text = line.compound ? `$(\n${line.text}\n)` : `$( ${line.text} )`;
    const counted = `$(\n${line.text}\necho 0\n)`;
    return [
      `(( ${counted} + 1 ))`,
      `a[${counted}]=1`,
      `echo "\${HOME:${counted}}"`,
      `echo "\${HOME/${text}/}"`,
      `echo "\${HOME#${text}}"`,
      `echo "\${a[${counted}]}"`,
      `for ((i=${counted}; i<1; i++)); do :; done`,
      `case a in ${text}) ;; esac`,
      `[[ a =~ ${text} ]]`,
      `[[ a == "${text}" ]]`,
      `other() { local x=${text}; }; other`,
      `other() { echo; } > "/tmp/${text}"; other`,
      `declare -A m=([k]="${text}")`,
      `select x in "${text}"; do break; done <<< 1`,
      `exec {fd}< <(${bodyOf(line)})`,
      `echo a > /tmp/b 2> "/tmp/${text}"`,
      `cat < <(${bodyOf(line)}) > /dev/null`,
      `cat 0<<< "${text}"`,
      `export A=1 B="${text}"`,
      `A="${text}" B=2 ls`,
      `A=1; B="${text}"`,
      `a+=("${text}")`,
      `echo "\${x:-\${y:-${text}}}"`,
      `echo "a\${x+b}\${y-"${text}"}"`,
      `printf '%s' a "b${text}c"`,
      `ls -- *"${text}"*`,
      `while read -r l; do :; done < <(${bodyOf(line)})`,
      `tee >(${bodyOf(line)}) < /dev/null`,
      `true && { false || (${bodyOf(line)}); }`,
      `if ! { true && ! (${bodyOf(line)}); }; then :; fi`,
      `let "x = ${counted}"`,
      `return ${counted} 2> /dev/null || true`,
      `shift ${counted}`,
      `test -n "${text}" -o -f x`,
      `echo $[ ${counted} ]`,
    ];
  }),
  around("a script that changes", (line) => [
    `echo ls > s1.sh; printf '%s\\n' ${single(line.text)} > s1.sh; bash s1.sh`,
    `echo ls > s1.sh; printf '%s\\n' ${single(line.text)} >> s1.sh; bash ./s1.sh`,
    `printf '%s\\n' ${single(line.text)} > s1.sh; cp s1.sh s2.sh; bash s2.sh`,
    `printf '%s\\n' ${single(line.text)} > s1.sh; mv s1.sh s2.sh; bash s2.sh`,
    `printf '%s\\n' ${single(line.text)} > s1.sh; ln -s s1.sh s2.sh; bash s2.sh`,
    `printf '%s\\n' ${single(line.text)} > s1.sh; cat s1.sh | bash`,
    `printf '%s\\n' ${single(line.text)} > s1.sh; bash < s1.sh`,
    `printf '%s\\n' ${single(line.text)} > s1.sh; eval "$(cat s1.sh)"`,
    `printf '%s\\n' ${single(line.text)} > s1.sh; eval "$(< s1.sh)"`,
    `printf '%s\\n' ${single(line.text)} > s1.sh; bash -c "$(cat s1.sh)"`,
    `printf '%s\\n' ${single(line.text)} > s1.sh; source s1.sh`,
    `printf '%s\\n' ${single(line.text)} > /tmp/s1.sh; cd /tmp; bash s1.sh`,
    `f=s1.sh; printf '%s\\n' ${single(line.text)} > $f; bash $f`,
    `f=$(mktemp); printf '%s\\n' ${single(line.text)} > "$f"; bash "$f"`,
    `{ echo ls; printf '%s\\n' ${single(line.text)}; } > s1.sh; bash s1.sh`,
    `printf '%s\\n' '#!/bin/bash' ${single(line.text)} > s1; chmod +x s1; ./s1`,
    `printf '%s\\n' '#!/bin/bash' ${single(line.text)} > s1; chmod 755 s1 && "$PWD/s1"`,
    `printf '%s\\n' ${single(line.text)} > s1.sh; env bash s1.sh`,
    `printf '%s\\n' ${single(line.text)} > s1.sh; timeout 9 sh -x ./s1.sh`,
    `exec 3> s1.sh; printf '%s\\n' ${single(line.text)} >&3; exec 3>&-; bash s1.sh`,
    `bash -c ${single(`printf '%s\\n' ${single(line.text)} > s1.sh`)}; bash s1.sh`,
  ]),
];

export const formDecoys: readonly Step[] = [...variableDecoys, ...folderDecoys];
export const listOfDecoys: readonly Step[] = listDecoys;
export const linesOfDecoys: readonly Step[] = lineDecoys;
