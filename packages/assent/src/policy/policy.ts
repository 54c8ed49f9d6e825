import type { Grant, GrantRule } from "../core/index.ts";
import { type ConfiguredRule, configuredFor, contradictionIn, unreadRules } from "./configured.ts";
import { judgeFile } from "./files.ts";
import { covers, grantFor, reaches } from "./grants.ts";
import { type Defined, type Looked, lookInto, type ShellWorld } from "./shell/index.ts";
import type { OutsideTool, Plan, PlannedPath, Policy, ShellFacts, Verdict } from "./verdict.ts";

/** What a policy knows of the machine and the person that it judges for. */
export type PolicyOptions = {
  readonly platform: "linux" | "darwin";
  /** The person's home; `null` where it is not known. */
  readonly home: string | null;
  /** Where links lead from there: a path is judged by where it really is. The same, unless given. */
  readonly realHome?: string;
  /** Folders that are the agent's own program: what is in them is never touched without a person. */
  readonly own: readonly string[];
  /** What of that may be read all the same. */
  readonly open?: readonly string[];
};

/** The policy of one machine and person: a pure function of what would be done, and of what was granted (APPR-1). */
export function openPolicy(options: PolicyOptions): Policy {
  const look = rememberedLook(options);
  return {
    version: `shell-1 ${JSON.stringify(options)}`,
    home: options.home,
    ...(options.realHome === undefined ? {} : { realHome: options.realHome }),
    wants: (plan) => (plan.command === undefined ? [] : look(plan, plan.command).wanted),
    judge: (plan, grants = []) => judge(plan, { grants, options, look }),
  };
}

/** What is wrong with the first of these rules that does not do what its examples say, seen from that folder; `null` where all do. */
export function contradiction(rules: readonly ConfiguredRule[], cwd: string, options: PolicyOptions): string | null {
  const world = worldOf({ tool: "terminal", cwd }, options);
  return rules.map((rule) => contradictionIn(rule, world)).find((fault) => fault !== null) ?? null;
}

type Look = (plan: Plan, command: string) => Looked;

/** A plan is looked into for what it wants to know, and judged right after: mostly nothing leads elsewhere. */
function rememberedLook(options: PolicyOptions): Look {
  let last: { readonly key: string; readonly looked: Looked } | null = null;
  return (plan, command) => {
    const elsewhere = Object.entries(plan.links ?? {}).filter(([path, real]) => path !== real);
    const key = JSON.stringify([
      command,
      plan.cwd,
      plan.more ?? null,
      plan.shell === undefined ? "new" : plan.shell,
      elsewhere,
      plan.served ?? [],
    ]);
    if (last?.key !== key) last = { key, looked: lookAt(plan, command, options) };
    return last.looked;
  };
}

function judge(plan: Plan, judging: Judging): Verdict {
  const { grants } = judging;
  const { tool, command, paths, fails, tier } = plan;
  if (fails !== undefined) return allow("does-nothing", "it cannot be done, and only says so");
  if (tool === "process") return allow("own-process", "it concerns what this session has started");
  if (command !== undefined) return judgeCommand(plan, command, judging);
  if (tool === "terminal") return allow("closes-shell", "it ends what this session opened");
  // Rules that cannot be read may be about anything.
  const unread = plan.rules?.find(({ name, command: words }) => name === unreadRules && words.length === 0);
  if (unread !== undefined) return ask(unread.name, unread.reason);
  if (paths !== undefined) return judgePaths(plan, paths, judging);
  if (plan.outside !== undefined) return judgeOutside(plan, plan.outside, grants);
  if (tier === "safe") return allow("safe-tool", `${tool} only looks something up`);
  const grant = grantOf(plan, plan.more ?? null, ["tool"]);
  return granted(grants, grant) ?? ask("elevated-tool", `${tool} is not known to be harmless`, { grantable: grant });
}

/** What a server says of its tool counts for nothing; what a person accepted, marked or granted does, while it is the same. */
function judgeOutside(plan: Plan, { server, definition, changed }: OutsideTool, grants: readonly Grant[]): Verdict {
  if (changed !== undefined) {
    return ask("changed-tool", `${server} has changed what this tool is since you accepted it`);
  }
  if (plan.tier === "safe") return allow("marked-tool", `a person said that ${plan.tool} changes nothing`);
  const grant = grantOf(plan, [plan.more ?? null, definition], ["tool"]);
  const display = `${plan.tool} ${JSON.stringify(plan.more ?? null)}`;
  const grantable = { ...grant, display };
  return granted(grants, grantable) ?? ask("outside-tool", `it is a tool of the server ${server}`, { grantable });
}

type Judging = { readonly grants: readonly Grant[]; readonly options: PolicyOptions; readonly look: Look };

function judgeCommand(plan: Plan, command: string, { grants, options, look }: Judging): Verdict {
  if (plan.shell === null) {
    return ask("persistent-shell", "it is not known what the names in the persistent shell mean by now");
  }
  const looked = look(plan, command);
  const { findings } = looked;
  const [first] = findings;
  const rule = configuredFor(looked, plan.rules ?? [], worldOf(plan, options));
  if (rule !== null) return { verdict: rule.verdict, rule: rule.name, reason: rule.reason, findings };
  if (first === undefined) return allow("nothing-found", "nothing in it needs a person");
  const grant = grantFor({ command, cwd: plan.cwd, looked, world: worldOf(plan, options), set: setNames(plan) });
  const covering = grants.find((each) => covers(each, grant, looked));
  if (covering !== undefined) return allowedBy(covering);
  return ask(first.rule, `it ${first.reason}`, { findings, grantable: grant });
}

function lookAt(plan: Plan, command: string, options: PolicyOptions): Looked {
  const defined = definedBy(plan.shell);
  return lookInto(command, { cwd: plan.cwd, world: worldOf(plan, options), ...(defined === null ? {} : { defined }) });
}

function worldOf({ cwd, more, shell, links, served }: Plan, options: PolicyOptions): ShellWorld {
  const { home, realHome, platform, own, open } = options;
  const folder = typeof more === "object" && more !== null && "folder" in more ? more["folder"] : undefined;
  const root = typeof folder === "string" ? folder : cwd;
  // What a project says about its policy is not the agent's to change either.
  const sockets = (served ?? []).filter((place) => place.startsWith("/"));
  const places = { own: [...own, `${root}/.assent`, ...sockets], open: [...(open ?? []), `${root}/.assent`] };
  return {
    home,
    ...(realHome === undefined ? {} : { realHome }),
    platform,
    root,
    ...places,
    links: links ?? {},
    fresh: shell === undefined,
    ...(served ? { served } : {}),
  };
}

/** Variables that send programs elsewhere, or to other settings. */
const steering =
  /proxy|^(?:GIT|DOCKER|KUBE|AWS|SSH|LD|DYLD|PIP|NPM|TF|CARGO|GOOGLE|AZURE|COMPOSE|HELM|ANSIBLE)|PATH$|HOST|CONFIG|PROFILE/i;

function setNames({ shell }: Plan): readonly string[] {
  const names = Object.keys(shell?.variables ?? {}).filter((name) => shell?.inherited.includes(name) !== true);
  return names.filter((name) => steering.test(name)).sort();
}

/** What came with the person's own environment is theirs; aliases count in a shell only when it was told so. */
function definedBy(shell: ShellFacts | null | undefined): Defined | null {
  if (shell === null || shell === undefined) return null;
  const { functions, variables, options, traps, aliases, places, inherited } = shell;
  const own = <Text>(texts: Readonly<Record<string, Text>>): Record<string, Text> =>
    Object.fromEntries(Object.entries(texts).filter(([name]) => !inherited.includes(name)));
  const moved = Object.fromEntries(Object.keys(places).map((name) => [name, null]));
  return {
    functions: { ...own(moved), ...own(functions) },
    variables: own(variables),
    traps: own(traps),
    // Assent's own shells expand them, and tell only what has changed.
    aliases: options["expand_aliases"] === false ? {} : own(aliases),
  };
}

function judgePaths(plan: Plan, paths: readonly PlannedPath[], { grants, options }: Judging): Verdict {
  const world = { ...worldOf(plan, options), root: plan.cwd };
  const found = paths.map((path) => judgeFile(path, world)).find((each) => each !== null);
  if (found === undefined || found === null) {
    const reads = paths.every(({ use }) => use === "read");
    return reads ? allow("reads-file", "it only reads") : allow("changes-project", "it changes what is in the project");
  }
  const { rule, reason, grantable } = found;
  const places = paths.map(({ real, use }) => [use, real]);
  const grant = grantable ? grantOf(plan, places, [rule]) : null;
  return (grant === null ? null : granted(grants, grant)) ?? ask(rule, reason, { grantable: grant });
}

/** Exactly this tool on exactly these things. */
function grantOf({ tool, cwd, change }: Plan, what: unknown, categories: readonly string[]): GrantRule {
  const signature = JSON.stringify([tool, what]);
  const display = change === undefined ? signature : `${tool} ${change.path}`;
  return { tool, match: "exact", signature, display, root: cwd, categories };
}

function granted(grants: readonly Grant[], asked: GrantRule): Verdict | null {
  const found = grants.find(
    (grant) =>
      grant.match === "exact" &&
      grant.tool === asked.tool &&
      grant.signature === asked.signature &&
      reaches(grant, asked),
  );
  return found === undefined ? null : allowedBy(found);
}

function allowedBy({ id, display }: Grant): Verdict {
  return { verdict: "allow", rule: "granted", reason: `it was allowed before: ${display}`, granted: id };
}

function allow(rule: string, reason: string): Verdict {
  return { verdict: "allow", rule, reason };
}

function ask(rule: string, reason: string, more: Partial<Pick<Asked, "findings" | "grantable">> = {}): Verdict {
  return { verdict: "ask", rule, reason, ...more };
}

type Asked = Extract<Verdict, { readonly verdict: "ask" }>;
