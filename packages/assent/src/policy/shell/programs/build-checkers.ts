import { asks, danger, type Programs, type Spec } from "../spec.ts";
import { beginning, known } from "../text.ts";
import { formatters } from "./build-formatters.ts";
import { connectsUrls, flags } from "./support.ts";

function tests(): Spec {
  return {
    takes: {
      "-t --testNamePattern --testPathPattern -c --config --reporter --project --shard --seed --maxWorkers -w -r --require":
        "text",
      "-g --grep --timeout --spec --ui --environment --pool --mode --dir --root -e --extension": "text",
      "--outputFile --coverageDirectory --output --cacheDirectory --reporter-output": "write",
      "--globalSetup --globalTeardown": "text",
      "--exec --script-shell": "program",
    },
    also: ({ operands }) => connectsUrls(operands),
  };
}

function pytest(): Spec {
  return {
    takes: {
      "-k -m -p -c --config-file -o --override-ini -n --numprocesses --maxfail --tb --durations --rootdir --cov --cov-report":
        "text",
      "--ignore --deselect --import-mode -W --log-level --log-cli-level --color --timeout --dist --tx -r --capture":
        "text",
      "--junitxml --junit-xml --basetemp --log-file --resultlog --html --report-log --cov-config --debug": "write",
    },
    may: { "--pdbcls --debug --cov --cov-report": "text" },
    danger: { "--pastebin": danger("network-send", "publishes the results") },
  };
}

function tox(): Spec {
  return {
    takes: {
      "-e -c --conf --workdir --root -p --parallel --result-json -x --override --discover --index-url -i": "text",
    },
    may: flags("-p --parallel"),
    commands: { exec: { takes: { "-e": "text" }, stops: true, operands: ["argv"] }, run: {}, list: {}, config: {} },
    also: ({ values }) =>
      values("-x --override")
        .filter(({ text }) => /command|allowlist|install/u.test(beginning(text)) || known(text) === null)
        .map((at) => asks("exec-option", "changes the commands that tox runs", at)),
  };
}

function bundler(): Spec {
  return {
    takes: {
      "-o --output-path --outDir --outfile --outdir --dir --file --output --dist-dir": "write",
      "-c --config --mode --base --port --host --env --target --format -p --external --define --loader --input -i":
        "text",
    },
    may: flags("--port --host --watch --minify --bundle --open --config --serve"),
  };
}

function typescript(): Spec {
  return {
    takes: {
      "--outDir --outFile --declarationDir --tsBuildInfoFile --generateTrace --generateCpuProfile": "write",
      "-p --project -t --target -m --module --lib --jsx --rootDir --baseUrl --moduleResolution --types": "text",
    },
  };
}

export const checkers: Programs = {
  ...formatters,
  "jest vitest mocha ava tap tape karma cypress playwright wdio testcafe jasmine uvu": tests,
  "pytest py.test pytest-3": pytest,
  "tox nox": tox,
  "webpack webpack-cli vite rollup esbuild parcel rspack rsbuild tsup unbuild swc ncc pkgroll snowpack microbundle vitepress":
    bundler,
  "tsc tsgo ttsc": typescript,
  "next nuxt astro remix gatsby ng vue-cli-service react-scripts craco docusaurus storybook eleventy hexo hugo jekyll mkdocs":
    () => siteTool(),
  coverage() {
    return {
      commands: {
        run: { stops: true, takes: { "-m --module": "text", "--source --omit --include": "text" } },
        html: { takes: { "-d --directory": "write" } },
        xml: { takes: { "-o": "write" } },
      },
    };
  },
  "c8 nyc"() {
    return {
      takes: {
        "-r --reporter -x --exclude -n --include": "text",
        "-o --reports-dir --report-dir --temp-directory": "write",
      },
      stops: true,
      operands: ["argv"],
    };
  },
  protoc() {
    return {
      takes: {
        "-I --proto_path": "text",
        "-o --descriptor_set_out --go_out --python_out --js_out --ts_out --java_out --cpp_out": "write",
        "--plugin": "text",
      },
      also: ({ values }) =>
        values("--plugin")
          .filter(({ text }) => !/^(?:[\w-]+=)?(?:\.\/)?node_modules\//u.test(beginning(text)))
          .map((at) => asks("exec-option", "runs another program", at)),
    };
  },
  "husky lint-staged patch-package plop hygen nps size-limit bundlesize": () => ({}),
  buf() {
    return {
      takes: { "-o --output": "write", "--config --template --path": "text" },
      commands: { push: { always: danger("network-send", "publishes the interface") } },
    };
  },
  "pre-commit": () => ({ commands: { "try-repo": { operands: ["host"] } } }),
};

/** Makers of web pages: some can put them on another machine by themselves. */
function siteTool(): Spec {
  return {
    takes: {
      "-p --port -H --hostname --host -c --config --mode": "text",
      "-d --destination -o --output --output-path --site-dir": "write",
    },
    also: ({ operands }) => [
      ...operands
        .filter(({ text }) => /^(?:gh-deploy|deploy)$/u.test(known(text) ?? ""))
        .map((at) => asks("network-send", "publishes the pages", at)),
      ...connectsUrls(operands),
    ],
  };
}
