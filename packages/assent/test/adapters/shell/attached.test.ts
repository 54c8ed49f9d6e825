import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { attachable, attachFiles } from "../../../src/adapters/shell/attached.ts";
import { verifies } from "../../requirements/verifies.ts";

let folder = "";
const attach = (text: string, unfit: "refused" | "told" = "refused") =>
  attachFiles(text, {
    cwd: folder,
    whyNotAttached: async (path) => (path.endsWith("/.env") ? "it holds secrets" : null),
    unfit,
  });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "assent-attached-"));
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src", "a.ts"), "let a = 1;\n");
  writeFileSync(join(folder, "marks.md"), "```\ncode\n```");
  writeFileSync(join(folder, "two words.txt"), "both");
  writeFileSync(join(folder, "image.bin"), Buffer.from([1, 0, 2]));
  writeFileSync(join(folder, "large"), "x".repeat(1024 * 1024 + 1));
});
afterAll(() => rmSync(folder, { recursive: true }));

verifies("SEL-11g", "a file that is named with @ goes with the prompt, whole and fenced", async () => {
  expect(await attach("why @src/a.ts?")).toEqual({
    text: "why @src/a.ts?\n\nFile src/a.ts:\n```\nlet a = 1;\n```",
    missed: [],
  });
  expect(await attach('@"two words.txt"')).toEqual({
    text: '@"two words.txt"\n\nFile two words.txt:\n```\nboth\n```',
    missed: [],
  });
  expect(await attach("see @marks.md and @marks.md")).toEqual({
    text: "see @marks.md and @marks.md\n\nFile marks.md:\n````\n```\ncode\n```\n````",
    missed: [],
  });
});

const asIs = "no such file; the text goes as it is";

verifies("SEL-11g", "what looks like a path and names no file is told, and the text goes as it is", async () => {
  const paths = [
    ...["/nowhere/at/all", "./mine", "../mine.ts", "~/nowhere", "src/b", "src/new/", "scr/b.ts", "two/parts/c.py"],
    ...["README.md", "docs/guide.mdx", "Main.java", "a.test.tsx", ".gitignore", "src/.env.local", "Über.md"],
  ];
  for (const path of paths) {
    for (const text of [`see @${path}`, `@${path}, please`, `(1)\n@${path}?!`, `see @"${path}"`]) {
      expect(await attach(text)).toEqual({ text, missed: [expect.stringContaining(`@${path}: ${asIs}`)] });
    }
  }
  const two = await attach("@src/a.ts and @b.md and @c.md, @b.md");
  expect(two).toMatchObject({ missed: [`@b.md: ${asIs}`, `@c.md: ${asIs}`] });
  expect(two).toMatchObject({
    text: expect.stringMatching(/^@src\/a\.ts and @b\.md and @c\.md, @b\.md\n\nFile src\/a\.ts:/),
  });
});

verifies("SEL-11g", "with the name that was meant, where one is near", async () => {
  for (const [typed, meant] of [
    ["@mraks.md", "@marks.md"],
    ["@src/b.ts", "@src/a.ts"],
    ['@"two wrods.txt"', "@two words.txt"],
  ]) {
    expect(await attach(`see ${typed}`)).toMatchObject({
      missed: [expect.stringMatching(`; did you mean ${meant}\\?$`)],
    });
  }
});

test("what names no file and looks like no path is left as it is", async () => {
  const others = [
    ...[
      "mail ada@marks.md",
      "ada@example.com",
      "everyone @example.com",
      "@nobody said so",
      "@john.doe",
      "@",
      "@@ -1,3 +1,4 @@",
    ],
    ...["@babel/core", "@types/node@22.1.0", "@types/chart.js", "@scope/package/sub", "@org/team", "@latest", "@1.2.3"],
    ...["@Injectable()", "@app.route('/x')", "@pytest.mark.skip", "@param name", "@media (max-width: 10px)", "@..."],
    ...[
      'x = @"hello there"',
      "git@github.com:a/b.git",
      `@${"a/".repeat(3_000)}b.ts`,
      `@${".".repeat(120_000)}a`,
      "@a\0b",
    ],
  ];
  for (const text of others) expect(await attach(text)).toEqual({ text, missed: [] });
});

test("what cannot be sent is told with its name, and nothing is sent", async () => {
  expect(await attach("@src")).toEqual({ problem: "@src: only a file can be attached, and it is none" });
  expect(await attach("@image.bin")).toEqual({ problem: "@image.bin: it is no text" });
  expect(await attach("@large")).toEqual({
    problem: "@large: 1048577 bytes, at most 1048576 can be attached in all",
  });
  writeFileSync(join(folder, "half"), "x".repeat(600 * 1024));
  writeFileSync(join(folder, "other-half"), "x".repeat(600 * 1024));
  expect(await attach("@half and @other-half")).toEqual({
    problem: "@other-half: 614400 bytes, at most 1048576 can be attached in all",
  });
  for (const name of ["half", "other-half"]) rmSync(join(folder, name));
});

test("where nobody has just typed it, what cannot be sent is told and the text goes as it is, but for what must not be sent", async () => {
  const text = "add a @src annotation to @image.bin as in @marks.md";
  expect(await attach(text, "told")).toEqual({
    text: `${text}\n\nFile marks.md:\n\`\`\`\`\n\`\`\`\ncode\n\`\`\`\n\`\`\`\``,
    missed: [
      "@src: only a file can be attached, and it is none; the text goes as it is",
      "@image.bin: it is no text; the text goes as it is",
    ],
  });
  writeFileSync(join(folder, ".env"), "KEY=1");
  expect(await attach("see @.env", "told")).toEqual({ problem: expect.stringContaining("it holds secrets") });
  rmSync(join(folder, ".env"));
});

test.skipIf(process.platform !== "linux")(
  "the system's own files and pipes hold up nobody, and are no longer than others",
  async () => {
    expect(await attach("@/proc/self/mountinfo")).toMatchObject({ text: expect.stringContaining("File /proc/self") });
    execFileSync("mkfifo", [join(folder, "pipe")]);
    expect(await attach("@pipe")).toEqual({ problem: "@pipe: only a file can be attached, and it is none" });
    rmSync(join(folder, "pipe"));
    const endless = await attach("@/proc/kallsyms");
    expect("text" in endless ? endless.text.length : 0).toBeLessThan(1024 * 1024 + 200);
  },
);

verifies("SEL-11h", "names are completed folder by folder, hidden ones only when asked for", () => {
  writeFileSync(join(folder, ".hidden"), "");
  expect(attachable("", folder)).toEqual(["image.bin", "large", "marks.md", "src/", "two words.txt"]);
  expect(attachable("src/", folder)).toEqual(["src/a.ts"]);
  expect(attachable(".h", folder)).toEqual([".hidden"]);
  expect(attachable("nowhere/", folder)).toEqual([]);
});

verifies("APPR-11", "what usually holds secrets is not sent along because a prompt names it", async () => {
  writeFileSync(join(folder, ".env"), "KEY=1");
  expect(await attach("see @.env")).toEqual({
    problem: "@.env: it holds secrets; it is not sent along, copy what is needed",
  });
});
