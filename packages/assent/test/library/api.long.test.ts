import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { apiPage, entryPoints } from "../../scripts/api/page.ts";
import type { Surface } from "../../scripts/api/surface.ts";
import { apiFolder, readSurfaces } from "../../scripts/api-pages.ts";
import { examples, programsInDocs, repository } from "../docs/programs.ts";
import { verifies } from "../requirements/verifies.ts";

const source = join(import.meta.dirname, "..", "..", "src");
let surfaces: ReadonlyMap<string, Surface>;
beforeAll(() => {
  surfaces = readSurfaces();
}, 60_000);

function surfaceOf(path: string): Surface {
  return surfaces.get(path) ?? new Map();
}

test("every path of the package that has types has a page", () => {
  const typed = Object.entries(manifest.exports).filter(([, target]) => typeof target === "object");
  expect(entryPoints.map(({ path, file }) => [path, `./dist/${file}`])).toEqual(
    typed.map(([path, target]) => [path.replace(".", manifest.name), typeof target === "object" ? target.types : ""]),
  );
});

/** What the programs that the tests run, in documents and as examples, import from a path. */
function importedFrom(path: string): ReadonlySet<string> {
  const found = examples.map(({ name }) => readFileSync(join(repository, "examples", name, "main.ts"), "utf8"));
  const programs = [...found, ...programsInDocs().map(({ text }) => text)];
  const imports = programs.flatMap((text) => [...text.matchAll(/^import \{([^}]*)\} from "([^"]+)"/gm)]);
  const names = imports.flatMap(([, named = "", from]) => (from === path ? named.split(",") : []));
  return new Set(names.map((name) => name.trim()));
}

// Of the contract the programs show what it is for; what each of its many functions does is told with it.
const shownWhole = entryPoints.filter(({ path }) => path !== "assent/interaction");
describe.each(shownWhole)("every function and value of $path", ({ path }) => {
  verifies("LIB-1d", "is used by a program that the tests run", () => {
    const imported = importedFrom(path);
    const values = [...surfaceOf(path)].filter(([, { kind }]) => kind !== "type").map(([name]) => name);
    expect(values.filter((name) => !imported.has(name))).toEqual([]);
    expect(imported.size).toBeGreaterThan(0);
  });
});

describe.each(entryPoints)("$path", (entry) => {
  const { path, page } = entry;
  verifies("LIB-1d", `every export of ${path} says what it is`, () => {
    const silent = [...surfaceOf(path)].filter(([, { doc }]) => doc === "").map(([name]) => name);
    expect(silent, "expected a doc comment before each of them").toEqual([]);
  });

  verifies("LIB-1d", `no export of ${path} names a type that cannot be imported`, () => {
    const known = new Set([...surfaces.values()].flatMap((each) => [...each.values()].map(({ origin }) => origin)));
    const hidden = [...surfaceOf(path)].flatMap(([name, { mentions }]) =>
      [...mentions].filter(([, origin]) => !known.has(origin)).map(([mentioned]) => `${name} names ${mentioned}`),
    );
    expect(hidden).toEqual([]);
  });

  verifies("LIB-1d", `what ${path} exports stands in docs/api/${page}, as it is now`, () => {
    expect(readFileSync(join(apiFolder, page), "utf8"), "npm run api-pages makes it anew").toBe(
      apiPage(entry, surfaceOf(path)),
    );
  });

  test("what is loaded are the values among these, and no others", async () => {
    const loaded = await import(join(source, entry.file.replace(".d.ts", ".ts")));
    const values = [...surfaceOf(path)].filter(([, { kind }]) => kind !== "type").map(([name]) => name);
    expect(Object.keys(loaded).sort()).toEqual([...values].sort());
  });
});
