/** Steps by which words, targets and hosts reach a command in less usual ways. */
import type { Random } from "../../simulation/random.ts";
import { type Form, freshName, lineOf, pick, plain, type Step, single, type Word, word } from "./form.ts";
import { changeWord } from "./words.ts";

const live = (text: string): Word => ({ value: text, text, live: true });
const isName = (value: string) => /^[\w./:@%+-]+$/.test(value);
const isTold = (value: string) => isName(value) && !value.startsWith("-");
const hex = (value: string) => Buffer.from(value).toString("hex");
const base64 = (value: string) => Buffer.from(value).toString("base64");
const numbers = (value: string) => [...value].map((each) => `\\x${hex(each)}`).join("");

/** One word comes from these commands instead; `set` runs before. */
function word1(
  name: string,
  write: (value: string, name: string, random: Random) => readonly { set?: string; use: string }[] | undefined,
): Step {
  return {
    name,
    on: "form",
    apply(form, random) {
      const own = freshName(random, lineOf(form).text);
      let set: string | undefined;
      const changed = changeWord(form, random, ({ value }) => {
        const made = pick(random, write(value, own, random) ?? []);
        set = made?.set;
        return made?.use;
      });
      return changed && { ...changed, bash: true, before: set === undefined ? form.before : [...form.before, set] };
    },
  };
}

const wordWays: readonly Step[] = [
  word1("worked out by a program", (value) =>
    isTold(value) && value.length > 1
      ? [
          { use: `$(sed 's/@//' <<< ${value.slice(0, 1)}@${value.slice(1)})` },
          { use: `$(tr -d @ <<< ${value.slice(0, 1)}@${value.slice(1)})` },
          { use: `$(cut -d, -f2 <<< ls,${value})` },
          { use: `$(head -n 1 <<< ${value})` },
          { use: `$(printf '%b' '${numbers(value)}')` },
          { use: `$(echo -e '${numbers(value)}')` },
          { use: `$(echo -n ${value.slice(0, 1)}; echo ${value.slice(1)})` },
          { use: `$(awk 'BEGIN { print "${value}" }')` },
          { use: `$(base64 -d <<< ${base64(value)})` },
          { use: `$(xxd -r -p <<< ${hex(value)})` },
          { use: `$(python3 -c 'print("${value}")')` },
          { use: `$(basename /x/${value.replaceAll("/", "")})` },
        ].slice(0, value.includes("/") ? 11 : 12)
      : undefined,
  ),
  word1("changed in a variable", (value, name) =>
    isName(value)
      ? [
          { set: `${name}=${value}@@@`, use: `\${${name}//@/}` },
          { set: `${name}='${numbers(value)}'`, use: `\${${name}@E}` },
          { set: `${name}=${value}`, use: `"\${${name}@P}"` },
          { set: `${name}=1`, use: `\${${name}:+${value}}` },
          { set: `${name}=${value}xyz`, use: `\${${name}::-3}` },
          { set: `${name}=@${value}`, use: `\${${name}/#@/}` },
          { set: `${name}=${value}@`, use: `\${${name}/%@/}` },
          { set: `${name}=a.b.${value.replaceAll(".", "")}`, use: `\${${name}##*.}` },
          { set: `${name}=${value},x,y`, use: `\${${name}%%,*}` },
        ].slice(0, value.includes(".") ? 7 : 9)
      : undefined,
  ),
  word1("by another name", (value, name) => [
    { set: `${name}0=${plain(value)}; declare -n ${name}=${name}0`, use: `"$${name}"` },
    { set: `${name}=${plain(value)}; ${name}2=$${name}; unset ${name}`, use: `"$${name}2"` },
    { set: `${name}=(a b c); ${name}[1]=${plain(value)}`, use: `"\${${name}[1]}"` },
    { set: `${name}=(ls ${plain(value)})`, use: `"\${${name}[-1]}"` },
    { set: `${name}=(ls ${plain(value)} x); i=0`, use: `"\${${name}[i+1]}"` },
  ]),
  word1("chosen by a condition", (value, name) => [
    { set: `if true; then ${name}=${plain(value)}; else ${name}=ls; fi`, use: `"$${name}"` },
    { set: `${name}=ls; [ -d . ] && ${name}=${plain(value)}`, use: `"$${name}"` },
    { set: `[ -f none ] && ${name}=ls || ${name}=${plain(value)}`, use: `"$${name}"` },
    { set: `case a in a) ${name}=${plain(value)} ;; *) ${name}=ls ;; esac`, use: `"$${name}"` },
    { set: `for ${name} in ls ${plain(value)}; do :; done`, use: `"$${name}"` },
    { set: `while true; do ${name}=${plain(value)}; break; done`, use: `"$${name}"` },
    { set: `{ ${name}=${plain(value)}; } 2> /dev/null`, use: `"$${name}"` },
    { set: `eval ${name}=${plain(plain(value))}`, use: `"$${name}"` },
  ]),
  word1("from a function", (value, name) => [
    { set: `${name}() { printf %s ${plain(value)}; }`, use: `"$(${name})"` },
    { set: `${name}() { ${name}_out=${plain(value)}; }; ${name}`, use: `"$${name}_out"` },
    { set: `${name}() { declare -g ${name}_out="$1"; }; ${name} ${plain(value)}`, use: `"$${name}_out"` },
    { set: `${name}() { printf -v "$1" %s ${plain(value)}; }; ${name} ${name}_v`, use: `"$${name}_v"` },
  ]),
  word1("read in another way", (value, name) =>
    isTold(value)
      ? [
          { set: `read -r ${name} < <(echo ${value})`, use: `"$${name}"` },
          { set: `read -r _ ${name} <<< 'ls ${value}'`, use: `"$${name}"` },
          { set: `IFS=: read -r ${name} _ <<< '${value.replaceAll(":", "")}:ls'`, use: `"$${name}"` },
          { set: `read -r ${name} <<E1\n${value}\nE1\n`, use: `"$${name}"` },
          { set: `IFS= read -r -d '' ${name} < <(printf '%s\\0' ${value})`, use: `"$${name}"` },
          { set: `${name}=$(< <(echo ${value}))`, use: `"$${name}"` },
          { set: `: ${value}`, use: '"$_"' },
        ].filter(({ set }) => !(value.includes(":") && set.startsWith("IFS=:")) && !set.endsWith("E1\n"))
      : undefined,
  ),
  word1("counted", (value, name) =>
    /^[1-9]\d*$/.test(value)
      ? [
          { set: `let ${name}=${Number(value) - 1}+1`, use: `$${name}` },
          { set: `((${name} = ${value}))`, use: `$${name}` },
          { set: `declare -i ${name}; ${name}=${Number(value) - 1}+1`, use: `$${name}` },
          { set: `${name}=${Number(value) - 1}; ((${name}++))`, use: `$${name}` },
          { use: `$((8#${Number(value).toString(8)}))` },
          { use: `$(seq ${value} ${value})` },
        ]
      : undefined,
  ),
];

/** The whole command reaches a shell as words, not as text. */
function asWords(
  name: string,
  write: (words: string, form: Form, random: Random) => readonly string[] | undefined,
): Step {
  return {
    name,
    on: "form",
    apply(form, random) {
      // Another shell knows no function of this one.
      if (form.before.some((text) => text.includes("() {"))) return undefined;
      if (
        form.words.length === 0 ||
        form.assignments.length > 0 ||
        form.words.some(({ value }) => /^\{\}$/.test(value))
      )
        return undefined;
      const text = pick(random, write(form.words.map((each) => each.text).join(" "), form, random) ?? []);
      return text === undefined ? undefined : { ...form, bash: true, words: [live(text)] };
    },
  };
}

const commandWays: readonly Step[] = [
  asWords("by a shell as parameters", (words) => [
    `bash -c '"$@"' _ ${words}`,
    `bash -c '"$0" "$@"' ${words}`,
    `bash -c 'exec "$@"' -- ${words}`,
    `sh -c '"$@" && echo ok' x ${words}`,
    `bash -c 'c=$1; shift; $c "$@"' _ ${words}`,
    `bash -c 'f() { "$@"; }; f "$@"' _ ${words}`,
    `find . -maxdepth 0 -exec sh -c '"$@"' _ ${words} \\;`,
    `env bash -c 'for i in 1; do "$@"; done' _ ${words}`,
  ]),
  asWords("by eval as words", (words, { words: given }) =>
    given.every((each) => !each.live && isName(each.value))
      ? [`eval ${words}`, `eval "${given.map(({ value }) => value).join('" "')}"`]
      : undefined,
  ),
  asWords("by the environment", (_, { words: given }) => {
    const text = given.map(({ value }) => value).join(" ");
    return given.every((each) => !each.live && isName(each.value))
      ? [
          `RUN=${single(text)} bash -c '$RUN'`,
          `RUN=${single(text)} bash -c 'eval "$RUN"'`,
          `env RUN=${single(text)} sh -c '$RUN'`,
          `RUN=${single(text)} sh -c 'sh -c "$RUN"'`,
        ]
      : undefined;
  }),
];

/** Done for each of a list that has one. */
const listWays: readonly Step[] = [
  {
    name: "a word from a list",
    on: "form",
    apply(form, random) {
      const name = freshName(random, lineOf(form).text);
      const last = form.words.at(-1);
      if (last === undefined || last.live || form.feed !== undefined || !isTold(last.value) || form.before.length > 0)
        return undefined;
      const command = lineOf({ ...form, words: [...form.words.slice(0, -1), live(`"$${name}"`)] }).text;
      const value = last.text;
      const text = pick(random, [
        `for ${name} in ${value}; do ${command}; done`,
        `for ${name} in ${value} ${value}; do ${command}; done`,
        `echo ${value} | while read -r ${name}; do ${command}; done`,
        `while read -r ${name}; do ${command}; done <<< ${value}`,
        `printf '%s\\n' ${value} | while IFS= read -r ${name}; do ${command}; done`,
        `set -- ${value}; for ${name}; do ${command}; done`,
        `set -- ${value}; while [ $# -gt 0 ]; do ${name}=$1; shift; ${command}; done`,
        `printf '%s\\n' ${value} | xargs -I@ bash -c '${name}=@; ${command.replaceAll("'", "'\\''")}'`,
        `f() { local ${name}="$1"; ${command}; }; f ${value}`,
        `f() { ${command}; }; ${name}=${value} f`,
        `f() { ${command}; }; g() { local ${name}=${value}; f; }; g`,
      ]);
      return {
        before: [],
        assignments: [],
        words: [live(text ?? "")],
        redirections: [],
        gap: " ",
        bash: true,
        compound: true,
      };
    },
  },
];

const targetWays: readonly Step[] = [
  {
    name: "opened apart",
    on: "form",
    apply(form, random) {
      const [only] = form.redirections;
      if (only === undefined || form.redirections.length > 1 || only.first || !/^>>?$/.test(only.operator))
        return undefined;
      const bare = { ...form, redirections: [], before: [] };
      const { text: command } = lineOf(bare);
      const target = only.target.text;
      const folder = /^(.*)\/([^/]+)$/.exec(only.target.live ? "" : only.target.value);
      const text = pick(random, [
        `exec 3${only.operator}${target}; ${command} >&3`,
        `(exec ${only.operator}${target}; ${command})`,
        `exec {fd}>${target}; ${command} >&$fd`,
        `{ ${command}; } ${only.operator} ${target}`,
        `${command} | cat > ${target}`,
        `${command} | tee ${target} > /dev/null`,
        `${command} | dd of=${target}`,
        `cp <(${command}) ${target}`,
        `${command} | sponge ${target}`,
        `out=$(${command}); echo "$out" > ${target}`,
        `${command} > /tmp/new; mv /tmp/new ${target}`,
        `${command} | bash -c 'cat > "$0"' ${target}`,
        `while read -r l; do echo "$l"; done < <(${command}) > ${target}`,
        `f() { ${command}; }; f > ${target}`,
        `f() { ${command}; } > ${target}; f`,
        ...(folder?.[1] && !folder[1].startsWith("/dev")
          ? [
              `d=${plain(folder[1])}; ${command} > "$d/${folder[2]}"`,
              `cd ${plain(folder[1])} && ${command} > ${plain(folder[2] ?? "")}`,
              `pushd ${plain(folder[1])}; ${command} > ./${folder[2]}`,
              `cd /; cd .${folder[1]}; ${command} > ${plain(folder[2] ?? "")}`,
              `ln -s ${plain(folder[1])} here; ${command} > here/${folder[2]}`,
              `cd "$(dirname ${target})"; ${command} > ${plain(folder[2] ?? "")}`,
              `p=${target}; ${command} > "\${p%/*}/${folder[2]}"`,
              `${command} > "$(dirname ${target})/${folder[2]}"`,
              `cd /tmp; ${command} > ..${target}`,
            ]
          : []),
      ]);
      const words = [live(text ?? command)];
      return { before: form.before, assignments: [], words, redirections: [], gap: " ", bash: true, compound: true };
    },
  },
];

const hostWays: readonly Step[] = [
  {
    name: "a host written otherwise",
    on: "form",
    apply(form, random) {
      const index = form.words.findIndex(
        (each, at) => at > 0 && !each.live && /evil\.example|203\.0\.113\.9/.test(each.value),
      );
      const value = form.words[index]?.value;
      if (value === undefined) return undefined;
      const name = pick(random, [
        "EVIL.example",
        "evil.example.",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "xn--evl-jma.example",
      ]);
      const address = pick(random, ["3405803785", "0xcb007109", "0313.0.0161.011", "203.0.28937", "0xcb.0x0.0x71.0x9"]);
      const changed = value.replace("evil.example", name ?? "").replace("203.0.113.9", address ?? "");
      return { ...form, words: form.words.with(index, word(changed)) };
    },
  },
  {
    name: "a program under another name",
    on: "form",
    apply(form, random) {
      const [first] = form.words;
      const isProgram =
        first && !first.live && /^(rm|chmod|curl|wget|tee|cp|mv|sudo|dd|ls|cat|grep)$/.test(first.value);
      if (!isProgram) return undefined;
      const name = `t${random.below(100)}`;
      const made = pick(random, [
        [`hash -p /bin/${first.value} ${name}`, name],
        [`ln -s /bin/${first.value} ./${name}`, `./${name}`],
        [`cp /bin/${first.value} /tmp/${name}`, `/tmp/${name}`],
        [`cp "$(which ${first.value})" ${name}`, `./${name}`],
        [`where=$(command -v ${first.value})`, '"$where"'],
        [`where=$(type -P ${first.value})`, "$where"],
        ["cd /bin", `./${first.value}`],
        ['PATH="/bin:$PATH"', first.value],
      ]);
      const [before = "", use = ""] = made ?? [];
      return { ...form, bash: true, before: [...form.before, before], words: [live(use), ...form.words.slice(1)] };
    },
  },
];

/** Applied after words were quoted. */
export const wayOfWords: readonly Step[] = wordWays;
/** These leave nothing to quote. */
export const wayOfCommands: readonly Step[] = [...commandWays, ...listWays, ...targetWays];
export const wayOfNames: readonly Step[] = hostWays;
