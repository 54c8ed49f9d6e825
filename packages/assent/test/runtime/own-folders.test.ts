import { createRequire, syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { openMachineIntegrations } from "../../src/cli/integrating.ts";
import { explainText } from "../../src/cli/policy.ts";
import { openTools } from "../../src/library/home.ts";
import { openMachinePolicy } from "../../src/runtime/index.ts";
import { ownFolders } from "../../src/runtime/own-folders.ts";

const os = createRequire(import.meta.url)("node:os");

/** What the system says of the user; where that is nothing, Node throws. */
function system({ home, known }: { readonly home: string | null; readonly known: string | null }): void {
  const answer = (place: string | null) => {
    if (place === null) throw new Error("ENOENT");
    return place;
  };
  vi.spyOn(os, "homedir").mockImplementation(() => answer(home));
  vi.spyOn(os, "userInfo").mockImplementation(() => ({ homedir: answer(known) }));
  syncBuiltinESMExports();
}

const [data, cache] = ["/srv/assent", "/srv/cache"];
const own = [data, join(cache, "assent")];
const usual = (home: string) => [join(home, ".local/share/assent"), join(home, ".cache/assent")];

describe("the folders of a user", () => {
  beforeEach(() => {
    vi.stubEnv("ASSENT_HOME", data);
    vi.stubEnv("XDG_CACHE_HOME", cache);
    return () => {
      vi.unstubAllEnvs();
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    };
  });

  test("whom the system does not know are those that variables name", async () => {
    system({ home: null, known: null });
    expect(ownFolders()).toEqual(own);
    expect(openTools().length).toBeGreaterThan(0);
    const policy = await openMachinePolicy();
    expect(policy).toMatchObject({ home: null });
    expect(openMachineIntegrations().values()).toEqual([]);
    expect(await explainText("echo ~/x", "/srv")).toContain("allow");
  });

  test("are in each home that is known, where the other is not", () => {
    system({ home: "/home/told", known: null });
    expect(ownFolders()).toEqual([...own, ...usual("/home/told")]);
    system({ home: null, known: "/home/known" });
    expect(ownFolders()).toEqual([...own, ...usual("/home/known")]);
  });

  test("are in no home that is told by a relative path", () => {
    system({ home: "told", known: null });
    expect(ownFolders()).toEqual(own);
    system({ home: "told", known: "/home/known" });
    expect(ownFolders()).toEqual([...own, ...usual("/home/known")]);
  });
});
