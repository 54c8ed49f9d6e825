import type { RuleName } from "../deeds.ts";
import { whenNeeded } from "../when-needed.ts";
import type { Findings } from "./findings.ts";
import type { Language } from "./language.ts";
import {
  argument,
  type Call,
  formatted,
  isKnown,
  joinedPath,
  listValue,
  pieceOf,
  textIn,
  textValue,
  unknown,
  type Value,
} from "./values.ts";

/** What a call does, and what it returns when that can be told. */
export type Rule = {
  readonly apply: (call: Call, to: Findings) => Value | undefined;
  /** What it means to hand the function itself to somebody who will call it. */
  readonly handed?: "runs" | "removes" | "changes" | "danger";
  /** Handing functions to it is a matter of course. */
  readonly wraps?: boolean;
};

/** Names separated by blanks; a name that begins with a dot is a method of whatever object. */
export type RuleTable = Readonly<Record<string, Rule>>;

export class Rules {
  readonly #rules: () => ReadonlyMap<string, Rule>;

  /** The tables are made when the first call is looked up: most runs never meet a program in most of the languages. */
  constructor(...tables: readonly (() => RuleTable)[]) {
    this.#rules = whenNeeded(() => byName(tables.map((table) => table())));
  }

  called(call: Call, to: Findings): Value | undefined {
    const rule = this.#find(call.path);
    if (rule?.wraps !== true) this.mentioned([...call.args, ...call.named.values()], to);
    return rule?.apply(call, to);
  }

  has(value: Value): boolean {
    return value.is === "name" && this.#find(value.path) !== undefined;
  }

  mentioned(values: readonly Value[], to: Findings): undefined {
    for (const value of values) {
      if (value.is !== "name" || value.call !== undefined) continue;
      const handed = this.#find(value.path);
      if (handed?.handed === "runs") to.unseen("hands on a function that runs commands");
      else if (handed?.handed === "removes") to.remove(unknown);
      else if (handed?.handed === "changes") to.write(unknown);
      else if (handed?.handed === "danger")
        handed.apply({ path: value.path, args: [], named: new Map(), receiver: unknown }, to);
    }
  }

  #find(path: string): Rule | undefined {
    const rules = this.#rules();
    const whole = rules.get(path);
    if (whole !== undefined) return whole;
    const dot = path.lastIndexOf(".");
    if (dot < 0) return undefined;
    const last = path.slice(dot);
    const root = path.slice(0, path.search(/[.(]/u));
    return rules.get(root + last) ?? rules.get(last);
  }
}

function byName(tables: readonly RuleTable[]): ReadonlyMap<string, Rule> {
  const rules = new Map<string, Rule>();
  for (const table of tables) {
    for (const [names, each] of Object.entries(table)) {
      for (const name of names.split(" ")) rules.set(name, each);
    }
  }
  return rules;
}

function rule(apply: (call: Call, to: Findings) => void, handed?: Rule["handed"]): Rule {
  const applied: Rule["apply"] = (call, to) => {
    apply(call, to);
    return undefined;
  };
  return handed === undefined ? { apply: applied } : { apply: applied, handed };
}

/** What a call returns, with no deed of its own. */
export function gives(value: (call: Call, to: Findings) => Value | undefined): Rule {
  return { apply: value, wraps: true };
}

export function does(apply: (call: Call, to: Findings) => void): Rule {
  return rule(apply);
}

export function asksFor(name: RuleName, reason: string): Rule {
  return rule((_, to) => to.danger(name, reason), "danger");
}

export const recursive: Rule = asksFor("delete-recursive", "removes a folder with everything in it");
export const privilege: Rule = asksFor("privilege-escalation", "changes whose rights it has");
export const walks: Rule = rule((_, to) => {
  to.walks = true;
});
export const forks: Rule = rule((_, to) => {
  to.forks = true;
});

/** The argument is a text for a shell. */
export function shell(index: number, ...names: readonly string[]): Rule {
  return rule((call, to) => to.shell(argument(call, index, ...names)), "runs");
}

/** A command and its arguments as so many arguments; one alone is a text for a shell. */
export function command(from = 0): Rule {
  return rule((call, to) => runWords(call.args.slice(from), to), "runs");
}

export function runWords(words: readonly Value[], to: Findings): undefined {
  const flat = words.flatMap((word) => (word.is === "list" && word.named.size === 0 ? word.items : [word]));
  const more = words.some((word) => word.is === "list" && word.more);
  const [first, ...rest] = flat;
  if (first === undefined) return;
  if (rest.length === 0 && !more) return to.shell(first);
  to.run(
    flat.filter((word) => word.is !== "list"),
    more || rest.some((word) => word.is === "name" && word.path.startsWith("@")),
  );
}

/** A program, and a list of its arguments. */
export function runWith(program: Value | undefined, list: Value | undefined, to: Findings): undefined {
  if (program === undefined) return;
  if (list === undefined) return to.run([program]);
  if (list.is === "list") return to.run([program, ...list.items], list.more);
  to.run([program], true);
}

export function code(language: Language, index = 0): Rule {
  return rule((call, to) => to.code(language, call.args[index]), "runs");
}

export function writes(...indexes: readonly number[]): Rule {
  return rule((call, to) => {
    for (const index of indexes) to.write(call.args[index]);
  }, "changes");
}

/** Goes to a folder. */
export const enters: Rule = rule((call, to) => to.enter(call.args[0]));

export function shows(index = 0): Rule {
  return rule((call, to) => to.show(call.args[index]));
}

export function links(target = 0, path = 1): Rule {
  return rule((call, to) => to.link(call.args[target], call.args[path]));
}

export const copies: Rule = rule((call, to) => to.copy(call.args[0], call.args[1]));

export function removes(index = 0): Rule {
  return rule((call, to) => {
    if (call.args.length > index) to.remove(call.args[index]);
  }, "removes");
}

export const removesAll: Rule = rule((call, to) => {
  for (const each of call.args.flatMap((value) => (value.is === "list" ? value.items : [value]))) to.remove(each);
}, "removes");

export function connects(index: number, ...names: readonly string[]): Rule {
  return rule((call, to) => to.connect(argument(call, index, ...names) ?? unknown));
}

/** Only an address that is plainly one; such methods have many other uses. */
export const mayConnect: Rule = rule((call, to) => {
  const text = textIn(call.args[0]);
  if (text !== undefined && /^(?:https?|wss?|ftp):\/\//iu.test(text)) to.connect(text);
});

export function modes(mode = 1, path = 0): Rule {
  return rule((call, to) => {
    to.mode(argument(call, mode, "mode"));
    to.write(call.args[path]);
  });
}

export function kills(index = 0): Rule {
  return rule((call, to) => {
    const value = call.args[index];
    if (value?.is === "number" && [1, -1].includes(value.number)) {
      to.danger("system-process", "ends the first process or every process");
    }
  });
}

/** Opens a file as the mode says. */
export function opens(path = 0, mode = 1, writing = /[wax+]/u): Rule {
  return rule((call, to) => {
    const how = argument(call, mode, "mode") ?? call.args.find(({ is }) => is === "rest");
    if (how !== undefined && (how.is !== "text" || writing.test(how.text))) to.write(argument(call, path, "file"));
    else to.show(argument(call, path, "file"));
  }, "changes");
}

export const sameText: Rule = gives((call) => call.args[0]);
/** `sprintf(text, …)` */
export const formats: Rule = gives((call) => {
  const text = textIn(call.args[0]);
  return text === undefined ? undefined : formatted(text);
});
/** A part that is a whole path begins anew. */
export const joinsPaths: Rule = gives((call) => joinedPath(call.args));
/** `path.join`, `File.join`: each part is below the one before it. */
export const joinsBelow: Rule = gives((call) => joinedPath(call.args, /^(?!)/u));

/** `"a b".split()`, as far as blanks part it. */
export function splitText(value: Value | undefined): Value | undefined {
  const text = textIn(value);
  return text === undefined
    ? undefined
    : listValue(
        text
          .trim()
          .split(/\s+/u)
          .map((word) => textValue(word)),
      );
}

export function joinedList(list: Value | undefined, between: Value | undefined): Value | undefined {
  if (list?.is !== "list" || list.more || between === undefined || !isKnown(pieceOf(between))) return undefined;
  if (!list.items.some((item) => item.is === "text")) return undefined;
  return textValue(list.items.map(pieceOf).join(pieceOf(between)), true);
}
