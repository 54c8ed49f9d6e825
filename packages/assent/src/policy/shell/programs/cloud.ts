import type { Deed } from "../deeds.ts";
import { asks, danger, type Given, type Programs, runs, type Spec } from "../spec.ts";
import { known } from "../text.ts";
import { isIn, withoutOptions } from "./calls.ts";
import { infrastructureTools } from "./cloud-infrastructure.ts";
import { plain } from "./support.ts";

/** Services that run on this machine for tests answer there. */
const loopback = /^(?:https?:\/\/)?(?:localhost|[\w.-]+\.localhost|127\.[\d.]+|\[::1\])(?:[:/]|$)/iu;

const globals =
  "--profile --region --output --query --ca-bundle --cli-read-timeout --cli-connect-timeout --color --cli-binary-format";

function aws(): Spec {
  return {
    takes: { [globals]: "text", "--endpoint-url": "host" },
    also: (given) => {
      const [service = "", operation = ""] = plain(given.operands);
      const endpoint = known(given.values("--endpoint-url")[0]?.text ?? []) ?? "";
      const bulk = service === "s3" ? bulkDeletions(given, operation) : [];
      if (given.has("--dryrun --dry-run --generate-cli-skeleton") || operation === "help") return [];
      return [...bulk, ...(loopback.test(endpoint) ? [] : awsDeeds(service, operation, given))];
    },
  };
}

function bulkDeletions({ has }: Given, operation: string): readonly Deed[] {
  const isBulk =
    (operation === "rm" && has("--recursive")) ||
    (operation === "sync" && has("--delete")) ||
    (operation === "rb" && has("--force"));
  return isBulk ? [asks("delete-bulk", "deletes everything below the place")] : [];
}

const awsReads =
  /^(?:describe|list|get|head|batch-get|lookup|search|scan|query|estimate|validate|simulate|test|wait|filter|tail|ls|help|decode|preview|detect|check)(?:-|$)/u;
const awsLocal = /^(?:configure|help|history|sso)$/u;

function awsDeeds(service: string, operation: string, { operands }: Given): readonly Deed[] {
  const at = operands[1] ?? operands[0];
  if (plain(operands).at(-1) === "help") return [];
  if (service === "" || operation === "" || awsLocal.test(service) || operation === "update-kubeconfig") return [];
  if (/^get-(?:secret-value|session-token|password-data|authorization-token)$/u.test(operation)) {
    return [asks("secret-read", "shows a secret of the account", at)];
  }
  if (service === "s3api" && operation === "get-object")
    return [asks("network-host", "fetches a file from another machine", at)];
  if (/^(?:delete|terminate|destroy|purge|deregister|remove)-?/u.test(operation)) {
    return [asks("delete-store", "deletes something in the account", at)];
  }
  return awsReads.test(operation) ? [] : [asks("network-send", "changes something in the account", at)];
}

const removing = /^(?:delete|remove|destroy|purge|rm|rb|terminate|undeploy|uninstall|wipe|reset|drop|down)(?:-|$)/u;
const changing =
  /^(?:deploy|create|update|add|ssh|scp|copy-files|submit|push|upload|apply|import|patch|enable|disable|start|stop|restart|resize|export|rollback|cp|mv|rsync|sync|put|exec|execute|invoke|call|publish|promote|set|scale|migrate|download|connect|sftp|console|transfer|attach|detach|launch|release|up|run-command|send|trigger)(?:-|$)/u;

/** Tools of hosting services take a noun and a verb in some order; the verb is what matters. */
function verbs(local: RegExp): (given: Given) => readonly Deed[] {
  return ({ operands, has, name }) => {
    const words = plain(operands.slice(0, 5)).flatMap((word) => word.split(":"));
    if (words[0] === undefined || local.test(words[0]) || words.includes("help") || has("--dry-run --help -h"))
      return [];
    if (words[0] === "\0") return [asks("network-send", `runs ${name} in a way that is not known`)];
    if (words.some((word) => removing.test(word))) return [asks("delete-store", "deletes something at the service")];
    return words.some((word) => changing.test(word)) ? [asks("network-send", "changes something at the service")] : [];
  };
}

function common(): NonNullable<Spec["takes"]> {
  return {
    "--project --account --configuration --format --filter --region --zone --verbosity --impersonate-service-account":
      "text",
    "-a --app -r --remote -o --org --team -t --access-token --token --context -c --config --env -e --environment":
      "text",
    "-g --resource-group -n --name --subscription --query --output -s --site -m --message -p --port -P": "text",
  };
}

const service = (local: RegExp): Spec => ({ takes: common(), also: verbs(local) });

function gcloud(): Spec {
  return {
    ...service(/^(?:config|info|version|init|components|topic|cheat-sheet|auth|emulators|survey|feedback)$/u),
    danger: { "--flags-file": danger("exec-option", "takes its options from a file") },
  };
}

const secretWords = /^(?:print-access-token|print-identity-token|get-access-token|access)$/u;

function shownSecrets({ operands }: Given): readonly Deed[] {
  const words = plain(operands);
  const isShown = words.some((word) => secretWords.test(word)) || (words.includes("secret") && words.includes("show"));
  return isShown ? [asks("secret-read", "shows a secret of the account")] : [];
}

function withSecrets(spec: Spec): Spec {
  return { ...spec, also: (given) => [...(spec.also?.(given) ?? []), ...shownSecrets(given)] };
}

function gsutil(): Spec {
  return {
    stops: true,
    takes: { "-o -h -u": "text" },
    also: ({ operands: [command, ...rest], has }) => {
      const name = command === undefined ? "" : (known(command.text) ?? "rm");
      const options = plain(rest);
      const bulk =
        (name === "rm" && options.some((word) => /^-\w*[rRa]/u.test(word))) ||
        (name === "rsync" && options.some((word) => /^-\w*d/u.test(word)));
      if (has("--help") || (name === "rsync" && options.includes("-n"))) return [];
      return [
        ...(bulk ? [asks("delete-bulk", "deletes everything below the place")] : []),
        ...(/^(?:cp|mv|rsync|rm|rb|mb|setmeta|iam|acl|signurl|web|cors|lifecycle|compose|rewrite|defacl|notification)$/u.test(
          name,
        )
          ? [asks("network-send", "changes or copies files of the service", command)]
          : []),
      ];
    },
  };
}

const deploys = danger("network-send", "publishes the project");

/** Without a command these publish the folder. */
const publishes = (unless: string): Spec => ({ always: deploys, unless: `--version -v --help -h help ${unless}` });

function wrangler(): Spec {
  return {
    takes: common(),
    also: (given) => {
      const words = plain(given.operands);
      if (/^(?:dev|init|generate|types|whoami|login|logout|tail|docs|build|check)$/u.test(words[0] ?? "")) {
        return given.has("--remote") ? [{ does: "danger", danger: deploys }] : [];
      }
      const isLocal = (words.includes("execute") || words.includes("migrations")) && !given.has("--remote");
      return isLocal || given.has("--local") || words[1] === "dev" ? [] : verbs(/^$/u)(given);
    },
  };
}

function heroku(): Spec {
  return {
    takes: common(),
    also: (given) => {
      const [first] = given.operands;
      const runs = /^(?:run|run:detached|ps:exec|pg:psql|redis:cli|git:clone)$/u.test(
        first === undefined ? "" : (known(first.text) ?? ""),
      );
      return runs
        ? [asks("network-send", "runs something on another machine", first)]
        : verbs(/^(?:local|login|logout|auth|help|version|autocomplete)$/u)(given);
    },
  };
}

function netlify(): Spec {
  return service(/^(?:dev|build|status|login|logout|link|unlink|open|init|watch|completion|serve|logs)$/u);
}

function fly(): Spec {
  return service(/^(?:status|logs|version|auth|doctor|docs|dashboard|info|platform|config|completion)$/u);
}

export const cloudTools: Programs = {
  "aws aws2": aws,
  awslocal: () => ({}),
  gcloud: () => withSecrets(gcloud()),
  gsutil,
  bq() {
    return {
      ...service(/^(?:query|ls|show|head|help|version|wait|info|init)$/u),
      takes: { ...common(), "--project_id --location --dataset_id": "text" },
      also: bigTables,
    };
  },
  az() {
    return withSecrets({
      ...service(
        /^(?:login|logout|account|configure|version|upgrade|find|interactive|bicep|extension|config|feedback)$/u,
      ),
    });
  },
  "doctl linode-cli hcloud scw oci ibmcloud exo vultr-cli civo upctl eksctl kops rosa": () =>
    service(/^(?:auth|config|version|completion|account|init|login|info|compute-help)$/u),
  heroku,
  "vercel now"() {
    return publishes(
      "dev build ls list inspect logs log whoami link login logout env project projects switch teams init pull domains certs",
    );
  },
  netlify,
  ntl: netlify,
  "netlify-cli": netlify,
  "fly flyctl": fly,
  railway() {
    return {
      ...publishes(
        "status logs whoami login logout link unlink list variables environment init docs open completion run shell dev",
      ),
      stops: true,
      also: ({ operands: [verb, ...words] }) => (isIn(verb, "run") ? runs(withoutOptions(words)) : []),
    };
  },
  wrangler,
  "firebase firebase-tools"() {
    return service(
      /^(?:emulators|serve|login|logout|use|init|open|experimental|setup|target|apps|projects|functions:log|list)$/u,
    );
  },
  surge: () => publishes("list whoami login logout"),
  "eb copilot amplify supabase appwrite dokku caprover upsun clever scalingo koyeb northflank": () =>
    service(/^(?:status|logs|login|logout|whoami|init|local|dev|gen|stop|start|link|services|version)$/u),
  "gh-pages": () => ({ always: deploys }),
  ...infrastructureTools,
};

function bigTables({ operands: [command] }: Given): readonly Deed[] {
  const name = command === undefined ? "" : (known(command.text) ?? "rm");
  if (name === "rm") return [asks("delete-store", "deletes stored data", command)];
  return /^(?:load|extract|insert|mk|cp|update|cancel|partition|truncate|undelete|add-iam-policy-binding)$/u.test(name)
    ? [asks("network-send", "changes stored data", command)]
    : [];
}
