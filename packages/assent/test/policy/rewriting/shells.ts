/** Steps that hand the line as text to a shell or to a program that starts one. */
import type { Random } from "../../simulation/random.ts";
import { bodyOf, double, freshName, type Line, pick, type Step, single, unitOf } from "./form.ts";

const shells = [
  "bash -c",
  "bash -lc",
  "bash -ec",
  "bash --norc -c",
  "bash -O extglob -c",
  "/bin/bash -c",
  "bash +x -c",
  "bash -o pipefail -c",
];
const plainShells = ["sh -c", "/bin/sh -c", "dash -c", "busybox sh -c", "sh -ec"];
const fronts = [
  "env",
  "timeout 9",
  "nohup",
  "command",
  "exec",
  "nice -n 5",
  "setsid",
  "/usr/bin/env",
  "xargs -r -I{}",
  "time",
  "npx -y -c",
  "stdbuf -oL",
];

/** The same text in quotes, in one of the ways that keep it whole. */
function quoted(text: string, random: Random): string {
  return pick(random, [single, double, single, ansi])?.(text) ?? single(text);
}

function ansi(text: string): string {
  return `$'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n").replaceAll("\t", "\\t")}'`;
}

function given(
  name: string,
  write: (line: Line, random: Random) => string | undefined,
  more: Partial<Line> = {},
): Step {
  return {
    name,
    on: "line",
    apply(line, random) {
      const text = write(line, random);
      return text === undefined ? undefined : { text, compound: false, bash: true, ...more };
    },
  };
}

const shellFor = (line: Line, random: Random) =>
  pick(random, line.bash ? shells : [...shells, ...plainShells]) ?? "bash -c";
const base64 = (text: string) => Buffer.from(text).toString("base64");
const hex = (text: string) => Buffer.from(text).toString("hex");
const backwards = (text: string) => [...text].reverse().join("");
/** As a string of C, JavaScript, Python, Perl and Ruby alike, but for what some of them put into strings. */
const isFit = (text: string) => !/[\\'"\n$`@#{%]/.test(text);

/** As any shell understands it. */
const forSh = ({ text, bash }: Line) => (bash ? `bash -c ${single(text)}` : text);

const end = "END_OF_SCRIPT";

export const shellSteps: readonly Step[] = [
  given("by a shell", (line, random) => `${shellFor(line, random)} ${quoted(line.text, random)}`),
  given("by a shell again", (line, random) => `${shellFor(line, random)} ${quoted(line.text, random)}`),
  given("by a wrapped shell", (line, random) => {
    const front = pick(random, fronts) ?? "env";
    const text = `${front} ${front.endsWith("-c") ? "" : `${shellFor(line, random)} `}${quoted(front.endsWith("-c") ? forSh(line) : line.text, random)}`;
    return front.startsWith("xargs") ? `echo once | ${text}` : text;
  }),
  given("by eval", (line, random) =>
    pick(random, [
      `eval ${quoted(line.text, random)}`,
      `builtin eval ${quoted(line.text, random)}`,
      `command eval -- ${quoted(line.text, random)}`,
      `eval "$(echo ${single(line.text)})"`,
      `eval "$(cat <<'${end}'\n${line.text}\n${end}\n)"`,
    ]),
  ),
  given(
    "by eval of a variable",
    (line, random) => {
      const name = freshName(random, line.text);
      return pick(random, [
        `${name}=${single(line.text)}; eval "$${name}"`,
        `${name}=${single(line.text)}\nbash -c "$${name}"`,
      ]);
    },
    { compound: true },
  ),
  given(
    "from a heredoc",
    (line, random) =>
      pick(random, [
        `bash <<'${end}'\n${line.text}\n${end}`,
        `cat <<'${end}' | bash\n${line.text}\n${end}`,
        `bash -s <<'${end}'\n${line.text}\n${end}`,
        `bash -s -- a b <<\\${end}\n${line.text}\n${end}`,
      ]),
    { compound: true },
  ),
  given(
    "from an expanded heredoc",
    ({ text }, random) => {
      const body = text.replaceAll(/[\\$`]/g, "\\$&");
      const first = /^[a-z]+(?= )/.exec(body)?.[0];
      return pick(random, [
        `bash <<${end}\n${body}\n${end}`,
        `cat <<${end} | bash\n${body}\n${end}`,
        `bash <<-${end}\n${body}\n\t${end}`,
        ...(first === undefined ? [] : [`w=${first}; bash <<${end}\n$w${body.slice(first.length)}\n${end}`]),
      ]);
    },
    { compound: true },
  ),
  given("printed by a program", ({ text }, random) => {
    if (!isFit(text) || /[/&*[\].;|<>()?+^]/.test(text)) return undefined;
    return pick(random, [
      `awk 'BEGIN { print "${text}" }' | bash`,
      `python3 -c 'print("${text}")' | bash`,
      `sed 's/@//' <<< '@${text}' | bash`,
      `grep . <<< '${text}' | bash`,
      `head -n 1 <<< '${text}' | bash`,
      `printf '%s\\n' ls '${text}' | tail -n 1 | bash`,
      `yes '${text}' | head -n 1 | bash`,
      `seq -f '${text}' 1 | bash`,
      `jq -rn '"${text}"' | bash`,
      `find . -maxdepth 0 -printf '${text}\\n' | bash`,
      `tr -s @ <<< '${text}' | bash`,
      `cut -d, -f2 <<< 'ls,${text}' | bash`,
      `sort <<< '${text}' | bash`,
      `echo '${text}' | xargs env`,
      `echo '${text}' | xargs -I{} sh -c '{}'`,
      `echo '${text}' | xargs -d '\\n' bash -c`,
      `echo '${text}' | parallel`,
      `xargs -a <(echo ${text}) nice`,
      `bash <<< "$(echo '${text}')"`,
      `RUN='${text}' envsubst <<< '$RUN' | sh`,
    ]);
  }),
  given("from a here-string", (line, random) =>
    pick(random, [
      `bash <<< ${quoted(line.text, random)}`,
      `<<< ${single(line.text)} bash`,
      `. /dev/stdin <<< ${single(line.text)}`,
      `source /dev/stdin <<< ${single(line.text)}`,
    ]),
  ),
  given("from a pipe", (line, random) =>
    pick(random, [
      `echo ${single(line.text)} | bash`,
      `printf '%s\\n' ${single(line.text)} | bash -s`,
      `printf %s ${single(line.text)} | bash -`,
      `printf '%s' ${single(line.text)} | cat | bash`,
      `echo ${single(line.text)} | tee /tmp/log | bash`,
      `{ echo ls; printf '%s\\n' ${single(line.text)}; } | bash`,
      `printf '%s\\n' ${single(line.text)} | env bash`,
      ...(line.text.includes("\n") ? [] : [`echo ${single(line.text)} | while IFS= read -r l; do eval "$l"; done`]),
      `bash <(printf '%s\\n' ${single(line.text)})`,
      `source <(printf '%s\\n' ${single(line.text)})`,
    ]),
  ),
  given("decoded", (line, random) =>
    pick(random, [
      `echo ${base64(line.text)} | base64 -d | bash`,
      `bash -c "$(echo ${base64(line.text)} | base64 --decode)"`,
      `eval "$(base64 -d <<< ${base64(line.text)})"`,
      `echo ${hex(line.text)} | xxd -r -p | bash`,
      `bash <(base64 -d <<< ${base64(line.text)})`,
      ...(line.text.includes("\n") ? [] : [`rev <<< ${single(backwards(line.text))} | bash`]),
      `python3 -c "import base64; print(base64.b64decode('${base64(line.text)}').decode())" | bash`,
      `openssl base64 -d -A <<< ${base64(line.text)} | bash`,
    ]),
  ),
  given(
    "written, then run",
    (line, random) =>
      pick(random, [
        `echo ${single(line.text)} > /tmp/s.sh; bash /tmp/s.sh`,
        `printf '%s\\n' ${single(line.text)} > run.sh && chmod +x run.sh && ./run.sh`,
        `cat > /tmp/s.sh <<'${end}'\n${line.text}\n${end}\nbash /tmp/s.sh`,
        `printf '%s\\n' ${single(line.text)} | tee s.sh > /dev/null; . ./s.sh`,
      ]),
    { compound: true },
  ),
  given(
    "by a trap",
    (line, random) =>
      `trap ${quoted(line.text, random)} ${pick(random, ["EXIT", "0", "ERR; false", "DEBUG; ls", "RETURN EXIT"])}`,
    {
      compound: true,
    },
  ),
  given("by a program that starts a shell", (line, random) => {
    const text = forSh(line);
    return pick(random, [
      `script -qc ${single(text)} /dev/null`,
      `flock /tmp/lock -c ${single(text)}`,
      ...(line.text.includes("{}") ? [] : [`find . -maxdepth 0 -exec bash -c ${single(line.text)} \\;`]),
      `git -c alias.go=${single(`!${text}`)} go`,
      `GIT_PAGER=${single(text)} git -p log`,
      `git submodule foreach ${single(text)}`,
      `git rebase -x ${single(text)} HEAD~1`,
      `watch -n 60 ${single(text)}`,
      `tmux new-session -d ${single(text)}`,
      `hyperfine ${single(text)}`,
      `npm exec -c ${single(text)}`,
      `parallel ::: ${single(text)}`,
      ...(isFit(text) ? [`env -S "bash -c '${text}'"`] : []),
      `man -P ${single(text)} ls`,
      `tar cf /dev/null . --checkpoint=1 --checkpoint-action=exec=${single(text)}`,
    ]);
  }),
  given(
    "by an interpreter",
    (line, random) => {
      const { text } = line;
      if (!isFit(text) || line.bash) return undefined;
      return pick(random, [
        `python3 -c 'import os; os.system("${text}")'`,
        `python3 -c 'import subprocess; subprocess.run("${text}", shell=True)'`,
        `perl -e 'system("${text}")'`,
        ...(/[()]/.test(text) ? [] : [`perl -e 'exec q(${text})'`]),
        `ruby -e 'system("${text}")'`,
        `node -e 'require("child_process").execSync("${text}")'`,
        `php -r 'system("${text}");'`,
        `awk 'BEGIN { system("${text}") }'`,
        `python3 <<'PY'\nimport os\nos.system("${text}")\nPY`,
        `lua -e 'os.execute("${text}")'`,
        `sed -n '1e ${text}' package.json`,
      ]);
    },
    { compound: true },
  ),
  given(
    "in a background shell",
    (line, random) =>
      pick(random, [
        `nohup bash -c ${single(line.text)} > /dev/null 2>&1 &`,
        `(setsid bash -c ${single(line.text)} &)`,
        `bash -c ${single(unitOf(line))} & sleep 1`,
        `bash -c ${double(`(${bodyOf(line)}) &`)}`,
      ]),
    { compound: true },
  ),
];
