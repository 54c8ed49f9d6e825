import { describe, expect } from "vitest";
import { useModelOf } from "../../../src/adapters/shell/changing.ts";
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
