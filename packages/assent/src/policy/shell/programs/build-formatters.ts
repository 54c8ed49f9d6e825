import type { Deed } from "../deeds.ts";
import { asks, type Given, type Programs, type Spec } from "../spec.ts";
import { type Argument, beginning, known } from "../text.ts";
import { each, here } from "./arguments.ts";
import { isIn } from "./calls.ts";

/** Options that name no file to change; those of all checkers together. */
function takes(): NonNullable<Spec["takes"]> {
  return {
    "-o --output-file --output --out-file --report-file --outputFile --out-dir --outfile --outdir": "write",
    "-c --config -f --format --ext --rule": "text",
    "--plugin --resolve-plugins-relative-to --rulesdir --config-path": "text",
  };
}

const shared = /^\/(?:private\/)?(?:tmp|var\/tmp|dev\/shm|proc)\//u;

/** Rules and plugins are code; from a folder that is anybody's they may be anything. */
function loaded({ values }: Given): readonly Deed[] {
  return values("-c --config --plugin --rulesdir --resolve-plugins-relative-to")
    .filter(({ text }) => shared.test(beginning(text)))
    .map((at) => asks("exec-option", "loads rules from a folder where anything could be", at));
}

/** What is to be changed: the words that are no options, or all that is here. */
function changed(given: Given, operands: readonly Argument[]): readonly Deed[] {
  return each("write", operands.length === 0 ? [here(given)] : operands);
}

/** Only with one of these options it changes what it looks at. */
function changesWith(options: string, verbs = ""): Spec {
  return {
    takes: takes(),
    also: (given) => {
      const isTold = given.has(options) || isIn(given.operands[0], verbs);
      return [...loaded(given), ...(isTold ? changed(given, withoutVerb(given.operands)) : [])];
    },
  };
}

/** It changes what it looks at, but for these options. */
function changesUnless(options: string, verbs = ""): Spec {
  return {
    takes: takes(),
    also: (given) => {
      const only = given.has(options) || isIn(given.operands[0], verbs) || given.words.some((word) => isIn(word, "-"));
      return [...loaded(given), ...(only ? [] : changed(given, withoutVerb(given.operands)))];
    },
  };
}

const verbs = "check format fmt fix lint run ci migrate";

function withoutVerb(operands: readonly Argument[]): readonly Argument[] {
  return isIn(operands[0], verbs) ? operands.slice(1) : operands;
}

function reads(): Spec {
  return { takes: takes(), also: loaded };
}

/** With one dash and a whole word: `gofmt -w`, `terraform fmt`. */
function oneDash(): Spec {
  return {
    ...changesWith("-w -i -fix -replace"),
    style: "long",
    takes: { "-o -output -config -rules -cpuprofile -r -d": "text" },
  };
}

const readers =
  "mypy flake8 pylint pyright basedpyright ty bandit shellcheck hadolint staticcheck clippy-driver cppcheck cpplint phpcs phpstan psalm " +
  "detekt cspell yamllint actionlint commitlint tflint checkov trivy grype gitleaks detect-secrets depcheck madge typedoc jsdoc tsd " +
  "vue-tsc svelte-check astro-check vulture pydocstyle protolint";

const fixed = "--fix --write --apply --apply-unsafe --fix-errors --fix-only --unsafe-fixes --autofix";

/** Checkers and formatters: those that change files do so where they are told to, the others only read. */
export const formatters: Programs = {
  [readers]: reads,
  "eslint eslint_d oxlint biome stylelint tslint standard xo markdownlint markdownlint-cli2": () => changesWith(fixed),
  "golangci-lint swiftlint semgrep knip textlint clang-tidy": () => changesWith(fixed),
  "prettier prettierd": () => changesWith("-w --write --fix"),
  ruff: () => changesWith(fixed, "format"),
  "sqlfluff php-cs-fixer dprint taplo oxfmt": () => changesWith("", "fix format fmt"),
  "rubocop standardrb": () => changesWith("-a -A -x --autocorrect --autocorrect-all --auto-correct --fix --fix-layout"),
  "autopep8 yapf autoflake docformatter": () => changesWith("-i --in-place"),
  "shfmt codespell"() {
    return {
      ...changesWith("-w --write --write-changes"),
      takes: { "-i --indent --interactive -S --skip -L --ignore-words-list -I --ignore-words": "text" },
    };
  },
  "clang-format cmake-format jsonnetfmt ormolu fourmolu stylish-haskell google-java-format gersemi"() {
    return {
      ...changesWith("-i --in-place --inplace --replace"),
      takes: { "--style --assume-filename --fallback-style --length --offset --lines --mode -m": "text" },
    };
  },
  ktlint: () => changesWith("-F --format"),
  "perltidy tidy latexindent djlint shellharden uncrustify"() {
    return {
      ...changesWith("-b -m -w --modify --reformat --replace --no-backup --overwrite"),
      takes: { "-o --output-file -output": "write", "-c --config -q": "text" },
    };
  },
  "black isort swiftformat pyupgrade phpcbf stylua alejandra nixfmt elm-format astyle buildifier usort pyink"() {
    return {
      ...changesUnless("-c --check --check-only -d --diff --stdout --lint --dryrun --dry-run --validate", "check lint"),
      takes: { "-l --line-length -t --target-version -m --multi-line --profile --exclude --include --config": "text" },
    };
  },
  rustfmt() {
    return {
      takes: { "--config --config-path --edition --color": "text", "--emit": "text" },
      also: (given) => {
        const prints = given.has("--check") || given.values("--emit").some(({ text }) => known(text) !== "files");
        return prints ? [] : each("write", given.operands);
      },
    };
  },
  "gofmt goimports gofumpt gci golines": oneDash,
};
