import { describe, expect, it } from "vitest";
import { shown } from "../text.ts";
import { inFolder, lastPart, starts, urls, without } from "./arguments.ts";
import { isIn } from "./calls.ts";
import { argument, hole } from "./given.fixture.ts";

describe("words read by hand", () => {
  it.each([
    ["a", "a"],
    ["/etc/motd", "motd"],
    ["src/", "src"],
    ["..", ".."],
  ])("end with their last part: %s", (path, last) => {
    expect(shown(lastPart(argument(path).text))).toBe(last);
  });

  it("keep what is not known in their last part", () => {
    const name = hole("$name").text;
    expect(shown(lastPart(["a/b", ...name]))).toBe("b$name");
    expect(shown(lastPart([...name, "/b"]))).toBe("b");
    expect(shown(lastPart(["a/", ...name, "/"]))).toBe("$name");
  });

  it("go into a folder with or without a slash", () => {
    const places = ["dir", "dir/"].map((folder) => shown(inFolder(argument(folder), argument("x/y")).text));
    expect(places).toEqual(["dir/y", "dir/y"]);
  });

  it("are compared only as far as they are known", () => {
    expect([starts(argument("-TT"), "-x -T"), starts(hole("$x"), "-T"), starts(undefined, "-T")]).toEqual([
      true,
      false,
      false,
    ]);
    expect([isIn(argument("x"), "x e"), isIn(hole("$x"), "x e")]).toEqual([true, false]);
  });

  it("lose their beginning, and only URLs are hosts", () => {
    expect(shown(without(argument("of=x"), 3).text)).toBe("x");
    expect(urls([argument("a.txt"), argument("https://example.com")])).toEqual([
      { does: "connect", host: argument("https://example.com") },
    ]);
  });
});
