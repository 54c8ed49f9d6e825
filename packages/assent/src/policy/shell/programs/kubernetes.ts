import type { Deed } from "../deeds.ts";
import { asks, danger, type Given, type Programs, runs, type Spec, same } from "../spec.ts";
import { type Argument, beginning, known, shown } from "../text.ts";
import { connects, connectsUrls, flags, isDryRun, plain } from "./support.ts";

function options(): NonNullable<Spec["takes"]> {
  return {
    "-n --namespace --context --cluster --kubeconfig --user --token --as --as-group --as-uid --request-timeout -v":
      "text",
    "--certificate-authority --client-certificate --client-key --tls-server-name --cache-dir --log-file --vmodule":
      "text",
    "-s --server": "host",
  };
}

function more(): NonNullable<Spec["takes"]> {
  return {
    ...options(),
    "-f --filename -k --kustomize -l --selector -o --output --field-selector --template --image --overrides --env":
      "text",
    "-c --container --timeout --port --labels --annotations --restart --address --target --profile --copy-to": "text",
  };
}

const grants = danger("privilege-grant", "gives rights in the cluster");
function sends(): Spec {
  return { takes: more(), always: danger("network-send", "copies files to or from another machine") };
}
function drops(): Spec {
  return {
    takes: more(),
    also: (given) => (isDryRun(given) ? [] : [asks("delete-store", "deletes things in the cluster")]),
  };
}

/** What comes after `--`, or after the first operand where no `--` is. */
function inside(given: Given): readonly Deed[] {
  const at = given.words.findIndex(({ text }) => known(text) === "--");
  if (at >= 0) return runs(given.words.slice(at + 1));
  const [first] = given.operands;
  const start = first === undefined ? -1 : given.words.indexOf(first);
  return start < 0
    ? []
    : runs(given.words.slice(start + 1).filter((_, index, rest) => index > 0 || !isOption(rest[0])));
}

function isOption(word: Argument | undefined): boolean {
  return word !== undefined && beginning(word.text).startsWith("-");
}

/** Manifests given on the command line that take a pod out of its container. */
const leaves = /"?(?:privileged|hostPID|hostIPC|hostNetwork)"?\s*:\s*true|"?hostPath"?\s*:/u;

function created({ values, operands, words, has }: Given): readonly Deed[] {
  const opened = values("--overrides").filter(({ text }) => leaves.test(shown(text)) || known(text) === null);
  const at = words.findIndex(({ text }) => known(text) === "--");
  return [
    ...opened.map((each) =>
      asks("privilege-container", "runs a container with the powers of the machine's root", each),
    ),
    ...(has("--privileged")
      ? [asks("privilege-container", "runs a container with the powers of the machine's root")]
      : []),
    ...(at < 0 ? [] : runs(words.slice(at + 1))),
    ...bases([...values("-f --filename -k --kustomize"), ...operands]),
  ];
}

function fromAddress({ values, operands }: Given): readonly Deed[] {
  const named = values("-f --filename -k --kustomize");
  const first = known(operands[0]?.text ?? []) ?? "";
  return [
    ...bases(named),
    ...(/^(?:cluster)?rolebinding$/u.test(first) ? [{ does: "danger" as const, danger: grants }] : []),
  ];
}

/** What kustomize fetches: a URL, or a repository in a form of its own. */
const far =
  /^(?:github\.com|gitlab\.com|gh:|git::|[\w.-]+@[\w.-]+:|[\w-]+(?:\.[\w-]+)+[/:].*(?:\.git(?:$|[/?])|_git\/))/u;

function bases(named: readonly Argument[]): readonly Deed[] {
  const fetched = named.filter(({ text }) => far.test(beginning(text)));
  return [...connectsUrls(named), ...fetched.flatMap(connects)];
}

function secrets({ operands, values }: Given): readonly Deed[] {
  const isSecret = plain(operands.slice(0, 1)).some((kind) => /(?:^|,)secrets?(?:$|[,/])/iu.test(kind));
  const isShown = values("-o --output").some(({ text }) => !/^(?:name|wide)$/u.test(known(text) ?? ""));
  return isSecret && isShown ? [asks("secret-read", "shows secrets of the cluster")] : [];
}

function open({ values }: Given): readonly Deed[] {
  const isOpen = plain(values("--address")).some((address) => !/^(?:127\.|localhost|::1)/u.test(address));
  return isOpen ? [asks("network-tunnel", "opens a way from other machines into the cluster")] : [];
}

function debugs(given: Given): readonly Deed[] {
  return [
    ...created(given),
    ...given.operands
      .slice(0, 1)
      .filter(({ text }) => /^nodes?\//u.test(beginning(text)))
      .map((at) => asks("privilege-container", "opens a container with a machine's root", at)),
  ];
}

function kubectl(): Spec {
  return {
    takes: options(),
    commands: {
      exec: { takes: more(), may: flags("--stdin --tty --quiet"), also: inside },
      cp: sends(),
      delete: drops(),
      drain: {
        takes: more(),
        always: danger("system-service", "stops everything on a machine of the cluster"),
        unless: "--dry-run",
      },
      ...same("apply create replace patch diff", { takes: more(), also: fromAddress }),
      run: { takes: more(), may: flags("--rm --stdin --tty --attach --expose --command --privileged"), also: created },
      debug: { takes: more(), also: debugs },
      get: { takes: more(), also: secrets },
      kustomize: { takes: { ...more(), "-o --output": "write" }, also: ({ operands }) => bases(operands) },
      ...same("port-forward proxy", { takes: more(), also: open }),
      config: {
        commands: {
          view: { danger: { "--raw": danger("secret-read", "shows the keys of the cluster") } },
          "set-cluster": { takes: { "--server": "host" } },
        },
      },
      certificate: { commands: { approve: { always: grants } } },
      auth: { commands: { reconcile: { always: grants } } },
      adm: { commands: { policy: { always: grants }, drain: drops() } },
      rsh: { takes: more(), stops: true, operands: ["text", "argv"] },
      rsync: sends(),
      login: { takes: { "-u --username -p --password --token": "text" }, operands: ["host"] },
      "new-app": { takes: more(), also: ({ operands }) => connectsUrls(operands) },
      krew: { commands: { install: { takes: { "--manifest --archive --manifest-url": "text" } } } },
    },
  };
}

function charts(): Spec {
  return {
    takes: {
      ...options(),
      "-f --values --set --set-string --set-file --set-json --version --timeout --description --username --password":
        "text",
      "--kube-context --post-renderer-args --history-max --keyring --ca-file --cert-file --key-file --api-versions":
        "text",
      "--repo": "host",
      "--post-renderer": "program",
      "-d --destination --output-dir --untardir": "write",
    },
    may: flags("--repo-update --post --set-literal"),
    also: ({ operands, values }) => connectsUrls([...operands, ...values("-f --values")]),
  };
}

function helm(): Spec {
  return {
    takes: {
      ...options(),
      "--kube-context --registry-config --repository-cache --repository-config": "text",
      "--kube-apiserver": "host",
    },
    commands: {
      ...same("install upgrade template pull fetch show", charts()),
      ...same("uninstall delete del un", { ...drops(), takes: charts().takes ?? {} }),
      push: { always: danger("network-send", "sends a chart to another machine") },
      repo: { commands: { add: { takes: { "--username --password": "text" }, operands: ["text", "host"] } } },
      registry: { commands: { login: { takes: { "-u -p": "text" }, operands: ["host"] } } },
      plugin: { commands: { install: { also: ({ operands }) => connectsUrls(operands) } } },
      dependency: {},
    },
  };
}

export const kubernetesTools: Programs = {
  "kubectl oc k3s-kubectl microk8s.kubectl": kubectl,
  "k3s microk8s": () => ({ commands: { kubectl: kubectl() } }),
  helm,
  helmfile() {
    return {
      takes: { "-f --file -e --environment -l --selector": "text", "-b --helm-binary": "program" },
      commands: { destroy: drops(), delete: drops() },
    };
  },
  kustomize() {
    return {
      commands: { build: { also: ({ operands }) => bases(operands), takes: { "-o --output": "write" } } },
    };
  },
  stern: () => ({}),
  k9s: () => ({}),
  skaffold: () => ({ commands: { delete: drops() } }),
  flux() {
    return {
      commands: {
        delete: drops(),
        bootstrap: { always: danger("network-send", "changes the cluster and a repository") },
      },
    };
  },
};
