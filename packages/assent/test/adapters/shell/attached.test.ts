import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { attachable, attachFiles } from "../../../src/adapters/shell/attached.ts";
import { verifies } from "../../requirements/verifies.ts";

let folder = "";
const attach = (text: string) =>
  attachFiles(text, {
    cwd: folder,
    whyNotAttached: async (path) => (path.endsWith("/.env") ? "it holds secrets" : null),
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
  });
  expect(await attach('@"two words.txt"')).toEqual({
    text: '@"two words.txt"\n\nFile two words.txt:\n```\nboth\n```',
  });
  expect(await attach("see @marks.md and @marks.md")).toEqual({
    text: "see @marks.md and @marks.md\n\nFile marks.md:\n````\n```\ncode\n```\n````",
  });
});

test("what names no file is left as it is", async () => {
  for (const text of ["mail ada@marks.md", "@nobody said so", "@", "a @/nowhere/at/all"]) {
    expect(await attach(text)).toEqual({ text });
  }
});

test("what cannot be sent is told with its name, and nothing is sent", async () => {
  expect(await attach("@src")).toEqual({ problem: "@src: only a file can be attached, and it is none" });
  expect(await attach("@image.bin")).toEqual({ problem: "@image.bin: it is no text" });
  expect(await attach("@large")).toEqual({
    problem: "@large: 1048577 bytes, at most 1048576 can be attached",
  });
});

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
