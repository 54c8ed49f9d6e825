import type { Deed } from "../deeds.ts";
import { asks, danger, type Given, type Programs, type Spec, same } from "../spec.ts";
import { type Argument, beginning, known } from "../text.ts";
import { afterFirst, connects, connectsUrls, inPlaceOf, plain } from "./support.ts";

const changes = danger("network-send", "changes machines and services that others use");
const destroys = danger("delete-store", "takes down machines and services with their data");

function planned(): NonNullable<Spec["takes"]> {
  return {
    "-out": "write",
    "-var -target -replace -lock-timeout -parallelism -backend-config -chdir": "text",
    "-var-file": "read",
  };
}

function terraform(): Spec {
  return {
    style: "long",
    takes: { "-chdir": "text" },
    commands: {
      apply: { style: "long", takes: planned(), always: changes },
      destroy: { style: "long", always: destroys },
      plan: { style: "long", takes: planned() },
      init: {
        style: "long",
        takes: { "-from-module": "host", "-backend-config": "text" },
        also: ({ values }) =>
          connectsUrls(values("-backend-config").map((setting) => afterFirst(setting, "=") ?? setting)),
        danger: { "-plugin-dir": danger("exec-option", "takes programs from another folder") },
      },
      ...same("import taint untaint force-unlock refresh", { always: changes }),
      state: { commands: { ...same("rm push mv replace-provider", { always: changes }), pull: {} } },
      workspace: { commands: { delete: { always: destroys } } },
      fmt: { style: "long", operands: ["write"] },
      output: {},
      ...same("run-all run", { style: "long", also: ({ operands }) => runAll(operands) }),
    },
  };
}

function runAll(operands: readonly Argument[]): readonly Deed[] {
  const words = plain(operands);
  if (words.includes("destroy")) return [{ does: "danger", danger: destroys }];
  return words.includes("apply") ? [{ does: "danger", danger: changes }] : [];
}

function pulumi(): Spec {
  return {
    takes: { "-C --cwd --color -e --env -s --stack": "text" },
    commands: {
      ...same("up update refresh import cancel watch deploy", { always: changes, unless: "--preview-only" }),
      ...same("destroy down", { always: destroys, unless: "--preview-only" }),
      stack: { commands: { rm: { always: destroys } } },
      state: { commands: { delete: { always: destroys } } },
      plugin: { commands: { install: { takes: { "--server": "host" } } } },
    },
  };
}

function ansibleOptions(): NonNullable<Spec["takes"]> {
  return {
    "-m --module-name -a --args -i --inventory -c --connection -u --user -f --forks -e --extra-vars -l --limit -t --tags":
      "text",
    "--skip-tags -T --timeout --become-user --become-method -P --poll -B --background -M --module-path --start-at-task":
      "text",
    "--ssh-common-args --ssh-extra-args --sftp-extra-args --scp-extra-args --vault-id --playbook-dir": "text",
    "--vault-password-file --private-key --key-file": "read",
    "--tree": "write",
  };
}

const becomes = {
  "-b --become -K --ask-become-pass --become-user": danger("privilege-escalation", "runs as another user"),
};
const tells = "--list-hosts --list-tasks --list-tags --syntax-check -C --check";

function ansible(): Spec {
  return { takes: ansibleOptions(), danger: becomes, also: adHoc };
}

/** One module on some hosts; those that run commands here are looked into. */
function adHoc({ operands: [hosts], values, has }: Given): readonly Deed[] {
  if (hosts === undefined || has("--list-hosts")) return [];
  const isHere =
    known(hosts.text) === "localhost" ||
    known(hosts.text) === "127.0.0.1" ||
    known(values("-c --connection")[0]?.text ?? []) === "local";
  const module = (known(values("-m --module-name")[0]?.text ?? ["command"]) ?? "\0").replace(
    /^ansible\.builtin\./u,
    "",
  );
  const texts = values("-a --args");
  return [
    ...(isHere ? [] : [asks("network-host", "changes or asks other machines", hosts)]),
    ...(/^(?:shell|command|raw|script|expect)$/u.test(module)
      ? texts.map(({ text, span }): Deed => ({ does: "shell", text, span }))
      : moduleDeeds(module, hosts)),
  ];
}

function moduleDeeds(module: string, at: Argument): readonly Deed[] {
  if (/^(?:ping|debug|setup|stat|gather_facts|find|assert|fail|slurp|getent)$/u.test(module)) return [];
  return [asks("system-settings", "changes the machine by a module", at)];
}

function playbook(): Spec {
  return { takes: ansibleOptions(), danger: becomes, also: played };
}

function played({ values, has, operands }: Given): readonly Deed[] {
  const inventory = known(values("-i --inventory")[0]?.text ?? []) ?? "";
  const isHere =
    known(values("-c --connection")[0]?.text ?? []) === "local" || /^(?:localhost|127\.0\.0\.1),?$/u.test(inventory);
  return operands.length === 0 || isHere || has(tells) ? [] : [{ does: "danger", danger: changes }];
}

function galaxy(): Spec {
  return {
    commands: same("install collection role", {
      takes: {
        "-s --server": "host",
        "-p --roles-path --collections-path": "write",
        "-r --role-file": "read",
        "--token": "text",
      },
      also: ({ operands }) => [
        ...connectsUrls(operands.map((word) => inPlaceOf(word, (known(word.text) ?? "").replace(/^git\+/u, "")))),
        ...(plain(operands).includes("publish") ? [asks("network-send", "publishes to other machines")] : []),
      ],
    }),
  };
}

/** `-a` is a command that a shell runs. */
function cdk(): Spec {
  return {
    takes: {
      "-a --app": "shell",
      "-c --context --profile -o --output --require-approval --parameters --toolkit-stack-name -r --role-arn": "text",
      "-e --exclusively": "text",
    },
    may: { "-e --exclusively": "text" },
    commands: {
      ...same("deploy bootstrap import watch rollback migrate", { takes: { "-a --app": "shell" }, always: changes }),
      destroy: { takes: { "-a --app": "shell" }, always: destroys },
      gc: { always: destroys },
      ...same("synth synthesize diff ls list", { takes: { "-a --app": "shell", "-o --output": "write" } }),
    },
  };
}

function serverless(): Spec {
  return {
    takes: { "-s --stage -r --region -c --config --aws-profile": "text" },
    commands: {
      deploy: { always: changes },
      remove: { always: destroys },
      rollback: { always: changes },
      invoke: { always: changes, unless: "local" },
      create: { takes: { "-u --template-url": "host" } },
    },
  };
}

function sam(): Spec {
  return {
    commands: {
      ...same("deploy sync publish package", { always: changes }),
      delete: { always: destroys },
      remote: { always: changes },
      init: { takes: { "-l --location": "host" } },
    },
  };
}

/** The server may be named anywhere among the words, after one dash. */
function serverOption({ words }: Given): readonly Deed[] {
  return words.flatMap((word, index): readonly Deed[] => {
    const found = /^--?(?:http-addr|address|grpc-addr)(=|$)/u.exec(beginning(word.text));
    const host = found?.[1] === "=" ? afterFirst(word, "=") : found === null ? null : words[index + 1];
    return host === null || host === undefined ? [] : connects(host);
  });
}

function vault(): Spec {
  return {
    also: serverOption,
    commands: {
      ...same("read unwrap", { always: danger("secret-read", "shows secrets") }),
      kv: {
        commands: {
          get: { always: danger("secret-read", "shows secrets") },
          ...same("put patch delete destroy", { always: changes }),
        },
      },
      ...same("write delete", { always: changes }),
      ssh: { always: changes },
    },
  };
}

export const infrastructureTools: Programs = {
  "terraform tofu opentofu terragrunt": terraform,
  pulumi,
  ansible,
  "ansible-playbook": playbook,
  "ansible-galaxy": galaxy,
  "ansible-pull": () => ({ always: danger("exec-unseen", "fetches a playbook and runs it") }),
  "ansible-console": () => ({ always: changes }),
  "ansible-vault": () => ({
    commands: { ...same("view decrypt", { always: danger("secret-read", "shows secrets") }) },
  }),
  "ansible-doc ansible-lint ansible-inventory ansible-config": () => ({}),
  "cdk aws-cdk cdklocal cdktf": cdk,
  "serverless sls": serverless,
  sam,
  "chalice zappa claudia": () => ({ always: changes, unless: "--version local package status logs tail" }),
  packer: () => ({
    commands: { build: { takes: { "-var": "text", "-var-file": "read" }, style: "long", always: changes } },
  }),
  nomad() {
    return {
      also: serverOption,
      commands: {
        ...same("job", { commands: { run: { always: changes }, stop: { always: destroys } } }),
        run: { always: changes },
        stop: { always: destroys },
        alloc: { commands: { exec: { always: changes } } },
      },
    };
  },
  consul() {
    return {
      also: serverOption,
      commands: {
        exec: { always: changes },
        kv: { commands: { put: { always: changes }, delete: { always: destroys } } },
      },
    };
  },
  vault,
  argocd() {
    return {
      commands: {
        login: { operands: ["host"] },
        app: {
          commands: { ...same("create sync set patch rollback", { always: changes }), delete: { always: destroys } },
        },
      },
    };
  },
  "salt salt-ssh salt-call pssh pdsh parallel-ssh clush knife"() {
    return {
      always: danger("network-send", "runs commands on other machines"),
      unless: "--version -l --list -T",
    };
  },
  puppet() {
    return {
      commands: {
        ...same("apply agent", { always: danger("system-settings", "changes this machine"), unless: "--noop" }),
      },
    };
  },
  "chef-client chef-solo": () => ({ always: danger("system-settings", "changes this machine") }),
};
