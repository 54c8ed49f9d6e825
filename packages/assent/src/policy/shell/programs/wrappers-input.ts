import type { Deed } from "../deeds.ts";
import { asks, type Given, type Programs, runs, type Spec } from "../spec.ts";
import { type Argument, type Hole, joinedWords, known, spanOfWords, type Text, textOf } from "../text.ts";
import { isIn, shellOf, word } from "./calls.ts";

const unseen: Hole = { hole: "any", from: "…" };

/** The word with a hole wherever the place-holder stands. */
function withHole(argument: Argument, place: string): Argument {
  const pieces = argument.text.flatMap((piece): Text => {
    if (typeof piece !== "string") return [piece];
    return piece.split(place).flatMap((part, index): Text => (index === 0 ? [part] : [unseen, part]));
  });
  return { ...argument, text: textOf(...pieces) };
}

function placeOf(given: Given): string | null {
  const named = given.values("-I -J").at(-1);
  if (named !== undefined) return word(named) || "{}";
  const attached = given.values("-i --replace").at(-1);
  if (given.has("-i --replace")) return attached === undefined ? "{}" : word(attached) || "{}";
  return null;
}

function xargs(given: Given): readonly Deed[] {
  const { operands: argv } = given;
  const place = placeOf(given);
  if (argv.length === 0) return [];
  // What comes from a file is not what comes on standard input.
  if (given.has("-a --arg-file")) {
    return place === null ? runs(argv, true) : runs(argv.map((each) => withHole(each, place)));
  }
  return [{ does: "run-with-input", argv, place, lines: place !== null || given.has("-0 --null -d --delimiter") }];
}

/** Where GNU parallel puts what it is given: `{}`, `{.}`, `{/}`, `{1}`, `{2.}` and so on. */
const places = /\{(\d*)(?:\.|\/|\/\/|\/\.|#|%|\+\/|)\}/g;
const mostCalls = 64;

type Groups = {
  readonly command: readonly Argument[];
  readonly groups: readonly (readonly Argument[])[];
  readonly files: boolean;
};

function grouped(operands: readonly Argument[]): Groups {
  const isMark = (each: Argument): boolean => isIn(each, "::: :::+ :::: ::::+");
  const start = operands.findIndex(isMark);
  if (start < 0) return { command: operands, groups: [], files: false };
  const groups: Argument[][] = [];
  let files = false;
  for (const each of operands.slice(start)) {
    if (isMark(each)) groups.push([]);
    else groups.at(-1)?.push(each);
    if (isIn(each, ":::: ::::+")) files = true;
  }
  return { command: operands.slice(0, start), groups, files };
}

function combined(groups: Groups["groups"]): readonly (readonly Argument[])[] {
  let all: readonly (readonly Argument[])[] = [[]];
  for (const group of groups)
    all = all.flatMap((given) => group.map((each) => [...given, each])).slice(0, mostCalls + 1);
  return all;
}

/** The text of one call; what is put in is quoted for the shell. */
function filled(template: Text, words: readonly Argument[]): Text {
  const texts = words.map(({ text }) => quotedText(text));
  let used = false;
  const pieces = template.flatMap((piece): Text => {
    if (typeof piece !== "string") return [piece];
    const parts: (string | Hole)[] = [];
    let end = 0;
    for (const match of piece.matchAll(places)) {
      used = true;
      const chosen =
        match[1] === ""
          ? texts.flatMap((each, index) => (index === 0 ? [...each] : [" ", ...each]))
          : (texts[Number(match[1]) - 1] ?? []);
      parts.push(piece.slice(end, match.index), ...chosen);
      end = match.index + match[0].length;
    }
    return [...parts, piece.slice(end)];
  });
  const appended = used ? [] : texts.flatMap((each) => [" ", ...each]);
  return textOf(...pieces, ...appended);
}

function quotedText(text: Text): Text {
  const plain = known(text);
  return plain !== null && !/^[\w./:,@%+=-]+$/.test(plain) ? [`'${plain.replaceAll("'", "'\\''")}'`] : text;
}

function parallel(given: Given): readonly Deed[] {
  const { command, groups, files } = grouped(given.operands);
  const span = spanOfWords(given.operands);
  if (groups.length === 0) return fromInput(given, command);
  if (files) return command.length === 0 ? [unknownCommands(given)] : [withUnknown(command)];
  const calls = combined(groups);
  if (calls.length > mostCalls) return command.length === 0 ? [unknownCommands(given)] : [withUnknown(command)];
  if (command.length === 0) return calls.flatMap((each) => shellOf(each));
  return calls.map((each) => ({ does: "shell", text: filled(joinedWords(command), each), span }));
}

function unknownCommands({ operands }: Given): Deed {
  return asks("exec-unseen", "runs lines that are not known before it runs", operands[0]);
}

/** The words are positional parameters of the shell, as they are quoted for it. */
function withUnknown(command: readonly Argument[]): Deed {
  return { does: "shell", text: parameterized(joinedWords(command), '"$__given__"'), span: spanOfWords(command) };
}

function parameterized(template: Text, parameter: string): Text {
  let used = false;
  const pieces = template.map((piece) =>
    typeof piece === "string"
      ? piece.replaceAll(places, () => {
          used = true;
          return parameter;
        })
      : piece,
  );
  return textOf(...pieces, ...(used ? [] : [` ${parameter}`]));
}

function fromInput(given: Given, command: readonly Argument[]): readonly Deed[] {
  const only = command.length === 0 || (command.length === 1 && command.every((each) => isIn(each, "{}")));
  if (given.has("-a --arg-file")) return only ? [unknownCommands(given)] : [withUnknown(command)];
  if (only) return [{ does: "run-input", language: "shell" }];
  const span = spanOfWords(command);
  const made = (text: Text): Argument => ({ text, splits: false, span });
  if (given.has("--pipe --pipepart --pipe-part --tee")) return shellOf(command);
  const argv = [
    made(["sh"]),
    made(["-c"]),
    made(parameterized(joinedWords(command), '"$1"')),
    made(["sh"]),
    made(["{}"]),
  ];
  return [{ does: "run-with-input", argv, place: "{}", lines: true }];
}

function remotely(): Spec {
  return {
    takes: {
      "-S --sshlogin": "text",
      "--slf --sshloginfile": "text",
      "--ssh": "program",
      "-j --jobs -P --max-procs -n --max-args -N --max-replace-args -L --max-lines -I -C --colsep -d --delimiter -E --timeout --delay --retries --joblog --results --tmpdir --load --memfree --nice --halt --tagstring --block --recstart --recend --env --workdir --wd --basefile --bf --return --shuf-seed --profile -J --limit --semaphoreid --id --st --semaphoretimeout --template --termseq --trim --compress-program --max-chars -s --rpl -U":
        "text",
      "-a --arg-file": "read",
    },
    // Flags that are also the beginning of an option with a value.
    may: { "--tag --sem --semaphore --compress --tee --line-buffer -l --replace -i": "text" },
    stops: true,
  };
}

function elsewhere(given: Given): readonly Deed[] {
  const hosts = given.values("-S --sshlogin").filter((each) => !isIn(each, ": localhost"));
  const files = given.values("--slf --sshloginfile");
  return [
    ...hosts.map((host): Deed => ({ does: "connect", host })),
    ...files.map((each) => asks("network-unknown-host", "runs on the hosts of a file", each)),
  ];
}

export const parallelTools: Programs = {
  "xargs gxargs"() {
    return {
      stops: true,
      takes: {
        "-a --arg-file": "read",
        "-d --delimiter -E -I -J -L -n --max-args -P --max-procs -s --max-chars --process-slot-var -R -S": "text",
      },
      may: { "-e --eof -i --replace -l --max-lines": "text" },
      also: xargs,
    };
  },
  parallel() {
    return {
      ...remotely(),
      also: (given) => [...elsewhere(given), ...(isSemaphore(given) ? shellOf(given.operands) : parallel(given))],
    };
  },
  "rush rust-parallel pexec"() {
    return {
      takes: { "-j --jobs -r --retries -t --timeout -i --infile -v --assign -D --record-delimiter": "text" },
      stops: true,
      also: ({ operands }) => (operands.some((each) => word(each).includes(" ")) ? shellOf(operands) : []),
    };
  },
  sem: () => ({ ...remotely(), also: ({ operands }) => shellOf(operands) }),
};

function isSemaphore(given: Given): boolean {
  return given.has("--semaphore --sem");
}
