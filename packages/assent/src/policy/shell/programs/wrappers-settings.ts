import type { Deed } from "../deeds.ts";
import { asks, type Given, type Programs, runs, type Spec } from "../spec.ts";
import type { Argument } from "../text.ts";
import { starts, without } from "./arguments.ts";
import { isIn, shellOf, withoutOptions } from "./calls.ts";

/** `op run -- command`; `skip` words stand between the subcommand and the command where there are no dashes. */
function running(verbs: string, skip = 0, more: Spec = {}): Spec {
  return {
    stops: true,
    ...more,
    also: (given) => [
      ...(more.also?.(given) ?? []),
      ...(given.operands[0] !== undefined && isIn(given.operands[0], verbs)
        ? commandIn(given.operands.slice(1), skip)
        : []),
    ],
  };
}

function commandIn(words: readonly Argument[], skip: number): readonly Deed[] {
  const end = words.findIndex((each) => isIn(each, "--"));
  const text = words.findIndex((each) => isIn(each, "--command -c"));
  const own = end < 0 ? words : words.slice(0, end);
  const attached = own.filter((each) => starts(each, "--command=")).map((each) => without(each, "--command=".length));
  const apart = text < 0 || (end >= 0 && text > end) ? [] : words.slice(text + 1, text + 2);
  const texts = [...apart, ...attached].flatMap((each) => shellOf([each]));
  if (end >= 0) return [...texts, ...runs(words.slice(end + 1))];
  return [...texts, ...runs(withoutOptions(words).slice(skip))];
}

const shows = (verbs: string): Spec => ({
  also: ({ operands: [verb] }) =>
    verb !== undefined && isIn(verb, verbs)
      ? [asks("secret-read", "reads secrets out of where they are kept", verb)]
      : [],
});

/** `dotenv -e .env -- command`, `dotenvx run -- command`, `env-cmd command`. */
function dotenv({ operands }: Given): readonly Deed[] {
  const [verb, ...rest] = operands;
  if (verb === undefined) return [];
  return isIn(verb, "run exec") ? commandIn(rest, 0) : runs(operands);
}

/** `sops exec-env file text`. */
function sops({ operands: [verb, , text] }: Given): readonly Deed[] {
  return verb !== undefined && text !== undefined && isIn(verb, "exec-env exec-file") ? shellOf([text]) : [];
}

/** Programs that give others their settings, secrets or versions, and then run them. */
export const secretKeepers: Programs = {
  "dotenv dotenvx env-cmd dotenv-cli"() {
    return {
      stops: true,
      takes: { "-f --file --env-file -e --environments -p -v": "text" },
      may: { "-c --cascade": "text" },
      also: dotenv,
    };
  },
  doppler: () => running("run", 0, shows("secrets")),
  op: () => running("run", 0, shows("read inject")),
  infisical: () => running("run", 0, shows("secrets export")),
  teller: () => running("run", 0, shows("show export sh env")),
  "aws-vault chamber": () => running("exec", 1, shows("export read list-all env")),
  envchain: () => ({ stops: true, operands: ["text", "argv"] }),
  sops: () => ({ stops: true, also: sops }),
  jenv: () => running("exec"),
  nvm: () => running("exec run", 1),
};
