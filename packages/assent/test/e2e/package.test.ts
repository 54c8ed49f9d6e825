// The package as it would be published: what is in it, and whether it works for whoever installs it.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { entryPoints } from "../../scripts/api/page.ts";
import { inAscii } from "../../scripts/bundle.ts";
import { examples, programsInDocs } from "../docs/programs.ts";
import { verifies } from "../requirements/verifies.ts";
import { Packed, repository } from "./packed.ts";

vi.setConfig({ testTimeout: 120_000 });

/** What it may weigh: packed, and on the disk of whoever installs it. */
const most = { packed: 1_600_000, unpacked: 5_600_000 };
const golden = join(import.meta.dirname, "..", "fixtures", "package-files.txt");

let packed: Packed;
beforeAll(() => {
  packed = new Packed();
}, 180_000);
afterAll(() => packed.remove());

function content(file: string): string {
  return readFileSync(join(packed.installed, file), "utf8");
}

describe("what is in it", () => {
  verifies("LIB-1f", "is what is expected, and nothing else", () => {
    // The names of chunks and of the page's files change with what is in them.
    const plain = packed.files.map((file) => file.replace(/-[\w-]{8}(?=\.(?:js|css)$)/, "-*"));
    const told = `${[...new Set(plain)].sort().join("\n")}\n`;
    if (process.env["GOLDEN"]) writeFileSync(golden, told);
    expect(told, "GOLDEN=1 npx vitest run e2e/package writes test/fixtures/package-files.txt anew").toBe(
      readFileSync(golden, "utf8"),
    );
  });

  verifies("LIB-1f", "weighs no more than it may", () => {
    const unpacked = packed.files.reduce((sum, file) => sum + statSync(join(packed.installed, file)).size, 0);
    expect(statSync(packed.tarball).size).toBeLessThan(most.packed);
    expect(unpacked).toBeLessThan(most.unpacked);
  });

  test("has the command in ASCII, of which a process keeps a byte for a character; its patterns mean what they meant", () => {
    expect(content("dist/cli.cjs")).not.toMatch(/[^\0-\x7f]/);
    for (const pattern of [/^[“»]+\p{L}：$/u, /^[\p{Ps}--[„‚]]＄|\u{1f600}|😀$/v, /['’](?![\wÀ-ɏЀ-ӿ])/]) {
      const escaped = inAscii(pattern.source);
      expect(escaped).not.toMatch(/[^\0-\x7f]/);
      const same = new RegExp(escaped, pattern.flags);
      for (const text of ["“»x：", "»：", "(＄", "„＄", "😀", "\ud83d", "don’t", "’À", "’ "]) {
        expect([pattern, text, same.test(text)]).toEqual([pattern, text, pattern.test(text)]);
      }
    }
  });

  test("would not be made where a letter behind a backslash would come to mean something else", () => {
    expect(() => inAscii(String.raw`a = /[\s\‘x]/`)).toThrow(String.raw`right behind a backslash, came: a = /[\s\‘x]/`);
    expect(inAscii(String.raw`a = /[\s‘x]/`)).toBe(String.raw`a = /[\s\u2018x]/`);
  });

  test("names no place of the machine that made it, and no source map", () => {
    const places = [repository, packed.top, ...(homedir().length > 1 ? [`${homedir()}/`] : []), "sourceMappingURL"];
    const found = packed.files.flatMap((file) =>
      places.filter((place) => content(file).includes(place)).map((place) => [file, place]),
    );
    expect(found).toEqual([]);
  });

  test("has the licence, and those of all that is bundled", () => {
    expect(content("LICENSE")).toBe(readFileSync(join(repository, "LICENSE"), "utf8"));
    const named = [...content("dist/THIRD-PARTY.txt").matchAll(/^=== (\S+) \S+ \((\S+)\)$/gm)].map(([, name]) => name);
    const bundled = Object.keys({ ...manifest.devDependencies, ...manifest.dependencies });
    const left = ["@modelcontextprotocol/client"];
    expect(named).toEqual(expect.arrayContaining([...bundled.filter((name) => !left.includes(name)), "preact"]));
    const silent = content("dist/THIRD-PARTY.txt")
      .split("\n=== ")
      .filter((part) => !/copyright/i.test(part));
    expect(silent.slice(1)).toEqual([]);
  });

  test("imports what it depends on, and nothing that it does not", () => {
    const named = packed.files
      .filter((file) => /^dist\/(?!web\/).*\.(?:js|cjs|d\.ts)$/.test(file))
      .flatMap((file) => [...content(file).matchAll(/(?:\bfrom|\bimport\(|\brequire\(|^import) ?"([@\w][\w@/.-]*)"/gm)])
      .map(([, specifier = ""]) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? "");
    const depended = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
    const builtin = new Set(createRequire(import.meta.url)("node:module").builtinModules);
    expect([...new Set(named)].filter((name) => !builtin.has(name)).sort()).toEqual(depended.sort());
  });
});

describe("whoever installs it", () => {
  verifies("LIB-1f", "finds nothing that publint would complain of", () => {
    expect(packed.tool("publint", ["run", packed.tarball, "--strict"])).toMatchObject({
      status: 0,
      said: expect.stringContaining("All good!"),
    });
  });

  verifies("LIB-1f", "finds types for every path, in all ways that ES modules are resolved", () => {
    // The vectors are lines of JSON, which no resolution of types knows.
    const ways = ["--profile", "esm-only", "--exclude-entrypoints", "vectors/replies.jsonl"];
    const { status, said } = packed.tool("attw", [packed.tarball, ...ways, "--format", "json"]);
    expect({ status, said: status === 0 ? "" : said }).toEqual({ status: 0, said: "" });
  });

  verifies("LIB-1f", "can have all of its types checked, with the types of Node or without", () => {
    const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
    const imports = entryPoints.map(
      ({ path }, index) => `import * as all${index} from "${path}";\nexport { all${index} };`,
    );
    writeFileSync(join(packed.project, "all.ts"), imports.join("\n"));
    for (const [module, moduleResolution] of [
      ["nodenext", "nodenext"],
      ["esnext", "bundler"],
    ] as const) {
      const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true, types: [] };
      const lib = ["es2024", "dom", "dom.asynciterable", "esnext.disposable"];
      const compilerOptions = { ...strict, lib, target: "es2024", module, moduleResolution };
      const file = join(packed.project, `${module}.json`);
      writeFileSync(file, JSON.stringify({ compilerOptions, files: ["all.ts"] }));
      expect(packed.run([tsc, "--project", file])).toEqual({ status: 0, stdout: "", stderr: "" });
    }
  });

  test("loads no more than the path needs that they import", () => {
    const hook = join(packed.project, "hook.mjs");
    writeFileSync(
      hook,
      `import { registerHooks } from "node:module";
       const found = [];
       registerHooks({ resolve(name, context, next) { const all = next(name, context); found.push(all.url); return all; } });
       process.on("exit", () => console.log(found.map((url) => url.split("/dist/").at(-1)).join(" ")));`,
    );
    const loaded = (path: string): readonly string[] => {
      const { stdout } = packed.run([
        "--import",
        `file://${hook}`,
        "--input-type=module",
        "--eval",
        `import "${path}";`,
      ]);
      const names = stdout
        .trim()
        .split(" ")
        .filter((name) => /^node:|\.js$/.test(name));
      return [...new Set(names.map((name) => name.replace(/-\w{8}(?=\.js$)/, "")))].sort();
    };
    expect(loaded("assent/interaction")).toEqual(["interaction.js"]);
    expect(loaded("assent/policy")).toEqual(["policy.js"]);
    expect(loaded("assent/client")).toEqual(["chunks/chunk.js", "client.js"]);
    expect(loaded("assent").filter((name) => !name.startsWith("chunks/chunk"))).toEqual([
      ...["index.js", "node:fs", "node:os", "node:path", "node:sqlite"],
    ]);
  });

  describe.each(examples)("runs the example $name", ({ name, input, prints }) => {
    test("as it stands", () => {
      cpSync(join(repository, "examples", name), join(packed.project, name), { recursive: true });
      const { status, stdout, stderr } = packed.run([join(name, "main.ts")], { input });
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      expect(stdout).toMatch(prints);
    });
  });

  test("reads a README whose programs run", () => {
    const programs = programsInDocs().filter(({ name }) => name.startsWith("packages/assent/README.md"));
    expect(programs).toHaveLength(2);
    for (const { text, printed } of programs) {
      const ran = packed.run(["--input-type=module-typescript", "-"], { input: text });
      expect(ran).toEqual({ status: 0, stdout: printed, stderr: "" });
    }
  });
});

describe("the command in it", () => {
  const oldNode = nodeOlderThan(24);
  const needsOld = oldNode === undefined ? " (skipped: no Node older than 24 on the PATH)" : "";

  test("runs, with the page and the demo that it brings", () => {
    const bin = join(packed.installed, manifest.bin.assent);
    expect(packed.run([bin, "--version"])).toEqual({ status: 0, stdout: `${manifest.version}\n`, stderr: "" });
    const { status, stdout } = packed.run([bin, "demo", "--unattended=park"]);
    expect({ status, kind: JSON.parse(stdout).kind }).toEqual({ status: 4, kind: "confirmation" });
    expect(existsSync(join(packed.installed, "dist", "web", "index.html"))).toBe(true);
  });

  test.skipIf(oldNode === undefined)(`says to an old Node what to put beside it, and then uses that${needsOld}`, () => {
    const bin = join(packed.installed, manifest.bin.assent);
    const alone = packed.run([bin, "--version"], { node: oldNode ?? "" });
    expect(alone).toMatchObject({ status: 2, stdout: "" });
    const wanted = /put one beside it: npm install (\S+)@26\.\n$/.exec(alone.stderr)?.[1] ?? "";
    packed.link(wanted);
    expect(packed.run([bin, "--version"], { node: oldNode ?? "" })).toEqual({
      ...{ status: 0, stdout: `${manifest.version}\n`, stderr: "" },
    });
  });
});

/** A Node of this machine, not of the installed packages, with a lower major version. */
function nodeOlderThan(major: number): string | undefined {
  const { PATH = "" } = process.env;
  return [...PATH.split(delimiter), "/usr/bin", "/usr/local/bin"]
    .filter((folder) => !folder.includes("node_modules"))
    .map((folder) => join(folder, "node"))
    .filter((file) => existsSync(file))
    .find((file) => Number.parseInt(execFileSync(file, ["--version"], { encoding: "utf8" }).slice(1), 10) < major);
}
