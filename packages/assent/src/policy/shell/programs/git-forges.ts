import type { Deed } from "../deeds.ts";
import { asks, danger, type Given, type Programs, runs, type Spec, same } from "../spec.ts";
import { beginning, known, shown } from "../text.ts";
import { aliasDeeds } from "./git-config.ts";
import { connectsUrls, plain } from "./support.ts";

const texts =
  "-t --title -b --body -B --base -H --head -l --label -a --assignee -r --reviewer -m --milestone -R --repo --json -q --jq --template -L --limit -s --state -S --search -n --notes --subject --description --message";

function outwards(): Spec {
  return {
    takes: { [texts]: "text", "-F --body-file --notes-file": "read" },
    always: danger("network-send", "publishes something at the hosting service"),
    unless: "--dry-run",
  };
}
function removes(): Spec {
  return { always: danger("delete-store", "deletes something at the hosting service") };
}
function fetches(): Spec {
  return { always: danger("network-host", "copies a repository from the hosting service") };
}
function install(): Spec {
  return { always: danger("network-host", "downloads a program that it will run") };
}
function reads(): Spec {
  return { takes: { [texts]: "text" } };
}

function pullRequest(): Spec {
  return {
    takes: { "-R --repo": "text" },
    commands: {
      ...same(
        "create new merge close reopen comment edit review ready lock unlock update-branch update revert note approve revoke rebase",
        outwards(),
      ),
      ...same("list view status checks diff checkout co", reads()),
      delete: removes(),
    },
  };
}

function api(): Spec {
  return {
    takes: {
      "-X --method -H --header -f --raw-field -F --field -q --jq -t --template -p --preview --cache --hostname --form":
        "text",
      "--input": "read",
    },
    also: apiDeeds,
  };
}

/** A call reads, unless a method or something to send says otherwise; questions in GraphQL are sent as well. */
function apiDeeds({ values, has, operands: [path] }: Given): readonly Deed[] {
  const hosts = values("--hostname").map((host): Deed => ({ does: "connect", host }));
  const methods = plain(values("-X --method")).map((method) => method.toUpperCase());
  const fields = values("-f --raw-field -F --field");
  const isQuestion =
    known(path?.text ?? []) === "graphql" && !fields.some(({ text }) => /mutation/iu.test(shown(text)));
  const isRead =
    methods.length > 0
      ? methods.every((method) => method === "GET" || method === "HEAD" || (isQuestion && method === "POST"))
      : !has("--input --form") && (fields.length === 0 || isQuestion);
  return [
    ...hosts,
    ...connectsUrls(path === undefined ? [] : [path]),
    ...(isRead ? [] : [asks("network-send", "sends data to the hosting service")]),
  ];
}

function repository(): Spec {
  return {
    commands: {
      clone: fetches(),
      ...same(
        "create edit rename archive unarchive sync set-default deploy-key fork transfer mirror publish",
        outwards(),
      ),
      "set-default": {},
      delete: removes(),
      "deploy-key": { commands: { add: outwards(), delete: removes() } },
    },
  };
}

function ofProjects(): Readonly<Record<string, Spec>> {
  return {
    pr: pullRequest(),
    mr: pullRequest(),
    issue: {
      ...pullRequest(),
      commands: { ...pullRequest().commands, ...same("develop pin unpin transfer", outwards()) },
    },
    repo: repository(),
    project: {
      commands: {
        clone: fetches(),
        ...same("create edit item-add item-create close copy link field-create", outwards()),
        delete: removes(),
      },
    },
    release: {
      commands: {
        ...same("create upload edit", outwards()),
        delete: removes(),
        "delete-asset": removes(),
        download: { takes: { "-D --dir -O --output": "write", "-p --pattern -A --archive -R --repo": "text" } },
      },
    },
    gist: { commands: { ...same("create edit rename", outwards()), delete: removes(), clone: fetches() } },
    snippet: { commands: { create: outwards() } },
  };
}

function ofAccounts(): Readonly<Record<string, Spec>> {
  return {
    api: api(),
    alias: {
      commands: {
        set: {
          also: ({ operands: [, value], has }) =>
            value === undefined || !(has("-s --shell") || beginning(value.text).startsWith("!"))
              ? []
              : aliasDeeds(beginning(value.text).startsWith("!") ? value : { ...value, text: ["!", ...value.text] }),
        },
      },
    },
    auth: {
      commands: {
        token: { always: danger("secret-read", "shows the stored token") },
        login: outwards(),
        refresh: outwards(),
        status: { danger: { "-t --show-token": danger("secret-read", "shows the stored token") } },
      },
    },
    extension: {
      commands: {
        install: install(),
        upgrade: install(),
        exec: { stops: true, also: ({ operands }) => runs(operands) },
      },
    },
    ext: { commands: { install: install(), upgrade: install() } },
    secret: { commands: { set: outwards(), delete: removes(), remove: removes() } },
    variable: { commands: { ...same("set update export", outwards()), delete: removes() } },
  };
}

function ofRuns(): Readonly<Record<string, Spec>> {
  return {
    workflow: { commands: { ...same("run enable disable", outwards()) } },
    run: {
      commands: {
        ...same("rerun cancel", outwards()),
        delete: removes(),
        download: { takes: { "-D --dir": "write", "-n --name -p --pattern -R --repo": "text" } },
      },
    },
    ci: { commands: { ...same("run retry trigger cancel run-trig", outwards()), delete: removes() } },
    pipeline: { commands: { ...same("run retry trigger cancel", outwards()), delete: removes() } },
    cache: { commands: { delete: removes() } },
    label: { commands: { ...same("create edit clone", outwards()), delete: removes() } },
    "ssh-key": { commands: { add: outwards(), delete: removes() } },
    "gpg-key": { commands: { add: outwards(), delete: removes() } },
    codespace: {
      commands: { ...same("create ssh cp edit ports rebuild stop code jupyter", outwards()), delete: removes() },
    },
    ruleset: {},
  };
}

function forge(): Spec {
  return {
    takes: { "-R --repo --hostname": "text" },
    commands: { ...ofProjects(), ...ofAccounts(), ...ofRuns() },
  };
}

export const forges: Programs = { gh: forge, glab: forge, tea: forge };
