import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { openSignIns } from "../../src/runtime/sign-ins.ts";
import { verifies } from "../requirements/verifies.ts";

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), "assent-sign-ins-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "sign-ins.key");
}

verifies("SRV-1d", "what a browser keeps names its token, outlives the server, and is over when its time is", () => {
  const file = place();
  const { cookie, key } = openSignIns(file).open("0123456789", { until: 1_000, bound: false });
  expect(key).toBeNull();
  expect(openSignIns(file).read(cookie, undefined, 999)).toBe("0123456789");
  expect(openSignIns(file).read(cookie, undefined, 1_000)).toBeNull();
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

verifies("SRV-1d", "a cookie that is bound to a key is nothing without it, or with that of another", () => {
  const signIns = openSignIns(place());
  const one = signIns.open("0123456789", { until: 1_000, bound: true });
  const other = signIns.open("0123456789", { until: 1_000, bound: true });
  expect(signIns.read(one.cookie, one.key ?? "", 0)).toBe("0123456789");
  for (const key of [undefined, "", other.key ?? "", `${one.key}x`])
    expect(signIns.read(one.cookie, key, 0)).toBeNull();
});

verifies("SRV-1d", "nothing that was changed or made elsewhere counts", () => {
  const signIns = openSignIns(place());
  const { cookie, key } = signIns.open("0123456789", { until: 1_000, bound: true });
  const elsewhere = openSignIns(place()).open("0123456789", { until: 1_000, bound: false }).cookie;
  const changed = [
    cookie.replace("bound", "plain"),
    cookie.replace("0123456789", "9876543210"),
    `${cookie}.`,
    "",
    "a.b.c.d.e",
  ];
  for (const each of [elsewhere, ...changed, cookie.replace(".1000.", ".9999.")]) {
    expect(signIns.read(each, key ?? "", 0), each).toBeNull();
  }
});

verifies("SRV-1d", "a damaged secret is made anew: browsers have to sign in again, and nothing else", () => {
  const file = place();
  const { cookie } = openSignIns(file).open("0123456789", { until: 1_000, bound: false });
  writeFileSync(file, "half of i");
  expect(openSignIns(file).read(cookie, undefined, 0)).toBeNull();
  expect(readFileSync(file, "utf8").length).toBeGreaterThan(40);
});
