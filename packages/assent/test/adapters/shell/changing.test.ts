import { describe, expect, test } from "vitest";
import { openInstead, useModelOf } from "../../../src/adapters/shell/changing.ts";
import { verifies } from "../../requirements/verifies.ts";
import { TestPlace } from "../../slash/place.ts";

const text = (said: Awaited<ReturnType<typeof useModelOf>>) => JSON.stringify(said);

/** Another session than the one for which a person has named a model, made for that model or for none. */
async function opened(made: string | null) {
  const place = new TestPlace();
  await place.type("/model anthropic:x");
  expect(place.named).toBe(true);
  const created = place.host.create({ cwd: "/work", limits: {}, ...(made === null ? {} : { model: made }) });
  if ("refusal" in created) throw new Error(created.refusal.detail);
  const said = await useModelOf(created.session, { host: place.host, around: place.place.around });
  return { place, said: text(said) };
}

describe("what a person named for one session is not named for the next:", () => {
  verifies("CLI-5h", "its own model is used", async () => {
    const { place, said } = await opened("openai:y");
    expect(said).toContain("model ");
    expect([place.used, place.named]).toEqual([["anthropic:x", "openai:y"], false]);
  });

  verifies("CLI-5h", "its own model cannot be used", async () => {
    const { place, said } = await opened("none");
    expect(said).toContain("its model cannot be used, anthropic:x is");
    expect([place.used, place.named]).toEqual([["anthropic:x"], false]);
  });

  verifies("CLI-5h", "it is of the same name", async () => {
    const { place, said } = await opened("anthropic:x");
    expect([said, place.used, place.named]).toEqual(["[]", ["anthropic:x"], false]);
  });

  verifies("CLI-5h", "it was made for none", async () => {
    const { place, said } = await opened(null);
    expect([said, place.used, place.named]).toEqual(["[]", ["anthropic:x"], false]);
  });
});

describe("the session that is left for another:", () => {
  async function left(open: (session: string) => Promise<void>) {
    const { host } = new TestPlace();
    const made = () => {
      const created = host.create({ cwd: "/work", limits: {} });
      if ("refusal" in created) throw new Error(created.refusal.detail);
      return created.session;
    };
    const [from, to] = [made(), made()];
    const opened: string[] = [];
    const change = openInstead({ host, from, to }, async (session) => {
      opened.push(session === to ? "to" : "from");
      if (session === to) await open(session);
    });
    const failed = await change.then(
      () => null,
      (error: unknown) => String(error),
    );
    const isThere = host.sessions().sessions.some(({ session }) => session === from);
    return { opened, failed, isThere };
  }

  test("one in which nothing happened is gone once the other is open", async () => {
    expect(await left(async () => {})).toEqual({ opened: ["to"], failed: null, isThere: false });
  });

  test("it is opened again, and that it failed is told, where the other cannot be opened", async () => {
    const open = () => Promise.reject(new Error("damaged"));
    expect(await left(open)).toEqual({ opened: ["to", "from"], failed: "Error: damaged", isThere: true });
  });
});
