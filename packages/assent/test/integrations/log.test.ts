import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openLog } from "../../src/integrations/log.ts";

const top = mkdtempSync(join(tmpdir(), "assent-log-"));
afterAll(() => rmSync(top, { recursive: true, force: true }));

const hide = (text: string) => text.replaceAll("hunter2", "[secret]");
const now = () => Date.UTC(2030, 0, 2, 3, 4, 5);
const at = "2030-01-02T03:04:05.000Z";

test("has a line for each text, without secrets, for its owner alone", () => {
  const folder = join(top, "made", "log");
  const log = openLog({ folder, hide, now });
  log("sentry", "401 for hunter2");
  log("sentry", "two\nlines\u001b[31m\u009b and\ta tab");
  const file = join(folder, "integrations.log");
  expect(readFileSync(file, "utf8")).toBe(
    `${at} sentry 401 for [secret]\n${at} sentry two\\nlines\\u001b[31m\ufffd and\\ta tab\n`,
  );
  expect([statSync(file).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700]);
});

test("is put aside when it has grown, once", () => {
  const folder = join(top, "grown");
  const log = openLog({ folder, hide, now, mostBytes: 100 });
  for (const text of ["a", "b", "c"]) log("x", text.repeat(99));
  expect(readdirSync(folder).sort()).toEqual(["integrations.log", "integrations.log.1"]);
  expect(readFileSync(join(folder, "integrations.log"), "utf8")).toBe(`${at} x ${"c".repeat(99)}\n`);
  expect(readFileSync(join(folder, "integrations.log.1"), "utf8")).toBe(`${at} x ${"b".repeat(99)}\n`);
});

test("cuts what is too long, and hides before it cuts", () => {
  const folder = join(top, "long");
  openLog({ folder, hide, now })("x", `${"-".repeat(16_380)}hunter2${"-".repeat(50_000)}`);
  expect(readFileSync(join(folder, "integrations.log"), "utf8")).toBe(`${at} x ${"-".repeat(16_380)}[sec…\n`);
});

test("never fails", () => {
  const file = join(top, "no-folder");
  writeFileSync(file, "");
  chmodSync(file, 0o400);
  expect(() => openLog({ folder: file, hide })("x", "y")).not.toThrow();
});
