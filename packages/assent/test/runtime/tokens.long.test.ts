import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openTokens } from "../../src/runtime/tokens.ts";
import { verifies } from "../requirements/verifies.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "assent-tokens-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return join(made, "tokens");
}

verifies("SRV-1e", "a token is known by its hash, and of the token itself nothing is kept", () => {
  const place = folder();
  const tokens = openTokens(place, () => 1_000);
  const { token, saved } = tokens.create({ name: "Ann", role: "answerer" });
  expect(saved).toEqual({
    ...{ id: token.split("_")[1], name: "Ann", role: "answerer", created: 1_000 },
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(tokens.bearer(token)).toEqual(saved);
  expect(tokens.list()).toEqual([saved]);
  const files = readdirSync(place).map((file) => join(place, file));
  expect(files).toHaveLength(1);
  for (const file of files) {
    expect(readFileSync(file, "utf8")).not.toContain(token.slice(-43));
    expect(statSync(file).mode & 0o777).toBe(0o600);
  }
  const texts = new Set(Array.from({ length: 50 }, () => tokens.create({ name: "x", role: "viewer" }).token));
  expect(texts.size).toBe(50);
});

verifies("SRV-1c", "nothing but the whole token opens", () => {
  const tokens = openTokens(folder());
  const { token, saved } = tokens.create({ name: "Ann", role: "admin" });
  for (const wrong of [
    ...["", "assent_", saved.id, saved.hash, saved.name, `${token} `, ` ${token}`, token.slice(0, -1), `${token}A`],
    ...[token.toUpperCase(), token.replace(saved.id, "0000000000"), `assent_../../x_${"A".repeat(43)}`],
  ]) {
    expect([wrong, tokens.bearer(wrong)]).toEqual([wrong, null]);
  }
});

verifies("SRV-1c", "a token counts until its time, and not at it", () => {
  let now = 1_000;
  const tokens = openTokens(folder(), () => now);
  const { token, saved } = tokens.create({ name: "Ann", role: "viewer", expires: 2_000 });
  now = 1_999;
  expect([tokens.bearer(token)?.name, tokens.counting(saved.id) !== null]).toEqual(["Ann", true]);
  now = 2_000;
  expect([tokens.bearer(token), tokens.counting(saved.id) !== null]).toEqual([null, false]);
  expect(tokens.list()).toHaveLength(1);
});

verifies(
  "SRV-1c",
  "what another process makes counts at once, and what it takes back does not count soon",
  async () => {
    const place = folder();
    const [one, other] = [openTokens(place), openTokens(place)];
    expect(one.bearer("assent_0123456789_x")).toBeNull();
    const { token, saved } = other.create({ name: "Ann", role: "viewer" });
    expect(one.bearer(token)).toEqual(saved);
    expect(other.revoke("Ann")).toEqual([saved]);
    expect(other.bearer(token)).toBeNull();
    await expect
      .poll(() => [one.bearer(token), one.counting(saved.id) !== null], { timeout: 900 })
      .toEqual([null, false]);
    expect(other.revoke("Ann")).toEqual([]);
  },
);

test("what cannot be read opens nothing, is named, and does not hide the others", async () => {
  const place = folder();
  const tokens = openTokens(place);
  const good = tokens.create({ name: "good", role: "viewer" });
  const bad = tokens.create({ name: "bad", role: "viewer" });
  const file = join(place, `${bad.saved.id}.json`);
  for (const damaged of ["", "{", "[]", readFileSync(file, "utf8").replace('"viewer"', '"god"'), '{"v":2}']) {
    writeFileSync(file, damaged);
    const read = openTokens(place);
    expect([read.bearer(bad.token), read.bearer(good.token)?.name]).toEqual([null, "good"]);
    expect(read.damage()).toEqual([expect.stringContaining(file)]);
  }
  expect(openTokens(join(place, "none")).list()).toEqual([]);
});
