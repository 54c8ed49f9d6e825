import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Declarations, type Surface } from "../../scripts/api/surface.ts";

/** What `index.d.ts` among these files exports. */
function surfaceOf(files: Readonly<Record<string, string>>): Surface {
  const folder = mkdtempSync(join(tmpdir(), "assent-surface-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return new Declarations().surface(join(folder, "index.d.ts"));
}

/** The types that an export names, and the files that they are declared in. */
function mentionsOf(surface: Surface, name: string): Readonly<Record<string, string>> {
  const mentions = [...(surface.get(name)?.mentions ?? [])];
  return Object.fromEntries(mentions.map(([type, origin]) => [type, origin.split("/").at(-1) ?? ""]));
}

test("what is exported again is found where it is declared, by the name that importers use", () => {
  const surface = surfaceOf({
    "index.d.ts": 'export * from "./a.ts";\nexport { inner as shown } from "./b/index.ts";\n',
    "a.d.ts": "/** Says a. */\nexport declare const a: string;\n",
    "b/index.d.ts": 'import { deep } from "./deep.ts";\nexport { deep as inner };\n',
    "b/deep.d.ts": "/**\n * Says deep,\n * in two lines.\n */\nexport declare function deep(): void;\n",
  });
  const told = [...surface].map(([name, { kind, doc }]) => [name, kind, doc]);
  expect(told).toEqual([
    ["a", "const", "Says a."],
    ["shown", "function", "Says deep,\nin two lines."],
  ]);
});

test("an export without a doc comment of its own has none, whatever stands near it", () => {
  const surface = surfaceOf({
    "index.d.ts":
      "/** Of a. */\nexport type a = 1;\nexport type b = 2;\n// Of c.\nexport type c = 3;\n/* Of d. */\nexport type d = 4;\n",
  });
  expect([...surface].map(([name, { doc }]) => [name, doc])).toEqual([
    ["a", "Of a."],
    ["b", ""],
    ["c", ""],
    ["d", ""],
  ]);
});

test("a type that is named is told with where it is, also one that no file exports", () => {
  const surface = surfaceOf({
    "index.d.ts": `import type { Far } from "./far.ts";
      import type { Other } from "elsewhere";
      type Hidden = 1;
      export type A<T extends Hidden> = { readonly [K in keyof T]: Far.Part | Promise<Other> | T };
      export declare class B extends C implements I { f(x: typeof a): void; }
      declare class C {}
      interface I {}
      export declare const a: A<1>;`,
    "far.d.ts": "export type Far = 2;\n",
  });
  expect(mentionsOf(surface, "A")).toEqual({ Hidden: "index.d.ts#Hidden", Far: "far.d.ts#Far" });
  expect(mentionsOf(surface, "B")).toEqual({ C: "index.d.ts#C", I: "index.d.ts#I" });
  expect(mentionsOf(surface, "a")).toEqual({ A: "index.d.ts#A" });
});
