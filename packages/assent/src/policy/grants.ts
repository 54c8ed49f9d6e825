import type { Grant, GrantRule } from "../core/index.ts";
import {
  type Finding,
  isEverything,
  type Looked,
  type Looking,
  lookInto,
  programNamed,
  type RuleName,
  resolvePath,
  type Step,
  type World,
  within,
} from "./shell/index.ts";

/** Findings whose meaning is not known, or that could change what may be granted: only Yes and No. */
const neverGranted: ReadonlySet<RuleName> = new Set<RuleName>([
  "hidden-characters",
  "hidden-layout",
  "look-alike-name",
  "not-parsed",
  "too-much",
  "self-approval",
  "exec-unseen",
  "exec-unknown-program",
  "network-unknown-host",
]);

export type Grantable = {
  readonly command: string;
  readonly cwd: string;
  readonly looked: Looked;
  readonly world: World;
  /** Variables that the shell has set for the programs in it, by name. */
  readonly set: readonly string[];
};

/** The exact rule that would cover this command; `null` where nothing can be granted. */
export function grantFor({ command, cwd, looked, world, set }: Grantable): GrantRule | null {
  const { findings, steps } = looked;
  if (findings.some(({ rule }) => neverGranted.has(rule))) return null;
  if (steps.some(isUnknown) || namesEverything(command, steps, { cwd, world })) return null;
  return {
    ...{ tool: "terminal", match: "exact" },
    // A shell may have gone elsewhere: then the grant is for there alone.
    root: within([cwd], world.root) ? world.root : cwd,
    // The command as it is written, for no step says what it reads and how its parts hang together; the steps, for they say
    // what its names mean; and what was found, for a link may lead elsewhere by now, or a variable change what a program does.
    signature: JSON.stringify([command, steps.map(signed), findings.map(({ rule, reason }) => [rule, reason]), set]),
    display: command,
    categories: categoriesOf(findings),
  };
}

/** A value that only the shell knows may be another one the next time. */
function isUnknown(step: Step): boolean {
  return step.type === "run" ? step.argv.includes(null) : /[$`…]/.test(step.text);
}

/** Whether the root, the home or a device is anywhere in it, from any of the folders that it goes to. */
function namesEverything(
  command: string,
  steps: readonly Step[],
  { cwd, world }: { readonly cwd: string; readonly world: World },
): boolean {
  const words = steps.flatMap((step) => (step.type === "run" ? step.argv : [step.text]));
  const names = new Set([command, ...words].flatMap((text) => (text === null ? [] : pathsIn(text))));
  const folders: Text[] = [[cwd]];
  for (const step of steps) {
    const [program, ...to] = step.type === "run" ? step.argv : [];
    if (!goes.test(program ?? "")) continue;
    for (const name of to) if (name !== null) folders.push(resolvePath([name], folders.at(-1) ?? [cwd]));
  }
  // Nobody reads so much before saying that it may always run.
  if (names.size * folders.length > mostNames) return true;
  const places = [...names].flatMap((name) => folders.map((folder) => resolvePath([name], folder)));
  return places.some((place) => isEverything(place, world));
}

type Text = Parameters<typeof resolvePath>[1];

const mostNames = 2_000;
const goes = /^(?:cd|pushd|chdir)$/;

/** All that could be a path in a word, such as `of=/dev/sda`, `-C/`, `/:/host` or a text within code. */
function pathsIn(text: string): readonly string[] {
  return text
    .split(/[\s"'`=:,;|&()<>[\]{}]+/)
    .flatMap((part) => [part, part.replace(/^-\w+(?=[/~])/, "")])
    .map((part) => (/^~\/*$/.test(part) ? "/home" : part))
    .filter((part) => part !== "");
}

function signed(step: Step): readonly (string | null)[] | string {
  return step.type === "run" ? step.argv : step.text;
}

function categoriesOf(findings: readonly Pick<Finding, "category">[]): readonly string[] {
  return [...new Set(findings.map(({ category }) => category))].sort();
}

/** Programs that run whatever they are given, also where that is not told by how they are described. */
const neverPrefixed: ReadonlySet<string> = new Set(
  (
    "assent sudo su doas pkexec env xargs gxargs nohup time timeout nice watch viddy hwatch parallel rust-parallel rush pexec " +
    "sem entr command builtin exec eval source busybox toybox coreutils uutils sh bash dash zsh ksh mksh pdksh lksh oksh ash " +
    "csh tcsh fish rbash rksh rzsh yash posh bosh osh ysh nu elvish xonsh pwsh pwsh-preview powershell cmd python pythonw py " +
    "pypy ipython bpython ptpython micropython jython graalpy node nodejs iojs electron deno bun tsx ts-node ts-node-esm " +
    "ts-node-script ts-node-dev tsnd esno esr babel-node swc-node vite-node jiti sucrase-node zx coffee perl raku rakudo ruby " +
    "jruby truffleruby mruby php php-cgi hhvm lua luajit texlua nodemcu-lua tclsh wish jimsh expect R Rscript littler julia " +
    "octave octave-cli matlab gnuplot groovy groovysh scala scala-cli amm kotlin java jshell ghci ghc runghc runhaskell elixir " +
    "iex erl escript clojure clj bb racket guile scheme chez gosh csi sbcl ecl clisp ccl ocaml crystal swift janet fennel " +
    "osascript rust-script m4 awk gawk mawk nawk sed gsed ed red ex vi vim nvim kak emacs emacsclient gdb lldb strace ltrace " +
    "find gfind bfs fd fdfind ssh docker docker.io podman podman-remote nerdctl finch kubectl oc lxc incus lxc-attach " +
    "lxc-execute lxc-start machinectl systemd-nspawn schroot dchroot bwrap distrobox toolbox apptainer singularity npx pnpx " +
    "bunx uvx make gmake bmake mingw32-make tmux screen dotenv dotenvx dotenv-cli env-cmd cross-env cross-env-shell doppler op " +
    "infisical teller chamber sops aws-vault direnv jenv nvm npm-run-all npm-run-all2 run-s run-p visudo setcap"
  ).split(" "),
);

function runsOthers(program: string): boolean {
  return neverPrefixed.has(program.replace(/\.exe$/i, "").replace(/[\d.]+$/, ""));
}

/**
 * A rule for every call that begins with these words. Only of a program that is described, and that does not run others:
 * `null` with the reason otherwise.
 */
export function prefixGrant(
  words: readonly string[],
  { root, categories }: { readonly root: string; readonly categories: readonly string[] },
): GrantRule | { readonly refused: string } {
  const [program = ""] = words;
  if (words.length < 2) return { refused: "a prefix needs the program and at least one more word" };
  const spec = programNamed(program);
  if (spec === undefined || program.includes("/")) {
    return { refused: `${program} is not among the programs that Assent knows` };
  }
  if (runsOthers(program) || takesCode(spec) || runsMore(words)) {
    return { refused: `${program} runs what it is given: no prefix of it can be granted` };
  }
  const display = `${words.join(" ")} …`;
  return { tool: "terminal", match: "prefix", signature: JSON.stringify(words), display, root, categories };
}

function takesCode({ takes = {}, may = {}, operands = [] }: NonNullable<ReturnType<typeof programNamed>>): boolean {
  const kinds = [...Object.values(takes), ...Object.values(may), ...operands];
  return kinds.some((kind) => /^(?:argv|shell|script|code)/.test(kind));
}

/** Whether a command that is put behind the words in one of the usual ways would run, or all of it as another user. */
function runsMore(words: readonly string[]): boolean {
  const begun = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  return ["", "--", "1", "x", "x --", "1 x"].some((between) =>
    ["rmdir x", "-c 'rmdir x'", "-e 'rmdir x'", "'rmdir x'"].some((tail) => {
      const { steps, findings } = lookInto(`${begun} ${between} ${tail}`, nowhere);
      const runs = steps.some((step, index) => index > 0 && step.type === "run" && step.argv[0] === "rmdir");
      return runs || findings.some(({ rule }) => rule === "privilege-escalation");
    }),
  );
}

const nowhere: Looking = {
  cwd: "/x/y",
  world: { platform: "linux", home: null, root: "/x/y", own: [], links: {}, fresh: true },
};

/** Whether a grant covers this command: never more programs, words or effects than it was given for. */
export function covers(grant: Grant, asked: GrantRule | null, looked: Looked): boolean {
  if (asked === null || grant.tool !== asked.tool || !reaches(grant, asked)) return false;
  const categories = categoriesOf(looked.findings);
  if (grant.match === "exact") {
    return grant.signature === asked.signature && String(grant.categories) === String(categories);
  }
  if (!isPlain(asked.display) || !beginsWith(looked.steps, grant.signature)) return false;
  return categories.every((each) => grant.categories.includes(each));
}

/** One command of words alone: nothing is read from elsewhere, written, put in or run beside it. */
function isPlain(command: string): boolean {
  const rest = command.replace(/'[^']*'|"[^"$`\\]*"/g, "");
  return !/[<>|&;()`$\n\r{}!#]/.test(rest);
}

function beginsWith(steps: readonly Step[], signature: string): boolean {
  const [step, ...others] = steps;
  if (step?.type !== "run" || others.length > 0) return false;
  const words = JSON.stringify(step.argv);
  // A list of words begins with another exactly when its text does, up to the closing bracket.
  const prefix = signature.slice(0, -1);
  return words === signature || words.startsWith(`${prefix},`);
}

/** For a person everywhere, otherwise in the project it was given in. */
export function reaches({ scope, root }: Grant, asked: GrantRule): boolean {
  return scope === "user" || root === asked.root;
}
