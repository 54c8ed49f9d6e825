import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { contextOf } from "../../src/cli/context.ts";
import { verifies } from "../requirements/verifies.ts";

/** Its context, with the parts that differ from day to day made equal. */
function contextIn(instructions: string | null): { readonly cwd: string; readonly text: string } {
  const cwd = mkdtempSync(join(tmpdir(), "assent-context-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  if (instructions !== null) writeFileSync(join(cwd, "AGENTS.md"), instructions);
  const text = contextOf({ session: "s1", cwd, terminal: { state: "never" }, seen: [] }, "sentry (passed)");
  return { cwd, text: text.replace(/\d{4}-\d\d-\d\d/, "<date>") };
}

verifies("SEL-6a", "the context tells the facts of the place, and what the project says to agents", () => {
  const { cwd, text } = contextIn("Use tabs.\n\nNever push.\n");
  const facts = `cwd: ${cwd}\nplatform: ${process.platform}\ndate: <date>\nintegrations: sentry (passed)`;
  expect(text).toBe(`${facts}\nAGENTS.md of this project:\nUse tabs.\n\nNever push.`);
  const plain = contextIn(null);
  expect(plain.text.split("\n")).toHaveLength(4);
});

verifies("SEL-6a", "of long instructions the beginning comes with each request, and it says where the rest is", () => {
  const { text } = contextIn("a".repeat(5_000));
  expect(text).toContain(`${"a".repeat(4_000)}\n[… AGENTS.md goes on: 5000 characters; read_file shows all]`);
});

verifies("SEL-6a", "instructions that are no file hold nothing up", () => {
  const cwd = mkdtempSync(join(tmpdir(), "assent-context-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  execFileSync("mkfifo", [join(cwd, "AGENTS.md")]);
  expect(contextOf({ session: "s1", cwd, terminal: { state: "never" }, seen: [] }, "none")).not.toContain("AGENTS.md");
});
