import { describe, expect, it } from "vitest";
import { couldBe, resolvePath, within } from "./paths.ts";
import type { Hole, Text } from "./text.ts";

const any: Hole = { hole: "any", from: "$X" };
const word: Hole = { hole: "word", from: "$W" };
const path: Hole = { hole: "path", from: "$P" };
const project: Text = ["/home/dev/project"];

/** `*`, `?` and `[…]` as a shell would read them. */
function pattern(written: string): Text {
  return written
    .split(/(\*+|\?|\[[^\]]*\])/u)
    .filter((piece) => piece !== "")
    .map((piece) => (/^(?:\*|\?|\[)/u.test(piece) ? { hole: "glob", from: piece } : piece));
}

function resolved(given: Text, cwd: Text = project): Text {
  return resolvePath(given, cwd);
}

describe("resolvePath", () => {
  it.each([
    ["a.txt", "/home/dev/project/a.txt"],
    ["./a/./b//c/", "/home/dev/project/a/b/c"],
    ["../../../etc/motd", "/etc/motd"],
    ["../../../../../..", "/"],
    ["", "/home/dev/project"],
    [".", "/home/dev/project"],
    ["/", "/"],
    ["//", "/"],
    ["//etc//motd", "/etc/motd"],
    ["/tmp/../etc/motd", "/etc/motd"],
    ["/etc/", "/etc"],
    ["/..", "/"],
    ["...", "/home/dev/project/..."],
    ["/proc/self/root/etc/motd", "/etc/motd"],
    ["/proc/self/root", "/"],
    ["/proc/1/root/etc", "/etc"],
    ["/proc/thread-self/root/etc", "/etc"],
    ["/proc/self/task/12/root/etc", "/etc"],
    ["/proc/self/root/proc/self/root/etc", "/etc"],
    ["/tmp/../proc/./self//root/etc", "/etc"],
    ["/proc/self/cwd/a", "/home/dev/project/a"],
    ["/proc/self/cwd/../a", "/home/dev/a"],
    ["/proc/4/cwd/a", "/proc/4/cwd/a"],
    ["/proc/self/fd/1", "/proc/self/fd/1"],
    ["/dev/fd/3", "/dev/fd/3"],
    ["/dev/stdout", "/dev/stdout"],
  ])("makes %j the path %j", (given, expected) => {
    expect(resolved([given])).toEqual([expected]);
  });

  it("keeps what is not known in its place", () => {
    expect([
      resolved(["/etc/", any]),
      resolved(["out-", any, ".txt"]),
      resolved([word, ".txt"]),
      resolved([path, "/a/../b"]),
      resolved(["/", path, "/a"]),
      resolved(["/proc/", any, "/root/etc"]),
      resolved(["x"], [any]),
      resolved([]),
      resolved(["x"], []),
    ]).toEqual([
      ["/etc/", any],
      ["/home/dev/project/out-", any, ".txt"],
      ["/home/dev/project/", word, ".txt"],
      [path, "/b"],
      [path, "/a"],
      ["/etc"],
      [{ hole: "path", from: "$X" }, "/x"],
      ["/home/dev/project"],
      [{ hole: "path", from: "." }, "/x"],
    ]);
  });

  it("does not claim to know where a hole and two dots lead", () => {
    expect([
      resolved([any, "/../etc"]),
      resolved([any]),
      resolved(["/etc/", any, "/../motd"]),
      resolved(["/etc/", any, "/../../motd"]),
      resolved([path, "/../etc"]),
      resolved(["../x"], ["/srv/", word]),
      resolved([...pattern("/e*"), "/../a"]),
    ]).toEqual([
      [{ hole: "any", from: "$X/..", under: project }, "/etc"],
      [{ hole: "any", from: "$X", under: project }],
      [{ hole: "any", from: "/etc/$X/..", under: ["/etc"] }, "/motd"],
      [{ hole: "any", from: "/etc/$X/../..", under: ["/etc"] }, "/motd"],
      [{ hole: "any", from: "$P/.." }, "/etc"],
      [{ hole: "any", from: "/srv/$W/..", under: ["/srv"] }, "/x"],
      ["/a"],
    ]);
  });

  it("takes a pattern apart however it is given", () => {
    expect(resolved([{ hole: "glob", from: "/e?c/[m]\\otd" }])).toEqual([
      ...["/e", { hole: "glob", from: "?" }, "c/", { hole: "glob", from: "[m]" }, "otd"],
    ]);
  });

  it("is done in no time with very long paths", () => {
    const long = Array.from({ length: 5000 }, () => [any, "/../a/"]).flat();
    expect(resolved(long).at(-1)).toBe("/a");
    expect(resolved(["/proc/self/cwd".repeat(4000)], ["/proc/self/cwd/proc/self/cwd"])).toEqual(["/"]);
    expect(resolved(["../".repeat(20_000)])).toEqual(["/"]);
  });
});

describe("within", () => {
  it.each<[Text, string, boolean]>([
    [["/tmp/a"], "/tmp", true],
    [["/tmp"], "/tmp", true],
    [["/tmpx"], "/tmp", false],
    [["/tmp/", any], "/tmp", true],
    [["/tmp/", any, "/../x"], "/tmp", false],
    [["/", any], "/tmp", false],
    [pattern("/tm?/x"), "/tmp", false],
    [[any, "/tmp/x"], "/tmp", false],
    [["/a"], "/", true],
  ])("of %j in %s is %s", (given, folder, expected) => {
    expect(within(resolved(given), folder)).toBe(expected);
  });
});

describe("couldBe", () => {
  it.each<[Text, string, boolean]>([
    [["/etc/motd"], "/etc", true],
    [["/etc"], "/etc", true],
    [["/etcetera"], "/etc", false],
    [["./etc/motd"], "/etc", false],
    [["/ETC/motd"], "/etc", false],
    [pattern("/e??/motd"), "/etc", true],
    [pattern("/[e]tc/motd"), "/etc", true],
    [pattern("/[a-f]tc/motd"), "/etc", true],
    [pattern("/[!a-d]tc/motd"), "/etc", true],
    [pattern("/[!e]tc/motd"), "/etc", false],
    [[{ hole: "glob", from: "/[[:alpha:]]tc/motd" }], "/etc", true],
    [[{ hole: "glob", from: "/et?\\*" }], "/etc", false],
    [[{ hole: "glob", from: "/e*\\c" }], "/etc", true],
    [[{ hole: "glob", from: "/et?\\" }], "/etc", false],
    [[{ hole: "glob", from: `/${"?".repeat(255)}` }], "/etc", false],
    // Longer than any name: not looked into.
    [[{ hole: "glob", from: `/${"?".repeat(256)}` }], "/etc", true],
    [pattern("/*/motd"), "/etc", true],
    [pattern("/*tc/motd"), "/etc", true],
    [pattern("/*c*/motd"), "/etc", true],
    [pattern("/*"), "/etc", true],
    [pattern("/t*/motd"), "/etc", false],
    [pattern("/e?/motd"), "/etc", false],
    [[{ hole: "glob", from: "/@(etc|usr)/motd" }], "/etc", true],
    [["/", { hole: "glob", from: "@(etc|usr)" }, "/motd"], "/etc", true],
    [pattern("*.log"), "/etc", false],
    [pattern(".*/.*/.*/etc/motd"), "/etc", true],
    [["/etc/", any], "/etc", true],
    [["/e", any], "/etc", true],
    [["/", any], "/etc", true],
    [["/", any, "/motd"], "/etc", true],
    [["/home/dev/", any], "/etc", false],
    [["/home/dev/", any, "/../x"], "/etc", false],
    [["/home/dev/", any, "/../../etc/motd"], "/etc", true],
    [["/etc/", any, "/../motd"], "/etc", true],
    [["/etc/", any, "/../../motd"], "/etc", true],
    [[any], "/etc", false],
    [[any, "/etc/motd"], "/etc", true],
    [[any, "/../etc/motd"], "/etc", true],
    [[any, "/src/a"], "/etc", false],
    [[any, ...pattern("/*.ts")], "/etc", false],
    [[any, ...pattern("/*")], "/etc", false],
    [[any, ...pattern("/e??/motd")], "/etc", true],
    [[path, "/etc/motd"], "/etc", false],
    [[path, "/../etc/motd"], "/etc", true],
    [[word, "/etc/motd"], "/etc", false],
    [["/proc/", any, "/root/etc/motd"], "/etc", true],
    [["/home/dev/", any], "/home/dev/.assent", false],
    [["/home/dev/.a", any], "/home/dev/.assent", true],
    [["/home/", any, "/.assent/x"], "/home/dev/.assent", true],
    [["/home/dev/", word, "/../.assent/x"], "/home/dev/.assent", true],
    [pattern("/home/dev/*"), "/home/dev/.assent", false],
    [pattern("/home/dev/.*"), "/home/dev/.assent", true],
    [pattern("/home/dev/?assent/x"), "/home/dev/.assent", false],
    [["/home/dev"], "/home/dev/.assent", false],
  ])("of %j in %s is %s", (given, folder, expected) => {
    expect(couldBe(resolved(given), folder)).toBe(expected);
  });

  it("counts the folder one is in for what may be relative", () => {
    expect([
      couldBe(resolved([any], ["/etc"]), "/etc"),
      couldBe(resolved([any, "/x"], ["/etc/nginx"]), "/etc"),
      couldBe(resolved([word, ".conf"], ["/etc"]), "/etc"),
      couldBe(resolved(pattern("*.conf"), ["/etc"]), "/etc"),
      couldBe(resolved(["x"], resolved([any], ["/etc"])), "/etc"),
      couldBe(resolved(["etc/x"], [any]), "/etc"),
      couldBe(resolved(["../etc/x"], [any]), "/etc"),
    ]).toEqual([true, true, true, true, true, false, true]);
  });

  it.each<[string, string, boolean]>([
    ["/ETC/motd", "/etc", true],
    ["/private/etc/motd", "/etc", true],
    ["/Private/Etc/motd", "/etc", true],
    ["/etc/motd", "/private/etc", true],
    ["/private/var/folders/a", "/var/folders", true],
    ["/private/x/etc", "/etc", false],
    ["/Volumes/Macintosh HD/etc/motd", "/etc", true],
    ["/Volumes/usb/etc/motd", "/etc", false],
    ["/u\u017fr/bin", "/usr", true],
    ["/Users/Dev/.ASSENT/x", "/Users/dev/.assent", true],
  ])("of %s in %s on a Mac is %s", (given, folder, expected) => {
    expect(couldBe(resolved([given]), folder, "darwin")).toBe(expected);
  });
});
