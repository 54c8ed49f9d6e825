import type { Category } from "../../policy/index.ts";
import { policyReplaySpec } from "./replaying.ts";
import { type CommandSpec, jsonOption } from "./spec.ts";

/** What may be found in a command that is granted; of what concerns Assent itself, nothing is. */
const grantable: Readonly<Record<Exclude<Category, "self">, true>> = {
  ...{ delete: true, privilege: true, network: true, system: true, overwrite: true, exec: true },
  ...{ obfuscated: true, secret: true },
};
export const grantableCategories: readonly string[] = Object.keys(grantable);
export const scopeWords = ["project", "user"] as const;

const grantsSpec = {
  does: "lists what is granted",
  options: {
    ...jsonOption,
    session: { value: "<session>", does: "what is granted for that session alone", completes: "session" },
  },
  arguments: [],
  parts: {
    add: {
      does: "allows every command that begins with these words; words that begin with a dash come after --",
      options: {
        scope: { value: "<scope>", does: "project (the default) or user", completes: scopeWords },
        categories: {
          value: "<categories>",
          does:
            `what may be found in such a command, as delete,network; there are ${grantableCategories.join(", ")}. ` +
            "Without it, what is found in the words by themselves",
          completes: grantableCategories,
        },
        expires: { value: "<hours>", does: "after so many hours it counts no more" },
        uses: { value: "<n>", does: "after so many calls it counts no more" },
        exact: { value: "<command>", does: "allows exactly that command, instead of all that begin so" },
      },
      arguments: [{ name: "[word]", most: 32 }],
    },
    revoke: {
      does: "takes a grant back",
      options: {},
      arguments: [{ name: "<id>", completes: "grant" }],
    },
  },
} as const satisfies CommandSpec;

export const policySpec = {
  does: "what needs your approval, and what you have granted: explain, check, rules, grants or replay",
  options: {},
  arguments: [],
  parts: {
    explain: {
      does: "prints the verdict on a command, with its reasons",
      options: {
        json: { does: "all of it, as one object" },
        cwd: { value: "<folder>", does: "as if it ran there", completes: "folder" },
        home: { value: "<folder>", does: "as if that were the home of whoever runs it", completes: "folder" },
      },
      arguments: [{ name: "<command>" }],
    },
    check: {
      does:
        'reads {"command", "cwd", "home"?} from stdin, a line each, and answers each with a line: {"needs_approval", ' +
        '"verdict", "rule", "reason", "findings"}',
      options: {},
      arguments: [],
    },
    rules: {
      does: "lists the rules with their examples",
      options: jsonOption,
      arguments: [],
    },
    grants: grantsSpec,
    replay: policyReplaySpec,
  },
  more: [
    "Your own rules are in policy.json in ASSENT_HOME, a project's in .assent/policy.json. They can only ask or deny:",
    '  {"rules": [{"name": "no-deploy", "command": ["npm", "run", "deploy"], "verdict": "deny", "reason": "ask in the channel",\n' +
      '              "examples": {"match": ["npm run deploy"], "differ": ["npm test"]}}]}',
  ],
} as const satisfies CommandSpec;
