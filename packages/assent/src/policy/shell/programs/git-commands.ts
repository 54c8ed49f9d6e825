import type { Deed } from "../deeds.ts";
import { asks, danger, type Given, runs, type Spec } from "../spec.ts";
import { type Argument, beginning, known } from "../text.ts";
import { shellOf } from "./calls.ts";
import { isLocalRepository, repositoryDeeds, settingDeeds } from "./git-config.ts";
import { contents, grep, shows, showsAll } from "./git-shows.ts";
import { afterFirst, flags, inPlaceOf, isDryRun, sendsAt, write } from "./support.ts";

function transport(): NonNullable<Spec["takes"]> {
  return {
    "--upload-pack --receive-pack": "program",
    "-o --server-option --push-option": "text",
    "--depth --deepen --shallow-since --shallow-exclude --refmap --negotiation-tip -j --jobs": "text",
  };
}

/** The first operand is a repository, the rest are names of branches. */
function fetches(): Spec {
  return {
    takes: { ...transport(), "-s --strategy -X --strategy-option": "text" },
    also: ({ operands: [place], has }) =>
      place === undefined || has("--all --multiple") ? [] : repositoryDeeds(place),
  };
}

function clone(): Spec {
  return {
    takes: {
      ...transport(),
      "-u": "program",
      "-b --branch -o --origin -c --config --bundle-uri --filter --template --reference --reference-if-able --ref-format":
        "text",
      "--revision": "text",
      "--separate-git-dir": "write",
    },
    also: ({ operands: [place, folder], values }) => [
      ...(place === undefined ? [] : repositoryDeeds(place)),
      ...(folder === undefined ? [] : [write(folder)]),
      ...values("-c --config").flatMap(configured),
      ...values("--bundle-uri").flatMap((at) => repositoryDeeds(at)),
      ...templates(values("--template")),
    ],
  };
}

function configured(setting: Argument): readonly Deed[] {
  const value = afterFirst(setting, "=");
  const key = inPlaceOf(setting, beginning(setting.text).split("=")[0] ?? "");
  return value === null ? [] : settingDeeds(key, value, "always");
}

function templates(folders: readonly Argument[]): readonly Deed[] {
  return folders
    .filter(({ text }) => text.length > 0)
    .map((at) => asks("exec-option", "puts the hooks of another folder into the repository", at));
}

function push(): Spec {
  return {
    takes: { ...transport(), "--exec": "program", "--repo": "text" },
    also: ({ operands: [first], values }) => {
      const place = first ?? values("--repo")[0];
      if (place === undefined) return [sendsAt("commits")];
      const deeds = repositoryDeeds(place, "write");
      return deeds.length > 0 || isLocalRepository(place) ? deeds : [sendsAt("commits", place)];
    },
  };
}

const readsOf = "--get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool -l --list";

function config(): Spec {
  return {
    takes: { "-f --file --blob --type -t --default --comment --value --url": "text" },
    may: flags("--get --add --unset --system"),
    also: configures,
  };
}

function configures(given: Given): readonly Deed[] {
  const { has, values } = given;
  const [verb] = given.operands;
  const isVerb = /^(?:set|get|list|unset|edit|rename-section|remove-section)$/u.test(known(verb?.text ?? []) ?? "");
  const name = isVerb ? known(verb?.text ?? []) : null;
  const [key, value] = isVerb ? given.operands.slice(1) : given.operands;
  const unsets = has("--unset --unset-all --remove-section --rename-section -e --edit");
  if (has(readsOf) || name === "get" || name === "list" || (!isVerb && value === undefined && !unsets)) return [];
  return [
    ...values("-f --file").map(write),
    ...(has("--system") && given.words[0] !== undefined ? [write(inPlaceOf(given.words[0], "/etc/gitconfig"))] : []),
    ...(key === undefined || value === undefined ? [] : settingDeeds(key, value, "always")),
  ];
}

function clean(given: Given): readonly Deed[] {
  return isDryRun(given, "-n --dry-run") ? [] : [asks("delete-bulk", "deletes every file that git does not track")];
}

function remove(given: Given): readonly Deed[] {
  const { has, unsure } = given;
  if (has("--cached") || isDryRun(given, "-n --dry-run") || !(has("-r") || unsure)) return [];
  return [asks("delete-recursive", "deletes tracked folders with everything in them")];
}

const filters =
  "--setup --env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter";

function output(): Spec {
  return {
    takes: { "--output": "write", "-S -G -O --format --pretty": "text" },
    may: flags("--output-indicator-new"),
  };
}
function submodule(): Spec {
  return {
    commands: {
      add: {
        takes: { "-b --branch --name --reference --depth": "text" },
        also: ({ operands: [place, folder] }) => [
          ...(place === undefined ? [] : repositoryDeeds(place)),
          ...(folder === undefined ? [] : [write(folder)]),
        ],
      },
      "set-url": { also: ({ operands: [, place] }) => (place === undefined ? [] : repositoryDeeds(place)) },
      foreach: { stops: true, also: ({ operands }) => shellOf(operands) },
      deinit: { danger: { "-f --force": danger("delete-recursive", "deletes submodules with everything in them") } },
    },
  };
}

function remote(): Spec {
  return {
    commands: {
      add: {
        takes: { "-t -m --mirror": "text" },
        also: ({ operands: [, place] }) => named(place),
      },
      "set-url": { also: ({ operands: [, place] }) => named(place) },
      show: { also: ({ operands }) => operands.flatMap((place) => repositoryDeeds(place)) },
    },
  };
}

/** Nothing is fetched yet; but some addresses are programs to run. */
function named(place: Argument | undefined): readonly Deed[] {
  if (place === undefined) return [];
  return repositoryDeeds(place).filter((deed) => deed.does !== "connect" && deed.does !== "remote");
}

/** What stands after `--` are paths. */
function afterDashes(words: readonly Argument[]): readonly Deed[] {
  const at = words.findIndex(({ text }) => known(text) === "--");
  return at < 0 ? [] : words.slice(at + 1).map((path): Deed => ({ does: "write", path }));
}

function worktree(): Spec {
  return {
    commands: {
      add: { takes: { "-b -B --reason --orphan": "text" }, operands: ["write", "text"] },
      move: { operands: ["text", "write"] },
      remove: {
        danger: { "-f --force": danger("delete-recursive", "deletes a work tree with what is not committed") },
      },
    },
  };
}

function archive(): Spec {
  return {
    takes: {
      "-o --output": "write",
      "--remote --prefix --format --add-virtual-file --mtime": "text",
      "--add-file": "read",
      "--exec": "program",
    },
    also: ({ values }) => values("--remote").flatMap((place) => repositoryDeeds(place)),
  };
}

const callbacks =
  "--filename-callback --refname-callback --blob-callback --commit-callback --tag-callback --reset-callback --message-callback --name-callback --email-callback --file-info-callback";

function message(): NonNullable<Spec["takes"]> {
  return {
    "-m --message -C -c --author --date --fixup --squash --cleanup --trailer": "text",
    "-F --file -t --template": "read",
  };
}

/** Options of a call that git hands on to a program of its own name. */
function sub(): Spec {
  return {
    commands: {
      push: { always: danger("network-send", "sends commits to another machine") },
      add: {
        takes: { "-P --prefix -m": "text" },
        also: ({ operands: [place] }) => (place === undefined ? [] : repositoryDeeds(place)),
      },
      pull: {
        takes: { "-P --prefix -m": "text" },
        also: ({ operands: [place] }) => (place === undefined ? [] : repositoryDeeds(place)),
      },
      merge: { takes: { "-P --prefix -m": "text" } },
      split: { takes: { "-P --prefix -b -m": "text" } },
    },
    takes: { "-P --prefix": "text" },
  };
}

function exchanging(): Readonly<Record<string, Spec>> {
  return {
    clone: clone(),
    push: push(),
    config: config(),
    submodule: submodule(),
    remote: remote(),
    worktree: worktree(),
    archive: archive(),
    grep: grep(),
    fetch: fetches(),
    pull: fetches(),
    "ls-remote": {
      takes: { ...transport(), "--exec": "program", "--sort": "text" },
      also: ({ operands: [place] }) => (place === undefined ? [] : repositoryDeeds(place)),
    },
    "fetch-pack": { style: "gnu", takes: { "--upload-pack --exec": "program" }, operands: ["remote-read", "text"] },
    "send-pack": {
      takes: { "--receive-pack --exec": "program" },
      always: danger("network-send", "sends commits to another machine"),
    },
    "request-pull": { also: ({ operands: [, place] }) => (place === undefined ? [] : repositoryDeeds(place)) },
    subtree: sub(),
  };
}

function changing(): Readonly<Record<string, Spec>> {
  return {
    clean: { takes: { "-e --exclude": "text" }, also: clean },
    rm: { takes: { "--pathspec-from-file": "read" }, operands: ["write"], also: remove },
    mv: { operands: ["write"] },
    restore: { takes: { "-s --source --pathspec-from-file": "text" }, operands: ["write"] },
    checkout: {
      takes: { "-b -B --orphan --conflict --pathspec-from-file": "text" },
      also: ({ words }) => afterDashes(words),
    },
    init: {
      takes: { "--template -b --initial-branch --object-format --ref-format": "text", "--separate-git-dir": "write" },
      may: flags("--shared"),
      operands: ["write"],
      also: ({ values }) => templates(values("--template")),
    },
    "filter-branch": {
      takes: { [filters]: "shell", "--original --subdirectory-filter --state-branch": "text", "-d": "write" },
    },
    "filter-repo": {
      takes: {
        [callbacks]: "code:python",
        "--path --path-glob --path-regex --path-rename --refs --subdirectory-filter --to-subdirectory-filter": "text",
      },
      always: danger("delete-bulk", "rewrites the whole history of the repository"),
      unless: "--dry-run --analyze",
    },
    rebase: { takes: { "-x --exec": "shell", "--onto -s --strategy -X --strategy-option -C": "text" } },
    bisect: { commands: { run: { stops: true, operands: ["argv"] }, visualize: {}, view: {} } },
    difftool: { takes: { "-x --extcmd": "shell", "-t --tool": "text" } },
    mergetool: { takes: { "-t --tool": "text" } },
    "for-each-repo": {
      takes: { "--config": "text" },
      stops: true,
      also: ({ operands: [first, ...rest] }) =>
        first === undefined ? [] : runs([inPlaceOf(first, "git"), first, ...rest]),
    },
  };
}

function serving(): Readonly<Record<string, Spec>> {
  return {
    "send-email": { always: danger("network-send", "sends mail"), unless: "--dry-run --dump-aliases" },
    "imap-send": { always: danger("network-send", "sends mail") },
    daemon: { always: danger("network-tunnel", "lets other machines read repositories") },
    instaweb: {
      takes: { "-d --httpd -b --browser": "program", "-m --module-path -p --port": "text" },
      always: danger("network-tunnel", "lets other machines read the repository"),
      unless: "--stop stop",
    },
    maintenance: {
      commands: { start: { always: danger("system-schedule", "has git run at set times from then on") } },
    },
    credential: { always: danger("secret-read", "shows or changes stored passwords") },
    "credential-store": { always: danger("secret-read", "shows or changes stored passwords") },
    "credential-cache": { always: danger("secret-read", "shows or changes stored passwords"), unless: "exit" },
    "credential-osxkeychain": { always: danger("secret-read", "shows or changes stored passwords") },
    "http-push": { always: danger("network-send", "sends commits to another machine") },
    "remote-http": { operands: ["text", "host"] },
    "remote-https": { operands: ["text", "host"] },
    "remote-ftp": { operands: ["text", "host"] },
    "http-fetch": { operands: ["text", "host"] },
    svn: {
      commands: {
        clone: { operands: ["host", "write"] },
        init: { operands: ["host", "write"] },
        dcommit: { always: danger("network-send", "sends commits to another machine") },
      },
    },
    p4: { commands: { submit: { always: danger("network-send", "sends commits to another machine") } } },
    cvsimport: { takes: { "-d": "host", "-C": "write" } },
  };
}

function storing(): Readonly<Record<string, Spec>> {
  return {
    lfs: {
      commands: {
        push: { always: danger("network-send", "sends files to another machine") },
        fetch: fetches(),
        pull: fetches(),
        clone: fetches(),
        install: { danger: { "--system": danger("overwrite-system", "changes the settings of every user") } },
      },
    },
    annex: {
      commands: {
        copy: { always: danger("network-send", "sends files to another machine"), unless: "--from" },
        sync: { always: danger("network-send", "sends files to another machine") },
        addurl: { operands: ["host"] },
      },
    },
    "format-patch": {
      takes: {
        "-o --output-directory --output": "write",
        "-n --start-number --subject-prefix --to --cc --from -v --suffix --base": "text",
      },
      may: flags("-n"),
    },
  };
}

function telling(): Readonly<Record<string, Spec>> {
  return {
    diff: {
      ...output(),
      also: contents,
    },
    log: shows(),
    "cat-file": shows(),
    show: showsAll(),
    whatchanged: shows(),
    shortlog: shows(),
    "diff-tree": output(),
    "diff-index": output(),
    "diff-files": output(),
    bundle: { commands: { create: { operands: ["write", "text"] } } },
    "checkout-index": { takes: { "--prefix": "write" } },
    apply: {
      takes: { "--directory -p -C --exclude --include --whitespace": "text" },
      danger: { "--unsafe-paths": danger("overwrite-system", "changes files outside the project") },
      operands: ["read"],
    },
    commit: { takes: message() },
    tag: { takes: { ...message(), "-u --local-user --sort --format --contains --points-at -n": "text" } },
    merge: { takes: { "-m -s -X --strategy --strategy-option": "text", "-F --file": "read" } },
    notes: { commands: { add: { takes: message() }, append: { takes: message() }, edit: {} } },
    bugreport: { takes: { "-o --output-directory": "write", "-s --suffix": "text" } },
    diagnose: { takes: { "-o --output-directory": "write", "-s --suffix": "text" } },
    mailsplit: { may: { "-o": "write" } },
    "fast-export": { takes: { "--export-marks": "write", "--import-marks": "read" } },
    "fast-import": { takes: { "--export-marks --export-pack-edges": "write" } },
    "interpret-trailers": { takes: { "--trailer --where --if-exists": "text" } },
    shell: { takes: { "-c": "shell" } },
    "sh-i18n": {},
    hook: { commands: { run: { stops: true } } },
    "upload-pack": {},
    help: {},
  };
}

export function gitCommands(): Readonly<Record<string, Spec>> {
  return { ...exchanging(), ...changing(), ...serving(), ...storing(), ...telling() };
}
