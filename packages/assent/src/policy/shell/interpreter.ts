import { forEachChild, type ProcessSubstitutionPart, parse, type Script, type SyntaxNode, type Word } from "unbash";
import { type Analysis, type Step, spanOf } from "./analysis.ts";
import { runArgv } from "./argv.ts";
import { conclude } from "./conclude.ts";
import { ControlFlow } from "./control-flow.ts";
import type { Deed } from "./deeds.ts";
import { isTextMaker } from "./filters.ts";
import { passedOver } from "./gaps.ts";
import { commonOutput, isSameState } from "./merge.ts";
import { withLostParameters } from "./one-of.ts";
import { type Defined, type Evaluating, type Here, noStreams, type Ran, type Running, type Shell } from "./shell.ts";
import { namesWith, type ShellState, type Source, withThoseOf, withVariable } from "./state.ts";
import { type Argument, type Hole, known, nowhere, type Span, shown, type Text, textOf } from "./text.ts";
import { textOfWord } from "./words-of.ts";

/** A shell that runs nothing, put together: what a program would do is followed, and looked into wherever it runs more. */
export class Interpreter implements Shell {
  readonly analysis: Analysis;
  /** What `<(…)` gives, by the name it has. */
  readonly #substituted = new Map<string, Text>();

  /** The bodies of the functions that are running, also of those that run a substitution. */
  readonly #calls: object[] = [];
  readonly #flow: ControlFlow = new ControlFlow(this);

  constructor(analysis: Analysis) {
    this.analysis = analysis;
  }

  textOf(word: Word, evaluating: Evaluating): Text {
    return textOfWord(word, evaluating);
  }

  runScript(
    script: Script & { readonly errors?: readonly { readonly pos: number }[] | undefined },
    here: Here,
  ): readonly Ran[] {
    this.analysis.visited.add(script);
    const error = script.errors?.[0]?.pos ?? passedOver(script, here.source);
    if (error !== null) {
      const span = spanOf({ pos: error, end: Math.max(error, script.end) }, here.source);
      this.analysis.find({ rule: "not-parsed", reason: "cannot be read as a shell reads it" }, span);
    }
    return this.#flow.statements(script.commands, here);
  }

  substitution(script: Script, state: ShellState, source: Source): Text {
    const span = spanOf(script, source);
    const streams = { ...noStreams, captured: true };
    const before = this.analysis.steps.length;
    const ways = this.analysis.deeper(span, () => this.runScript(script, { state, streams, source }));
    const output = ways === null ? null : commonOutput(ways);
    const written = source.text.slice(script.pos, script.end);
    if (output === null) {
      const made = isMadeHere(this.analysis.steps.slice(before), written);
      return [{ hole: "any", from: `$(${written})`, ...(made ? { made } : {}) }];
    }
    const last = output.at(-1);
    return typeof last === "string" ? textOf(...output.slice(0, -1), last.replace(/\n+$/, "")) : output;
  }

  processSubstitution(part: ProcessSubstitutionPart, state: ShellState, source: Source): Text {
    const { script, operator } = part;
    const unknown: Hole = { hole: "any", from: part.text };
    if (script === undefined) return [unknown];
    const input = operator === ">" ? ({ type: "text", text: [unknown] } as const) : null;
    const streams = { ...noStreams, input, captured: true };
    const ways = this.analysis.deeper(spanOf(part, source), () => this.runScript(script, { state, streams, source }));
    const name = this.analysis.substitute();
    this.#substituted.set(name, (ways === null ? null : commonOutput(ways)) ?? [unknown]);
    return [name];
  }

  contentOf(path: string, state: ShellState): Text | null {
    const inside = this.#substituted.get(path);
    if (inside !== undefined) return inside;
    const made = state.files.get(path);
    return made?.type === "content" ? made.text : null;
  }

  runPrompt(text: Text, span: Span): void {
    if (known(text) !== null && !/[`$\\]/.test(known(text) ?? "")) return;
    this.analysis.find({ rule: "exec-unseen", reason: "runs what stands in a variable, as a prompt does" }, span);
  }

  /** A subscript with a command in it, kept in a text: sooner or later a sum evaluates it. A hole may be its name. */
  suspectSubscript(text: Text, span: Span): void {
    const flat = text.map((piece) => (typeof piece === "string" ? piece : "_")).join("");
    if (/\w\[[^\]]*(?:\$\(|`)/.test(flat)) this.runHidden(text, span);
  }

  runHidden(text: Text, span: Span): void {
    if (!/\$\(|`/.test(shown(text.filter((piece) => typeof piece === "string")))) return;
    this.analysis.find({ rule: "exec-unseen", reason: "evaluates a value that holds a command" }, span);
  }

  runText(text: Text, span: Span, { state, streams }: Running): readonly Ran[] {
    const unchanged = [{ state, output: [] }];
    if (known(text)?.trim() === "") return unchanged;
    if (!text.some((piece) => typeof piece === "string" && /\S/.test(piece))) {
      this.analysis.find(
        { rule: "exec-unseen", reason: `runs ${shown(text)}, which is not known before it runs` },
        span,
      );
      return unchanged;
    }
    const named = nameHoles(text, state);
    const source = { text: named.text, at: span };
    const ways = this.analysis.deeper(span, () =>
      this.runScript(parse(named.text), { state: named.state, streams, source }),
    );
    return ways ?? unchanged;
  }

  runBody(name: string, words: readonly Argument[], { state, streams }: Running): readonly Ran[] {
    const unchanged = [{ state, output: null }];
    const definition = state.functions.get(name);
    const at = words[0]?.span ?? nowhere;
    if (definition === undefined || definition === null) {
      const reason = `runs ${name}, to which the shell has given a meaning that is not known`;
      this.analysis.find({ rule: "exec-unknown-program", reason }, at);
      return unchanged;
    }
    const depth = this.#calls.filter((each) => each === definition.body).length;
    if (depth > 0 && streams.beside) {
      this.analysis.find({ rule: "system-process", reason: `starts ${name} within itself, again and again` }, at);
      return unchanged;
    }
    // Once more with its words, and once with any: further rounds do nothing else.
    if (depth > 2) return unchanged;
    for (const { text, span } of words) this.suspectSubscript(text, span);
    const { body, source } = definition;
    // What it does is part of what is done.
    this.analysis.beside(source.text.slice(body.pos, body.end));
    const variables = new Map(state.variables);
    variables.delete("local names");
    const called = { ...state, variables, parameters: words.slice(1) };
    const inside = depth > 1 ? withLostParameters(called, called.parameters) : called;
    const running = { ...streams, running: [...streams.running, name], beside: false };
    this.#calls.push(body);
    const ways = this.analysis.deeper(at, () => this.#flow.node(body, { state: inside, streams: running, source }));
    this.#calls.pop();
    return (ways ?? []).map((way) => ({ ...way, state: afterCall(state, way.state) }));
  }

  runArgv(argv: readonly Argument[], running: Running): readonly Ran[] {
    const at = argv[0]?.span ?? nowhere;
    return this.analysis.deeper(at, () => runArgv(argv, running, this)) ?? [{ state: running.state, output: null }];
  }

  conclude(deeds: readonly Deed[], argv: readonly Argument[], running: Running): ShellState {
    return conclude(deeds, { argv, running, shell: this });
  }

  /** What was set up before in a shell that stays: what its variables make programs do, and what it runs by itself. */
  meetShell(
    { variables, traps }: Pick<Defined, "variables" | "traps">,
    { state, streams, source }: Here,
    span: Span,
  ): ShellState {
    const deeds = Object.entries(variables).map(
      ([name, text]): Deed => ({ does: "variable", name, value: [text ?? { hole: "any", from: `$${name}` }], span }),
    );
    const ends = /\b(?:exit|exec|kill|logout)\b/.test(source.text);
    for (const [signal, text] of Object.entries(traps)) {
      if (ends || ["DEBUG", "ERR", "RETURN"].includes(signal))
        this.runText([text ?? { hole: "any", from: "a trap" }], span, { state, streams });
    }
    return this.conclude(deeds, [], { state, streams });
  }

  /** It asks anyway, and what is left may be much. */
  get #isTooDeep(): boolean {
    return this.analysis.findings.some(({ rule }) => rule === "too-much");
  }

  /** Looks at the scripts within that nothing has come by, such as those of branches that were cut. */
  visitRest(node: SyntaxNode, here: Here): void {
    if (this.analysis.isSpent || this.#isTooDeep) return;
    if (node.type === "Script" && !this.analysis.visited.has(node)) {
      this.runScript(
        node,
        node.source === undefined ? here : { ...here, source: { ...here.source, text: node.source } },
      );
    }
    forEachChild(node, (child) => this.visitRest(child, here));
  }
}

/** Nothing but filters on texts that stand there: whoever wrote it knew what comes out. */
function isMadeHere(steps: readonly Step[], written: string): boolean {
  const runs = steps.filter((step) => step.type === "run");
  if (
    runs.length === 0 ||
    /(?<!<)<(?![<(])|\b(?:open|read|require|import|env|ENV|argv|process|File|STDIN|input|load)\b/.test(written)
  )
    return false;
  return runs.every(({ argv: [name, ...words] }) => isTextMaker(name?.split("/").at(-1) ?? "", words));
}

/** What a function has made its own is gone with it. */
function afterCall(before: ShellState, after: ShellState): ShellState {
  const own = namesWith(after, "local names");
  const attributes = own.flatMap((name) => [
    `local names ${name}`,
    ...ownAttributes.map((each) => `${each} ${name}`).filter((key) => !before.variables.has(key)),
  ]);
  const next = withThoseOf(before, { ...after, parameters: before.parameters }, [...own, ...attributes]);
  return isSameState(next, before) ? before : next;
}

const ownAttributes = ["read-only names", "changed names", "free references", "exported names"] as const;

/** Holes become variables, so that the text can be read by a parser; where one stands for a whole word, it stays one. */
function nameHoles(text: Text, state: ShellState): { readonly text: string; readonly state: ShellState } {
  if (known(text) !== null) return { text: known(text) ?? "", state };
  let next = state;
  let written = "";
  for (const [index, piece] of text.entries()) {
    if (typeof piece === "string") written += piece;
    else {
      const name = `__hole_${state.variables.size}_${index}`;
      next = withVariable(next, name, { type: "text", text: [piece] });
      written += `\${${name}}`;
    }
  }
  return { text: written, state: next };
}
