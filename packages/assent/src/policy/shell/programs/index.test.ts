import { beforeEach, expect, test, vi } from "vitest";

type Watched = { readonly names: string; readonly times: () => number };

/** The folder as in a process that has just begun, with every entry of every family watched. */
async function begun() {
  const { families } = await import("./families.ts");
  const watched = families.flatMap((family) =>
    Object.keys(family).map((names): Watched => {
      const entry = vi.spyOn(family, names);
      return { names, times: () => entry.mock.calls.length };
    }),
  );
  const described = () =>
    Object.fromEntries(watched.filter(({ times }) => times() > 0).map(({ names, times }) => [names, times()]));
  return { families, described };
}

beforeEach(() => {
  vi.resetModules();
});

test("a program is described when a command first names it, once for all its names, and no other is with it", async () => {
  const { described } = await begun();
  const { openPolicy } = await import("../../policy.ts");
  const policy = openPolicy({ platform: "linux", home: "/home/ada", own: [] });
  expect(described()).toEqual({});
  for (const command of ["tar -tf a.tar", "gtar -tf b.tar", "no-such-program", "star -tf c.tar"]) {
    policy.judge({ tool: "terminal", cwd: "/home/ada/shop", command });
  }
  expect(described()).toEqual({ "tar gtar star": 1 });
});

test("a family has every name once", async () => {
  const { families } = await begun();
  const twice = families.flatMap((family) => {
    const names = Object.keys(family).flatMap((each) => each.split(" "));
    return names.filter((name, index) => names.indexOf(name) !== index);
  });
  expect(twice).toEqual([]);
});

test("few names are searched for and many are looked up, and both find the entry of the last family that has the name", async () => {
  const { families } = await begun();
  const { describerOf } = await import("./lookup.ts");
  const last = new Map(
    families
      .flatMap((family) => Object.entries(family))
      .flatMap(([names, entry]) => names.split(" ").map((name) => [name, entry] as const)),
  );
  const few = [
    "",
    "tar gtar",
    "ta",
    "ar\n",
    "no-such-program",
    "constructor",
    "ar",
    "[",
    "tar",
    "star",
    "vagrant",
    "git",
  ];
  const wrong = [...few, ...last.keys(), ...few].filter((name) => describerOf(name) !== last.get(name));
  expect(wrong).toEqual([]);
});
