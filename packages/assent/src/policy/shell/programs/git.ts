import type { Deed } from "../deeds.ts";
import { asks, danger, type Given, type Programs, type Spec, same } from "../spec.ts";
import { type Argument, beginning, known } from "../text.ts";
import { gitCommands } from "./git-commands.ts";
import { aliasDeeds, settingDeeds } from "./git-config.ts";
import { forges } from "./git-forges.ts";
import { afterFirst, inPlaceOf, write } from "./support.ts";

/** Subcommands that change nothing in the folder they are used in. */
const readsOnly = new Set(
  (
    "status log diff show grep blame annotate shortlog describe rev-parse rev-list ls-files ls-tree ls-remote cat-file " +
    "for-each-ref show-ref show-branch name-rev merge-base check-ignore check-attr count-objects fsck help version var " +
    "whatchanged cherry range-diff verify-commit verify-tag format-patch archive diff-tree diff-index diff-files reflog " +
    "remote branch tag stash config worktree submodule notes bisect credential request-pull push send-email"
  ).split(" "),
);

function git(): Spec {
  return {
    takes: {
      "-C --git-dir --work-tree --namespace --super-prefix": "text",
      "-c --config-env --attr-source --list-cmds": "text",
    },
    may: { "--exec-path": "text" },
    commands: gitCommands(),
    also: (given) => [...settings(given), ...elsewhere(given), ...otherPrograms(given)],
  };
}

/** The settings given for this one call, and the alias that it then uses. */
function settings({ values, operands }: Given): readonly Deed[] {
  const [command, ...words] = operands;
  const plain = values("-c").flatMap((setting): readonly Deed[] => {
    const value = afterFirst(setting, "=");
    const key = beginning(setting.text).split("=")[0] ?? "";
    if (value === null) return known(setting.text) === null ? settingDeeds(setting, setting, "once") : [];
    const isUsed = command !== undefined && key.toLowerCase() === `alias.${known(command.text)?.toLowerCase()}`;
    return isUsed ? aliasDeeds(value, ...words) : settingDeeds(inPlaceOf(setting, key), value, "once");
  });
  return [...plain, ...values("--config-env").flatMap(fromEnvironment)];
}

function fromEnvironment(setting: Argument): readonly Deed[] {
  const [key = "", name = ""] = (known(setting.text) ?? "").split("=");
  if (key === "") return settingDeeds({ ...setting, text: [{ hole: "any", from: "$" }] }, setting, "once");
  return settingDeeds(inPlaceOf(setting, key), inPlaceOf(setting, { hole: "any", from: `$${name}` }), "once");
}

/** The folders it is told to use instead of this one. */
function elsewhere({ values, operands: [command] }: Given): readonly Deed[] {
  const name = command === undefined ? "help" : known(command.text);
  const places = values("-C --git-dir --work-tree");
  if (command === undefined || (name !== null && readsOnly.has(name))) return [];
  return (places.length === 0 ? [inPlaceOf(command, ".")] : places).map(write);
}

function otherPrograms({ values }: Given): readonly Deed[] {
  return values("--exec-path").map((at) => asks("exec-option", "takes git's own programs from another folder", at));
}

function clones(): Spec {
  return {
    takes: { "-e --ssh": "program", "--remotecmd": "program", "-u -r -b --config": "text" },
    operands: ["host", "write"],
  };
}
const sends = danger("network-send", "sends commits to another machine");

function svn(): Spec {
  return {
    takes: {
      "--editor-cmd --diff-cmd --diff3-cmd": "program",
      "-m --message -r --revision --username --password --depth -c --change -x --extensions --encoding --changelist":
        "text",
      "-F --file --targets": "read",
      "--config-dir": "text",
    },
    danger: {
      "--config-option": danger("exec-option", "changes settings of svn, which can run programs"),
      "--remove-unversioned --remove-ignored": danger("delete-bulk", "deletes every file that svn does not know"),
    },
    also: ({ operands: [command, ...places], has }) => {
      const name = command === undefined ? "" : known(command.text);
      const urls = places.filter(({ text }) => /^(?:https?|svn(?:\+\w+)?):\/\//iu.test(beginning(text)));
      const remote = /^(?:co|checkout|export|switch|relocate|ls|list|cat|info|log|import|copy|cp)$/u.test(name ?? "");
      const holes = remote ? places.filter(({ text }) => typeof text[0] === "object") : [];
      const outwards = /^(?:ci|commit|import|lock|unlock)$/u.test(name ?? "") && !has("--dry-run");
      const removed =
        name === null ? [asks("exec-unknown-program", "runs svn in a way that is not known", command)] : [];
      return [
        ...[...urls, ...holes].map((host): Deed => ({ does: "connect", host })),
        ...(outwards ? [asks("network-send", "sends changes to the repository's machine", command)] : []),
        ...(/^(?:co|checkout|export)$/u.test(name ?? "") ? places.slice(1).map(write) : []),
        ...removed,
      ];
    },
  };
}

const mercurialRuns =
  /^(?:alias|hooks|extensions|merge-tools|pager|ui\.(?:ssh|editor|merge|pager)|extdiff|diff-tools|schemes)\b/u;

function hg(): Spec {
  return {
    takes: { "-R --repository --cwd --config --encoding --pager": "text", "--debugger": "text" },
    commands: {
      clone: clones(),
      pull: {
        takes: { "-e --ssh --remotecmd": "program", "-r -b -B --rev": "text" },
        also: ({ operands }) => named(operands),
      },
      incoming: { takes: { "-e --ssh --remotecmd": "program" }, also: ({ operands }) => named(operands) },
      push: { takes: { "-e --ssh --remotecmd": "program" }, always: sends },
      email: { always: sends },
      serve: { always: danger("network-tunnel", "lets other machines read the repository") },
      purge: { always: danger("delete-bulk", "deletes every file that is not tracked"), unless: "-p --print" },
      clean: { always: danger("delete-bulk", "deletes every file that is not tracked"), unless: "-p --print" },
      bisect: { takes: { "-c --command": "shell" } },
      extdiff: { takes: { "-p --program": "program", "-o --option": "text" } },
      archive: { operands: ["write"] },
      init: { operands: ["write"] },
    },
    also: ({ values }) =>
      values("--config").flatMap((setting): readonly Deed[] => {
        const value = afterFirst(setting, "=");
        if (value === null || !mercurialRuns.test(beginning(setting.text))) return [];
        const isShell =
          /^(?:alias|hooks)/u.test(beginning(setting.text)) && /^!?[\w./-]+\s/u.test(beginning(value.text));
        const text = beginning(value.text).startsWith("!") ? (afterFirst(value, "!")?.text ?? []) : value.text;
        return [{ does: isShell ? "shell" : "program", text, span: setting.span }];
      }),
  };
}

/** Places that are named as addresses; the names of remotes are the project's own. */
function named(places: readonly Argument[]): readonly Deed[] {
  return places
    .filter(({ text }) => typeof text[0] === "object" || /^(?:https?|ssh):\/\//iu.test(beginning(text)))
    .map((host): Deed => ({ does: "connect", host }));
}

function jj(): Spec {
  return {
    takes: { "-R --repository --config-file --at-operation --color": "text", "--config": "text" },
    commands: {
      git: {
        commands: { push: { always: sends }, clone: { operands: ["host", "write"] }, init: { operands: ["write"] } },
      },
      util: { commands: { exec: { stops: true, operands: ["argv"] } } },
      run: { stops: true, operands: ["argv"] },
      diffedit: { takes: { "--tool": "program" } },
      diff: { takes: { "--tool": "program" } },
    },
    danger: { "--config-file": danger("exec-option", "takes settings from a file, which can run programs") },
    also: ({ values }) =>
      values("--config --config-toml").flatMap((setting): readonly Deed[] => {
        const value = afterFirst(setting, "=");
        const runs = /(?:editor|pager|tool|program|command|alias|backend)/u.test(beginning(setting.text));
        return runs ? [{ does: "program", text: value?.text ?? setting.text, span: setting.span }] : [];
      }),
  };
}

function bazaar(): Spec {
  return {
    commands: {
      "clean-tree": { always: danger("delete-bulk", "deletes every file that is not tracked"), unless: "--dry-run" },
      ...same("branch checkout co clone get", clones()),
      ...same("push send", { always: sends }),
    },
  };
}

/** What hub adds to git: it speaks to the forge. */
function hubCommands(): Readonly<Record<string, Spec>> {
  return same("pull-request release create fork push sync issue gist", {
    always: danger("network-send", "sends something to the forge"),
    unless: "list show",
  });
}

export const gitTools: Programs = {
  git,
  hub: () => ({ ...git(), commands: { ...git().commands, ...hubCommands() } }),
  svn,
  hg,
  jj,
  "bzr brz": bazaar,
  ...forges,
};
