import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { whyNotAttached, withFiles } from "../../src/cli/attaching.ts";
import { stderr } from "../../src/cli/output.ts";
import { verifies } from "../requirements/verifies.ts";

verifies(
  ["APPR-10c", "APPR-11"],
  "neither secrets nor what is Assent's own is attached, also behind a link",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "assent-attaching-"));
    onTestFinished(() => {
      vi.unstubAllEnvs();
      rmSync(folder, { recursive: true });
    });
    mkdirSync(join(folder, "real"));
    symlinkSync(join(folder, "real"), join(folder, "home"));
    vi.stubEnv("ASSENT_HOME", join(folder, "home"));
    for (const name of ["notes.md", ".env", "real/journal.db"]) writeFileSync(join(folder, name), "x");
    expect(await whyNotAttached(join(folder, "notes.md"), folder)).toBeNull();
    expect(await whyNotAttached(join(folder, ".env"), folder)).toContain("secrets");
    expect(await whyNotAttached(join(folder, "real", "journal.db"), folder)).toContain("Assent");
    expect(await whyNotAttached(join(folder, "home", "journal.db"), folder)).toContain("Assent");
  },
);

test("what names no file is told in one line, whatever the file is called that may have been meant", async () => {
  const folder = mkdtempSync(join(tmpdir(), "assent-attaching-"));
  const write = vi.spyOn(stderr, "write").mockReturnValue(true);
  onTestFinished(() => {
    write.mockRestore();
    rmSync(folder, { recursive: true });
  });
  writeFileSync(join(folder, "notes.m\nd"), "x");
  expect(await withFiles("read @./notes.md", folder)).toBe("read @./notes.md");
  expect(write.mock.calls).toEqual([
    [expect.stringMatching(/^assent: @\.\/notes\.md: no such file; .*@\.\/notes\.m.+d\?\n$/)],
  ]);
});
