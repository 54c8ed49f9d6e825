import { type Looked, lookInto, operandsOf, type ShellWorld } from "./shell/index.ts";

/**
 * A rule that somebody has written down: commands that begin with these words are asked about or denied, never more than
 * without it. Whoever writes it says with examples what it is to catch.
 */
export type ConfiguredRule = {
  readonly name: string;
  /** Word by word, or with several words to choose from; none: every command. */
  readonly command: readonly (string | readonly string[])[];
  readonly verdict: "ask" | "deny";
  readonly reason: string;
  readonly examples: { readonly match: readonly string[]; readonly differ: readonly string[] };
};

/** The name of what stands in for rules that cannot be taken as they are. */
export const unreadRules = "policy-file";

/**
 * The strictest rule that fits one of the commands that would run. Whoever wrote a rule relies on it: while one does not do
 * what its examples say, every command asks.
 */
export function configuredFor(
  looked: Looked,
  rules: readonly ConfiguredRule[],
  world: ShellWorld,
): ConfiguredRule | null {
  const fitting = rules.map((rule) => brokenRule(rule, world) ?? rule).filter((rule) => fits(looked, rule));
  return fitting.find(({ verdict }) => verdict === "deny") ?? fitting[0] ?? null;
}

function fits({ steps }: Looked, { command }: ConfiguredRule): boolean {
  if (command.length === 0) return true;
  return steps.some((step) => step.type === "run" && spellings(step.argv).some((words) => beginsWith(words, command)));
}

/** As it is written, and without the options that stand between: `git -C . push` is `git push`. */
function spellings([first = null, ...words]: readonly (string | null)[]): readonly (readonly (string | null)[])[] {
  const name = first?.split("/").at(-1) ?? null;
  const bare = operandsOf(name ?? "", words);
  return [
    [name, ...words],
    [name, ...bare],
  ];
}

/** A word that is not known may be the one that is meant. */
function beginsWith(words: readonly (string | null)[], command: ConfiguredRule["command"]): boolean {
  return command.every((expected, index) => {
    const word = words[index];
    if (word === null) return index > 0;
    return word !== undefined && (typeof expected === "string" ? expected === word : expected.includes(word));
  });
}

/** In the place of a rule that treats an example otherwise than it says. */
function brokenRule(rule: ConfiguredRule, world: ShellWorld): ConfiguredRule | null {
  const fault = contradictionIn(rule, world);
  if (fault === null) return null;
  const reason = `${fault}; until it is mended everything asks`;
  return { name: unreadRules, command: [], verdict: "ask", reason, examples: { match: [], differ: [] } };
}

/** Which example a rule treats otherwise than it says, in words. */
export function contradictionIn(rule: ConfiguredRule, world: ShellWorld): string | null {
  const { name, examples } = rule;
  const matches = (command: string): boolean => fits(lookInto(command, { cwd: world.root, world }), rule);
  const missed = examples.match.find((command) => !matches(command));
  const caught = examples.differ.find(matches);
  if (missed === undefined && caught === undefined) return null;
  const wrong = missed === undefined ? `matches ${JSON.stringify(caught)}` : `does not match ${JSON.stringify(missed)}`;
  return `the rule ${JSON.stringify(name)} ${wrong}, against its examples`;
}
