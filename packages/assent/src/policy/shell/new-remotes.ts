import type { Step } from "./analysis.ts";
import { hostOf, remotePlace } from "./hosts.ts";

type Words = readonly (string | null)[];

/** A place to fetch from is only a name, until something is fetched from it. */
export function fetchesFromNew(steps: readonly Step[]): boolean {
  const calls = steps.flatMap((step) =>
    step.type === "run" && /(?:^|\/)git$/.test(step.argv[0] ?? "") ? [commandOf(step.argv.slice(1))] : [],
  );
  return calls.some((call, at) => namesPlace(call) && (fetchesAtOnce(call) || calls.slice(at + 1).some(fetches)));
}

const valued = /^(?:-[Cc]|--(?:git-dir|work-tree|namespace|super-prefix|config-env|attr-source|list-cmds))$/;

/** What stands behind git's own options. */
function commandOf(words: Words): Words {
  const [first, ...rest] = words;
  if (first == null || !first.startsWith("-")) return words;
  return commandOf(valued.test(first) ? rest.slice(1) : rest);
}

function namesPlace([remote, how, ...words]: Words): boolean {
  if (remote !== "remote" || (how !== "add" && how !== "set-url")) return false;
  const operands = words.filter((word, at) => !word?.startsWith("-") && !/^-[tm]$/.test(words[at - 1] ?? ""));
  // Of a place that is not known it is not known either whether it is another machine's.
  if (operands.length > 1 && operands[1] === null) return true;
  return words.some((word) => word !== null && isElsewhere(word));
}

function isElsewhere(word: string): boolean {
  if (/:\/\/|@.*:/.test(word)) return hostOf([word]) === "external";
  const place = remotePlace([word]);
  return "host" in place && hostOf(place.host) === "external";
}

/** `git remote add -f` */
function fetchesAtOnce([, how, ...words]: Words): boolean {
  return how === "add" && words.some((word) => /^(?:-[^-tm]*f|--f)/.test(word ?? ""));
}

function fetches(words: Words): boolean {
  const [command, how, ...names] = words;
  const asks = command === "remote" && (how === "show" || how === "prune") && names.length > 0;
  return asks || words.some((word) => /^(?:fetch|pull|update|clone|ls-remote|fetch-pack)$/.test(word ?? ""));
}
