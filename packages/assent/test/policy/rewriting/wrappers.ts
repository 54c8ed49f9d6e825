/** Steps that let another program start the command. */
import type { Random } from "../../simulation/random.ts";
import { type Form, pick, type Step, single, type Word, word } from "./form.ts";

/** What only the shell itself knows. */
const ofTheShell = new Set([
  "eval",
  "exec",
  "source",
  ".",
  "trap",
  "cd",
  "export",
  "read",
  "alias",
  "builtin",
  "set",
  "command",
]);

export function isOfTheShell({ words: [first] }: Form): boolean {
  return first === undefined || ofTheShell.has(first.value);
}

const wrappers: readonly string[] = [
  ...[
    "env",
    "/usr/bin/env",
    "env -u FOO",
    "env -i PATH=/usr/bin:/bin",
    "env A=1 B=2",
    "env --",
    "env -C .",
    "env -uX -- Y=1",
  ],
  ...["command", "command -p", "command --", "nohup", "exec", "exec -a quiet", "setsid", "setsid -w", "setsid --fork"],
  ...[
    "timeout 5",
    "timeout -k 1 10s",
    "timeout --signal=KILL 1m",
    "timeout --foreground 5",
    "nice",
    "nice -n 10",
    "nice -19",
  ],
  ...[
    "ionice -c 3",
    "ionice -c2 -n7",
    "stdbuf -oL",
    "stdbuf -o0 -e0",
    "chrt -i 0",
    "taskset 1",
    "taskset -c 0,1",
    "prlimit --nofile=64",
  ],
  ...[
    "strace -qq -o /tmp/trace",
    "ltrace -c",
    "valgrind -q",
    "perf stat --",
    "setarch -R",
    "ssh-agent",
    "dbus-run-session --",
  ],
  ...[
    "poetry run",
    "uv run",
    "pipenv run",
    "bundle exec",
    "pnpm exec",
    "direnv exec .",
    "cross-env A=1",
    "busybox",
    "toybox",
  ],
  ...[
    "/usr/bin/time -v",
    "/usr/bin/nohup",
    "flock /tmp/lock",
    "systemd-run --user --scope --",
    "chronic",
    "unbuffer",
    "watch -n 60",
  ],
];
/** Programs that are in busybox too. */
const inBusybox = new Set(
  "rm chmod chown cp mv ln tee sed wget nc dd tar find sh ls cat grep wc mkdir su reboot".split(" "),
);

const isBare = (value: string) => /^[\w./:=@%+-]+$/.test(value);

function wrapped(form: Form, random: Random): Form | undefined {
  const wrapper = pick(random, wrappers) ?? "env";
  const isBox = /box$/.test(wrapper);
  // It joins the words, and a shell splits them again.
  const isSplit = wrapper.startsWith("watch") && !form.words.every((each) => !each.live && isBare(each.value));
  if (isSplit || isOfTheShell(form) || (isBox && !inBusybox.has(form.words[0]?.value ?? ""))) return undefined;
  return { ...form, words: [...wrapper.split(" ").map(word), ...form.words] };
}

/** The last word comes by a pipe or a list instead, so it must be one that nothing else is said by. */
function lastApart(form: Form): { rest: readonly Word[]; last: Word } | undefined {
  const last = form.words.at(-1);
  const isFit = last && !last.live && form.words.length > 1 && /^[\w./][\w./:@=-]*$/.test(last.value);
  const isRead = form.redirections.some(({ operator }) => operator.includes("<"));
  if (!isFit || isRead || form.feed !== undefined || isOfTheShell(form)) return undefined;
  return { rest: form.words.slice(0, -1), last };
}

export const wrapperSteps: readonly Step[] = [
  { name: "wrapped", on: "form", apply: wrapped },
  { name: "wrapped again", on: "form", apply: wrapped },
  {
    name: "by xargs",
    on: "form",
    apply(form, random) {
      const apart = lastApart(form);
      if (apart === undefined) return undefined;
      const { rest, last } = apart;
      const start =
        pick(random, [
          "xargs",
          "xargs -r",
          "xargs -n 1",
          "xargs -n1 -P2",
          "xargs -t -L 1",
          "xargs --no-run-if-empty",
        ]) ?? "";
      const [xargs, end] = random.chance(0.5) ? [start, []] : ["xargs -I{}", [{ value: "{}", text: "{}", live: true }]];
      const words = [...xargs.split(" ").map((each) => ({ value: each, text: each, live: true })), ...rest, ...end];
      const feed = pick(random, [`echo ${last.text}`, `printf '%s\\n' ${last.text}`, `cat <<< ${last.text}`]) ?? "";
      return { ...form, feed, words, bash: true };
    },
  },
  {
    name: "by parallel",
    on: "form",
    apply(form) {
      const apart = lastApart(form);
      if (apart?.rest.some(({ live, value }) => live || !isBare(value))) return undefined;
      return apart && { ...form, words: [word("parallel"), ...apart.rest, word(":::"), apart.last] };
    },
  },
  {
    name: "by find",
    on: "form",
    apply(form, random) {
      if (isOfTheShell(form) || form.feed !== undefined) return undefined;
      const start =
        pick(random, ["find . -maxdepth 0 -exec", "find /tmp -prune -exec", "find . -maxdepth 0 -execdir"]) ?? "";
      return {
        ...form,
        words: [...start.split(" ").map(word), ...form.words, { value: ";", text: "\\;", live: true }],
      };
    },
  },
  {
    name: "by env -S",
    on: "form",
    apply(form) {
      const isSimple = form.words.every((each) => !each.live && /^[\w./:=@%+,-]+$/.test(each.value));
      if (isOfTheShell(form) || !isSimple) return undefined;
      const text = single(form.words.map(({ value }) => value).join(" "));
      return { ...form, words: [word("env"), word("-S"), { value: text, text, live: true }] };
    },
  },
];
