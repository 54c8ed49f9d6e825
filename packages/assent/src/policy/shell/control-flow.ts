import {
  type AndOr,
  type ArithmeticCommand,
  type ArithmeticFor,
  type Case,
  type CommandNode,
  type CompoundList,
  type For,
  forEachChild,
  type If,
  type Pipeline,
  type PipelineNode,
  type Select,
  type Statement,
  type SyntaxNode,
  type TestCommand,
  type While,
} from "unbash";
import { spanOf } from "./analysis.ts";
import { afterHiddenSum, afterSum } from "./arithmetic.ts";
import { commonOutput, distinct, joinOutput, repeated } from "./merge.ts";
import { areParametersHidden, arePartsPlain, arePlain } from "./one-of.ts";
import { visitArithmeticNode } from "./parameters.ts";
import { redirected } from "./redirections.ts";
import { withExported } from "./set-path.ts";
import type { Here, Ran, Shell, Streams } from "./shell.ts";
import { runSimple } from "./simple.ts";
import { afterSubshell, anyValue, hidden, type ShellState, withAssigned, withVariable } from "./state.ts";
import { type Argument, isMade, type Span, type Text } from "./text.ts";
import { fieldsOf, textOfWord } from "./words-of.ts";

/** The words of a `for` that are gone through one by one. */
const mostRounds = 24;

const leaves = /\b(?:break|continue|return|exit)\b/;

/** Follows a program through all its ways: lists, pipes, branches, repetitions. */
export class ControlFlow {
  readonly #shell: Shell;

  constructor(shell: Shell) {
    this.#shell = shell;
  }

  statements(statements: readonly Statement[], here: Here): readonly Ran[] {
    let ways: readonly Ran[] = [{ state: here.state, output: [] }];
    const left: Ran[] = [];
    for (const statement of statements) {
      if (!this.#shell.analysis.spend(spanOf(statement, here.source))) return ways;
      ways = distinct(
        ways.flatMap(({ state, output }) =>
          this.#statement(statement, { ...here, state }).map((way) => ({
            state: way.state,
            output: here.streams.captured ? joinOutput(output, way.output) : null,
          })),
        ),
      );
      // What follows may not be reached.
      if (leaves.test(here.source.text.slice(statement.pos, statement.end))) left.push(...ways);
    }
    return left.length === 0 ? ways : distinct([...ways, ...left]);
  }

  #statement({ command, background }: Statement, here: Here): readonly Ran[] {
    if (background !== true) return this.node(command, here);
    this.#shell.analysis.beside("&");
    const streams = { ...here.streams, beside: true };
    const ways = this.node(command, { ...here, streams });
    return ways.map(({ state }) => ({ state: afterSubshell(here.state, state), output: null }));
  }

  node(node: PipelineNode | AndOr | CompoundList | CommandNode, here: Here): readonly Ran[] {
    if (node.type !== "Command") this.#shell.analysis.beside(node.type);
    switch (node.type) {
      case "Command":
        return runSimple(node, here, this.#shell);
      case "AndOr":
        return this.#andOr(node, here);
      case "Pipeline":
        return this.#pipeline(node, here);
      case "CompoundList":
        return this.statements(node.commands, here);
      case "BraceGroup":
        return this.node(node.body, here);
      case "Subshell":
        return this.#inSubshell(node.body, here);
      case "Coproc":
        return this.#inSubshell(node.body, { ...here, streams: { ...here.streams, input: unseenInput } });
      case "Redirected": {
        const { streams, state, finish } = redirected(node.redirects, here, this.#shell);
        return this.node(node.command, { ...here, streams, state }).map(finish);
      }
      case "Function":
        return this.#define(node, here);
      case "If":
        return this.#if(node, here);
      case "Case":
        return this.#case(node, here);
      case "For":
      case "Select":
        return this.#for(node, here);
      case "While":
        return this.#while(node, here);
      case "ArithmeticFor":
      case "ArithmeticCommand":
      case "TestCommand":
        return this.#evaluate(node, here);
      default:
        return node satisfies never;
    }
  }

  #define(node: Extract<CommandNode, { type: "Function" }>, here: Here): readonly Ran[] {
    this.#shell.analysis.spend(spanOf(node, here.source), here.state.functions.size / 10);
    return [defined(node, here)];
  }

  #evaluate(node: ArithmeticFor | ArithmeticCommand | TestCommand, here: Here): readonly Ran[] {
    if (node.type === "ArithmeticFor") {
      const parts = [node.initialize, node.test, node.update].filter((part) => part !== undefined);
      for (const part of parts) this.#arithmetic(part, here);
      const [first = "", ...others] = [node.initialize, node.test, node.update].map((part) =>
        part === undefined ? "" : here.source.text.slice(part.pos, part.end),
      );
      // It begins so whatever follows.
      const state = afterHiddenSum(others.join(","), afterSum(first, here.state));
      return this.#rounds(node.body, { ...here, state });
    }
    if (node.type === "ArithmeticCommand" && /['"]/.test(node.body)) {
      this.#shell.suspectSubscript([node.body], spanOf(node, here.source));
    }
    if (node.type === "TestCommand") return [{ state: this.#test(node.expression, here), output: [] }];
    if (node.expression !== undefined) this.#arithmetic(node.expression, here);
    return [{ state: afterSum(node.body, here.state), output: [] }];
  }

  #inSubshell(node: CompoundList | CommandNode, here: Here): readonly Ran[] {
    const ways = this.node(node, here);
    return distinct(ways.map(({ state, output }) => ({ state: afterSubshell(here.state, state), output })));
  }

  #andOr({ commands, operators }: AndOr, here: Here): readonly Ran[] {
    const [first, ...others] = commands;
    if (first === undefined) return [];
    let ways = this.node(first, here);
    for (const [index, command] of others.entries()) {
      const needed = operators[index] === "&&";
      const further = ways.flatMap((way) => this.#after(way, command, { needed, here }));
      ways = distinct(here.streams.captured ? further : withoutOutput(further));
    }
    return ways;
  }

  /** What follows `&&` runs only after success, what follows `||` only after failure; either may be sure or not. */
  #after(
    way: Ran,
    command: PipelineNode,
    { needed, here }: { readonly needed: boolean; readonly here: Here },
  ): readonly Ran[] {
    const runs = way.ok === undefined || way.ok === needed;
    const further = runs
      ? this.node(command, { ...here, state: way.state }).map((next) => ({
          ...next,
          output: joinOutput(way.output, next.output),
        }))
      : [];
    return way.ok === needed ? further : [...further, { ...way, ok: !needed }];
  }

  #pipeline({ commands, operators }: Pipeline, here: Here): readonly Ran[] {
    let { state } = here;
    let input = here.streams.input;
    let output: Text | null = null;
    const beside = here.streams.beside || commands.length > 1;
    for (const [index, command] of commands.entries()) {
      const isLast = index === commands.length - 1;
      const captured = !isLast || here.streams.captured;
      const bothOutputs = isLast ? here.streams.bothOutputs : operators[index] === "|&";
      const streams: Streams = { ...here.streams, input, captured, bothOutputs, beside };
      const ways = this.node(command, { ...here, state, streams });
      if (commands.length === 1) return ways.map(({ ok: _, ...way }) => way);
      output = commonOutput(ways);
      for (const way of ways) state = afterSubshell(state, way.state);
      input = { type: "text", text: output ?? unseenInput.text };
    }
    return [{ state, output }];
  }

  #if({ clause, then, elif, else: otherwise }: If, here: Here): readonly Ran[] {
    const follow = (asked: readonly Ran[], list: CompoundList): readonly Ran[] =>
      asked.flatMap(({ state, output }) =>
        this.node(list, { ...here, state }).map((way) => ({ ...way, output: joinOutput(output, way.output) })),
      );
    let asked = this.node(clause, here);
    const ways = [...follow(asked, then)];
    for (const each of elif) {
      asked = follow(asked, each.clause);
      ways.push(...follow(asked, each.then));
    }
    return this.#ways(here, [...ways, ...(otherwise === undefined ? asked : follow(asked, otherwise))]);
  }

  #case({ word, items }: Case, here: Here): readonly Ran[] {
    const evaluating = { ...here, shell: this.#shell };
    textOfWord(word, evaluating);
    for (const pattern of items.flatMap((item) => item.pattern)) textOfWord(pattern, evaluating);
    const ways = items.flatMap(({ body }) => this.node(body, here));
    const catchesAll = items.some(({ pattern }) => pattern.some(({ text }) => text === "*"));
    return this.#ways(here, catchesAll ? ways : [...ways, { state: here.state, output: [] }]);
  }

  #ways({ streams }: Here, ways: readonly Ran[]): readonly Ran[] {
    const unsure = ways.map(({ state, output }) => ({ state, output: streams.captured ? output : null }));
    return distinct(unsure);
  }

  #for({ name, wordlist, body }: For | Select, here: Here): readonly Ran[] {
    const words =
      wordlist === undefined
        ? (here.state.parameters ?? [unseenArgument(spanOf(name, here.source), areParametersHidden(here.state))])
        : fieldsOf(wordlist, { ...here, shell: this.#shell });
    let ways: readonly Ran[] = [{ state: here.state, output: [] }];
    const values = words.length > mostRounds ? [unseenArgument(spanOf(name, here.source), !arePlain(words))] : words;
    for (const { text, splits: unsure } of values) {
      const splits = unsure || text.some((piece) => typeof piece === "object" && piece.hole === "glob");
      const further = ways.flatMap(({ state, output }) => {
        const named = withAssigned(state, name.value, { type: "text", text: splits ? listed(text) : text });
        const at = { shell: this.#shell, span: spanOf(name, here.source) };
        const next = withExported([name.value], { ...here, state: named }, at);
        // As often as there are words, and how many that is, is not known.
        if (splits) return this.#rounds(body, { ...here, state: next });
        return this.node(body, { ...here, state: next }).map((way) => ({
          ...way,
          output: joinOutput(output, way.output),
        }));
      });
      ways = this.#ways(here, splits ? [...ways, ...further] : further);
    }
    return ways;
  }

  #while({ clause, body }: While, here: Here): readonly Ran[] {
    const asked = this.node(clause, here);
    return this.#ways(
      here,
      asked.flatMap(({ state }) => [{ state, output: [] }, ...this.#rounds(body, { ...here, state }, clause)]),
    );
  }

  /** Once, and once more with whatever many rounds may have made of the variables. */
  #rounds(body: CompoundList, here: Here, clause: CompoundList | null = null): readonly Ran[] {
    const first = this.node(body, here);
    const again = first.flatMap(({ state }) => {
      const later = repeated(here.state, state);
      if (later === here.state) return [];
      const asked = clause === null ? [{ state: later }] : this.node(clause, { ...here, state: later });
      return asked.flatMap((way) => this.node(body, { ...here, state: way.state }));
    });
    const many = [...first, ...again].map(({ state }) => ({ state: repeated(here.state, state), output: null }));
    return distinct([...withoutOutput(first), ...many]);
  }

  #arithmetic(node: SyntaxNode, here: Here): void {
    visitArithmeticNode(node, { ...here, shell: this.#shell });
  }

  #test(node: SyntaxNode, here: Here): ShellState {
    const evaluating = { ...here, shell: this.#shell };
    let { state } = here;
    if (node.type === "TestBinary" && /-(?:eq|ne|lt|le|gt|ge)/.test(node.operator)) {
      for (const side of [node.left, node.right]) {
        this.#shell.runHidden(textOfWord(side, evaluating), spanOf(side, here.source));
        visitArithmeticNode(side, evaluating);
        state = afterHiddenSum(side.text, state);
      }
    }
    if (node.type === "TestUnary" && node.operator === "-v") {
      this.#shell.runHidden(textOfWord(node.operand, evaluating), spanOf(node, here.source));
    }
    if (node.type === "TestBinary" && node.operator === "=~") {
      const text = textOfWord(node.left, evaluating);
      const isHidden = isMade(text) || !arePartsPlain(text, node.right.text);
      state = withVariable(state, "BASH_REMATCH", isHidden ? hidden("BASH_REMATCH") : anyValue("BASH_REMATCH"));
    }
    if (node.type === "Word") textOfWord(node, evaluating);
    else
      forEachChild(node, (child) => {
        state = this.#test(child, { ...here, state });
      });
    return state;
  }
}

const unseenInput = { type: "text", text: [{ hole: "any", from: "its input" }] } as const;

function unseenArgument(span: Span, isHidden: boolean): Argument {
  const made = isHidden ? ({ made: true } as const) : {};
  return { text: [{ hole: "any", from: "…", ...made }], splits: true, span };
}

/** Each is one of many. */
function listed(text: Text): Text {
  return text.map((piece) => (typeof piece === "object" && piece.hole === "any" ? { ...piece, listed: true } : piece));
}

function withoutOutput(ways: readonly Ran[]): readonly Ran[] {
  return ways.map(({ state, ok }) => ({ state, ok, output: null }));
}

function defined({ name, body }: Extract<CommandNode, { type: "Function" }>, { state, source }: Here): Ran {
  const functions = new Map(state.functions).set(name.value, { body, source });
  return { state: { ...state, functions }, output: [] };
}
