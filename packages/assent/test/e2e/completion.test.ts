// The scripts of `assent completion` in the shells that read them.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { commandSpecs } from "../../src/cli/specs/registry.ts";
import { verifies } from "../requirements/verifies.ts";
import { loaded } from "./loaded.ts";
import { counting, needsTerminal, noTerminal, Place, Running, terminal } from "./product.ts";

const script = join(import.meta.dirname, "..", "..", "completion", "assent.bash");
const has = (shell: string) => spawnSync(shell, ["-c", "exit 0"]).status === 0;
const [noBash, noZsh, noFish] = ["bash", "zsh", "fish"].map((shell) => !has(shell));
const missing = (isMissing: boolean | undefined, shell: string) =>
  isMissing ? ` (skipped: ${shell} is not installed)` : "";

/** A place where `assent` is a program on the path. */
function installed(replies: ConstructorParameters<typeof Place>[0] = []): Place {
  const place = new Place(replies);
  const folder = place.file("bin");
  mkdirSync(folder);
  writeFileSync(join(folder, "assent"), `#!/bin/sh\nexec ${place.line()} "$@"\n`, { mode: 0o755 });
  place.env["PATH"] = `${folder}:${process.env["PATH"]}`;
  return place;
}

/** A shell on a terminal of its own. */
function typedTo(shell: string, place: Place, more: NodeJS.ProcessEnv): Running {
  const options = { cwd: place.folder, env: { ...place.env, TERM: "dumb", ...more }, stdio: "pipe" } as const;
  const child = spawn("/usr/bin/script", ["-qfec", shell, "/dev/null"], options);
  onTestFinished(() => void child.kill("SIGKILL"));
  return new Running(child);
}

/** As bash breaks a line into words: at spaces, and around `=` and `:`. */
function broken(line: string): readonly string[] {
  const words = line.match(/[=:]+|[^\s=:]+/g) ?? [];
  return /\s$/.test(line) ? [...words, ""] : words;
}

type Completed = { readonly replies: readonly string[]; readonly options: readonly string[] };

/** What bash would be given for a line, the cursor at its end: the replies, and the options set by `compopt`. */
function inBash(place: Place, line: string, prelude = ""): Completed {
  const words = broken(line);
  const program = `
    source "${script}"
    compopt() { printf 'option %s\\n' "$2"; }
    ${prelude}
    COMP_LINE=$1 COMP_POINT=\${#1} COMP_CWORD=$(($# - 2))
    shift
    COMP_WORDS=("$@")
    _assent assent
    for reply in "\${COMPREPLY[@]}"; do printf 'reply %s\\n' "$reply"; done`;
  const argv = ["--norc", "--noprofile", "-c", program, "bash", line, ...words];
  const { stdout, stderr } = spawnSync("bash", argv, { env: place.env, cwd: place.folder, encoding: "utf8" });
  expect(stderr).toBe("");
  const lines = stdout.split("\n");
  const of = (kind: string) =>
    lines.flatMap((each) => (each.startsWith(`${kind} `) ? [each.slice(kind.length + 1)] : []));
  return { replies: of("reply"), options: of("option") };
}

describe.skipIf(noBash)(`bash${missing(noBash, "bash")}`, () => {
  verifies("CLI-1d", "completes commands, and the whole list where nothing is typed", () => {
    const place = installed();
    expect(inBash(place, "assent res")).toEqual({ replies: ["resume"], options: [] });
    expect(inBash(place, "assent ").replies).toEqual(Object.keys(commandSpecs));
    expect(inBash(place, "assent nothing ")).toEqual({ replies: [], options: [] });
    expect(inBash(place, "assent toString ")).toEqual({ replies: [], options: [] });
  });

  test.each<[string, readonly string[]]>([
    ["assent --mo", ["--model"]],
    ["assent --v", ["--version"]],
    ["assent run --un", ["--unattended"]],
    ["assent run --unattended ", ["deny", "park", "abort"]],
    ["assent run --unattended=", ["deny", "park", "abort"]],
    ["assent run --unattended=p", ["park"]],
    ["assent run --json --js", []],
    ["assent run hello ", []],
    ["assent run -- --", []],
    ["assent pol", ["policy"]],
    ["assent policy gr", ["grants"]],
    ["assent policy grants ", ["add", "revoke"]],
    ["assent policy grants add --sc", ["--scope"]],
    ["assent policy grants add --scope u", ["user"]],
    ["assent help policy ex", ["explain"]],
    ["assent completion ", ["bash", "zsh", "fish"]],
    ["assent audit ", ["why", "verify", "export"]],
    ["assent audit verify --h", ["--head", "--help"]],
    ["assent run --model anth", ["anthropic:"]],
    ["assent run --model=anth", ["anthropic:"]],
    ["assent run --model ollama:", [""]],
  ])("completes %j", (line, replies) => {
    expect(inBash(installed(), line).replies).toEqual(replies);
  });

  test("puts no space after what goes on", () => {
    expect(inBash(installed(), "assent run --model anth").options).toEqual(["nospace"]);
  });

  test("leaves files and folders to bash", () => {
    const place = installed();
    const lines = ["assent flow ", "assent scenario run a.txt b", "assent run --model scripted:s", "assent run --cwd="];
    expect(lines.map((line) => inBash(place, line))).toEqual([
      { replies: [], options: ["default"] },
      { replies: [], options: ["default"] },
      { replies: [], options: ["default"] },
      { replies: [], options: ["dirnames"] },
    ]);
  });

  test("lists files itself where bash is too old to be left them", () => {
    const place = installed();
    const old = 'type() { [[ $1 != compopt ]] && builtin type "$@"; }';
    expect(inBash(place, "assent run --model scripted:scr", old)).toEqual({ replies: ["script.jsonl"], options: [] });
  });

  test("completes a model that is written down, after its colon", () => {
    const place = installed();
    mkdirSync(place.home, { mode: 0o700 });
    writeFileSync(join(place.home, "models.json"), '{"ollama:qwen3:8b": {}, "ollama:q;rm x": {}}');
    expect(inBash(place, "assent run --model ollama:q").replies).toEqual(["qwen3:8b"]);
    expect(inBash(place, "assent run --model ollama:qwen3:").replies).toEqual(["8b"]);
  });

  verifies("CLI-1d", "completes sessions and questions that are there, and makes nothing where none are", () => {
    const place = installed([terminal(counting), { text: "Done." }]);
    expect(inBash(place, "assent resume ").replies).toEqual([]);
    expect(place.assent(["sessions"]).stdout).toBe("");
    expect(place.assent(["run", "--unattended=park", "count \u001b[31m it"]).status).toBe(4);
    const [session = ""] = place.sessions().map((each) => each.session);
    const [question = ""] = place.pending().map(({ request }) => request.interaction_id);
    for (const line of [
      "assent resume ",
      "assent fork ",
      "assent stop --kill ",
      "assent sessions delete ",
      "assent --session ",
    ]) {
      expect(inBash(place, line).replies).toEqual([session]);
    }
    expect(inBash(place, `assent resume ${session.slice(0, 3)}`).replies).toEqual([session]);
    expect(inBash(place, "assent answer ").replies).toEqual([question]);
    expect(inBash(place, "assent audit ").replies).toEqual(["why", "verify", "export", session]);
    expect(inBash(place, "assent audit export ").replies).toEqual([session]);
    expect(place.assent(["__complete", "audit", "why", ""]).stdout).toBe(`t1c1\tterminal ${counting}\n`);
    expect(place.assent(["__complete", "resume", ""]).stdout).toBe(`${session}\tcount [31m it\n`);
    place.assent(["answer", question, "no"]);
    expect(inBash(place, "assent answer ").replies).toEqual([]);
  });

  test.skipIf(noTerminal)(`completes at the Tab key${needsTerminal}`, async () => {
    const place = installed();
    const env = { PS1: "$ ", HISTFILE: "", INPUTRC: "/dev/null" };
    const running = typedTo("bash --norc --noprofile -i", place, env);
    running.type('eval "$(assent completion bash)"; echo rea""dy\n');
    await running.shows("\nready\n");
    running.type("echo assent $(printf x); : assent\u0015assent resu\t");
    await running.shows("assent resume ");
    running.type("\u0015assent run --unattended=p\t");
    await running.shows("--unattended=park ");
    running.type("\u0015assent run --model anth\t");
    await running.shows("--model anthropic:");
    running.type("\u0015assent flow scri\t");
    await running.shows("assent flow script.jsonl ");
    running.type("\u0015exit\n");
    await running.ended;
  });
});

describe.skipIf(noZsh)(`zsh${missing(noZsh, "zsh")}`, () => {
  test.skipIf(noTerminal)(`completes at the Tab key${needsTerminal}`, async () => {
    const place = installed();
    const running = typedTo("zsh -f -i", place, { ZDOTDIR: place.folder });
    running.type('PS1="$ "; autoload -U compinit; compinit -u -D; eval "$(assent completion zsh)"; echo rea""dy\n');
    await running.shows("\nready\n");
    running.type("assent resu\t");
    await running.shows("assent resume ");
    running.type("\u0015assent run --unattended p\t");
    await running.shows("--unattended park ");
    running.type("\u0015assent flow scri\t");
    await running.shows("assent flow script.jsonl ");
    running.type("\u0015exit\n");
    await running.ended;
  });
});

describe.skipIf(noFish)(`fish${missing(noFish, "fish")}`, () => {
  test.each<[string, readonly string[]]>([
    ["assent resu", ["resume"]],
    ["assent run --unattended p", ["park"]],
    ["assent run --unattended=p", ["--unattended=park"]],
    ["assent flow scri", ["script.jsonl"]],
  ])("completes %j", (line, expected) => {
    const place = installed();
    const program = "assent completion fish | source; complete -C $argv[1]";
    const argv = ["--no-config", "-c", program, line];
    const { stdout } = spawnSync("fish", argv, { env: place.env, cwd: place.folder, encoding: "utf8" });
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((each) => each.split("\t")[0]),
    ).toEqual(expected);
  });
});

test("words are completed without the journal, the tools and the models", () => {
  const found = loaded(new Place([]), ["__complete", "run", "--un"]);
  expect(found.filter((each) => !/^(?:\.\.|data:)/.test(each) && !each.includes("start.mjs"))).toEqual([
    "cli/complete.ts",
    "cli/flags.ts",
    "cli/main.ts",
    "cli/specs/audit.ts",
    "cli/specs/following.ts",
    "cli/specs/integrations.ts",
    "cli/specs/others.ts",
    "cli/specs/policy.ts",
    "cli/specs/registry.ts",
    "cli/specs/replaying.ts",
    "cli/specs/serving.ts",
    "cli/specs/sessions.ts",
    "cli/specs/spec.ts",
    "cli/tuning.ts",
    "node:util",
    "slash/names.ts",
    "wire/nearest.ts",
  ]);
});

test("sessions are completed without the tools and the models", () => {
  const found = loaded(new Place([]), ["__complete", "resume", ""]);
  expect(found.filter((each) => /^(?:tools|providers|terminal|policy|adapters)\//.test(each))).toEqual([]);
});

test("another shell is an error that names those there are", () => {
  expect(new Place([]).assent(["completion", "fihs"])).toEqual({
    status: 2,
    stdout: "",
    stderr: 'assent: completion: expected bash, zsh, fish, found "fihs"; did you mean fish?\n',
  });
  expect(new Place([]).assent(["completion"]).stderr).toBe(
    "assent: completion: expected bash, zsh, fish, found none\n",
  );
});

describe("what is nearly right is told with what is near to it", () => {
  const near = (typed: string, name: string) => `assent: unknown option "${typed}"; did you mean ${name}?\n`;

  test.each<[string, string]>([
    ["--modle x", near("--modle", "--model")],
    ["--verison", near("--verison", "--version")],
    ["--hlep", near("--hlep", "--help")],
    ["-V", 'assent: unknown option "-V"; did you mean -v?\n'],
    ["shell --continu", near("--continu", "--continue")],
    ["run --jsno hi", near("--jsno", "--json")],
    ["resume --modl x", near("--modl", "--model")],
    ["sessions --jsn", near("--jsn", "--json")],
    ["sessions delet x", 'assent: expected no argument, found "delet" "x"; did you mean delete?\n'],
    ["sessions delete --hepl", near("--hepl", "--help")],
    ["pending --jsn", near("--jsn", "--json")],
    ["answer --jsn", 'assent: expected <id> <reply>, found "--jsn"\n'],
    ["stop --kil x", near("--kil", "--kill")],
    ["flow --unatended=deny x", near("--unatended", "--unattended")],
    ["policy --halp", near("--halp", "--help")],
    [
      "policy explan ls",
      'assent: policy: expected explain, check, rules, grants, replay, found "explan"; did you mean explain?\n',
    ],
    ["policy explain --hom=/ ls", near("--hom", "--home")],
    ["policy check --hepl", near("--hepl", "--help")],
    ["policy rules --jsn", near("--jsn", "--json")],
    ["policy grants --jsn", near("--jsn", "--json")],
    ["policy grants ad x", 'assent: expected no argument, found "ad" "x"; did you mean add?\n'],
    ["policy grants revoke --hepl", near("--hepl", "--help")],
    ["doctor --liv", near("--liv", "--live")],
    ["interaction lnt", 'assent: interaction: expected lint, reply, flow, purity, found "lnt"; did you mean lint?\n'],
    ["interaction lint --hepl", near("--hepl", "--help")],
    ["scenario rnu x", 'assent: scenario: expected run or record, found "rnu"; did you mean run?\n'],
    ["scenario run --liv x", near("--liv", "--live")],
    ["scenario record --ot=x y", near("--ot", "--out")],
    ["schema interacton", 'assent: schema: expected interaction, found "interacton"; did you mean interaction?\n'],
    ["schema interaction --hepl", near("--hepl", "--help")],
    ["demo --jsn", near("--jsn", "--json")],
    ["completion bash --hepl", near("--hepl", "--help")],
    ["help rnu", 'assent: unknown command "rnu"; did you mean run?\n'],
    ["help policy explan", 'assent: unknown command "explan"; did you mean explain?\n'],
    ["version --hepl", near("--hepl", "--help")],
    ["rnu", 'assent: unknown command "rnu"; did you mean run?\n'],
  ])("assent %s", (line, stderr) => {
    expect(new Place([]).assent(line.split(" "))).toEqual({ status: 2, stdout: "", stderr });
  });
});
