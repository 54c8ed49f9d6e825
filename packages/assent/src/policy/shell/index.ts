import { parse } from "unbash";
import { Analysis, type Finding, type ShellWorld, type Step } from "./analysis.ts";
import { Interpreter } from "./interpreter.ts";
import { fetchesFromNew } from "./new-remotes.ts";
import { precheck } from "./precheck.ts";
import { programNamed } from "./programs/index.ts";
import { type Defined, noStreams } from "./shell.ts";
import type { Definition, ShellState, Value } from "./state.ts";
import { known, nowhere } from "./text.ts";
import { sortWords } from "./words.ts";

export type { Finding, ShellWorld, Step } from "./analysis.ts";
export type { Category, RuleName } from "./deeds.ts";
export { resolvePath, within } from "./paths.ts";
export {
  isContinuousIntegrationFile,
  isEverything,
  isOwnPlace,
  isStartupPlace,
  isSystemPlace,
  type World,
} from "./places.ts";
export { programNamed, programNames } from "./programs/index.ts";
export { isSecretPlace } from "./secrets.ts";
export type { Defined } from "./shell.ts";
export type { Span } from "./text.ts";

export type Looking = { readonly cwd: string; readonly world: ShellWorld; readonly defined?: Defined };

/** What a command would do that a person must be asked about. */
export type Looked = {
  readonly findings: readonly Finding[];
  /** Paths whose real place should be known: looked at again with them, the findings may be others. */
  readonly wanted: readonly string[];
  /** What exactly would run, in order. */
  readonly steps: readonly Step[];
};

/** Follows a command without running anything (APPR-1, APPR-3). */
export function lookInto(command: string, looking: Looking): Looked {
  const analysis = new Analysis(looking.world);
  for (const { rule, reason, span } of precheck(command)) analysis.find({ rule, reason }, span);
  // What is too long or nested too deeply is not even read.
  if (!analysis.findings.some(({ rule }) => rule === "too-much")) follow(command, looking, analysis);
  const findings = analysis.findings.map((finding) => ({
    ...finding,
    effective: differing(finding.effective, command),
  }));
  return { findings, wanted: [...analysis.wanted], steps: analysis.steps };
}

function follow(command: string, { cwd, defined }: Looking, analysis: Analysis): void {
  const whole = { start: 0, end: command.length };
  try {
    const interpreter = new Interpreter(analysis);
    const script = parse(command);
    const here = { state: startState(cwd, defined), streams: noStreams, source: { text: command, at: null } };
    const state = defined === undefined ? here.state : interpreter.meetShell(defined, here, whole);
    const ends = interpreter.runScript(script, { ...here, state });
    for (const { text, span } of [...analysis.traps]) {
      for (const end of ends) interpreter.runText(text, span, { ...here, state: end.state });
    }
    interpreter.visitRest(script, { ...here, state });
    if (fetchesFromNew(analysis.steps))
      analysis.find({ rule: "network-host", reason: "fetches from a place that it has just named" }, whole);
    // Wherever it was spent: what came after was not looked at.
    if (analysis.isSpent) analysis.find({ rule: "too-much", reason: "does more than can be looked through" }, whole);
  } catch {
    // Whatever is wrong in here: what could not be looked through is a person's to decide.
    analysis.find({ rule: "too-much", reason: "could not be looked through: this is a mistake in Assent" }, whole);
  }
}

function differing(effective: string | null, command: string): string | null {
  return effective === null || command.includes(effective) ? null : effective;
}

function startState(cwd: string, defined: Defined | undefined): ShellState {
  const { functions = {}, aliases = {}, variables = {} } = defined ?? {};
  return {
    cwd: [cwd],
    variables: mapped(
      variables,
      // What may be a secret would be shown.
      (text, name): Value => ({
        type: "text",
        text: [(mayBeSecret(name, text ?? "") ? null : text) ?? { hole: "any", from: `$${name}` }],
      }),
    ),
    functions: mapped(functions, (text, name) => definitionOf(name, text)),
    aliases: mapped(aliases, (text) => text ?? '"$unknown_alias"'),
    // None are given; but whoever names them expects some, and what they are cannot be seen.
    parameters: null,
    files: new Map(),
    search: null,
  };
}

/** By its name, or because it looks like nothing else. */
function mayBeSecret(name: string, value: string): boolean {
  return (
    /TOKEN|SECRET|PASS|KEY|CREDENTIAL|AUTH|PRIVATE|COOKIE|SESSION|DSN|_URL$|_URI$/i.test(name) ||
    /[\w+=-]{24,}/.test(value)
  );
}

function mapped<Result>(
  texts: Readonly<Record<string, string | null>>,
  of: (text: string | null, name: string) => Result,
): ReadonlyMap<string, Result> {
  return new Map(Object.entries(texts).map(([name, text]) => [name, of(text, name)]));
}

/** A shell tells the body alone. */
function definitionOf(name: string, text: string | null): Definition {
  if (text === null) return null;
  const whole = `${name} () ${text}`;
  const { commands, errors = [] } = parse(whole);
  const [statement, ...more] = commands;
  if (errors.length > 0) return null;
  if (statement?.command.type !== "Function" || statement.command.name.value !== name || more.length > 0) return null;
  return { body: statement.command.body, source: { text: whole, at: nowhere } };
}

/** The words of a call that are no options, as far as the program is described. */
export function operandsOf(name: string, words: readonly (string | null)[]): readonly (string | null)[] {
  const spec = programNamed(name);
  if (spec === undefined) return words.filter((word) => word === null || !word.startsWith("-"));
  const span = nowhere;
  const given = words.map((word) => ({ text: [word ?? ({ hole: "any", from: "…" } as const)], splits: false, span }));
  return sortWords(spec, given).operands.map(({ text }) => known(text));
}

/** A command's verdict where nothing but the command and the place is known. */
export function judgeCommand(
  command: string,
  { cwd, home, platform, root }: { cwd: string; home: string | null; platform: "linux" | "darwin"; root: string },
): { readonly verdict: "allow" | "ask"; readonly findings: readonly Finding[] } {
  const world: ShellWorld = { home, platform, root, own: [], links: {}, fresh: true };
  const { findings } = lookInto(command, { cwd, world });
  return { verdict: findings.length === 0 ? "allow" : "ask", findings };
}
