import { writeFileSync } from "node:fs";
import { describe, expect } from "vitest";
import { openModelServer } from "../../src/testing/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { eventsOf, ModelPlace } from "./model-place.ts";
import { Place } from "./product.ts";

/** Another host than this one, to which no system lets anybody connect: nothing is sent. */
const elsewhere = { OPENAI_BASE_URL: "http://255.255.255.255/secret-path/v1", ASSENT_MODEL_CONNECT_TIMEOUT_MS: "200" };

async function answered(): Promise<{ readonly place: ModelPlace; readonly session: string }> {
  const place = await ModelPlace.open("openai-chat", [{ text: "One." }, { text: "Two." }]);
  expect((await place.assent("run", "first")).stdout).toBe("One.\n");
  return { place, session: await place.session() };
}

verifies(
  "CLI-5h",
  "a session that piped lines change to goes on with its own model, not with that of the one before",
  () => {
    const place = new Place([{ text: "One." }, { text: "One, to the end." }]);
    const other = place.file("other.jsonl");
    writeFileSync(
      other,
      [{ text: "Two." }, { text: "Two, to the end." }].map((reply) => JSON.stringify(reply)).join("\n"),
    );
    expect(place.assent(["run", "--model", `scripted:${other}`, "first"]).stdout).toBe("Two.\n");
    const [session = { session: "" }] = place.sessions();
    const { status, stdout, stderr } = place.assent([], `hello\n/resume ${session.session}\nsecond\n`);
    expect({ status, stderr: stderr.includes("model failed") }).toEqual({ status: 0, stderr: false });
    expect(stdout).toMatch(/One\.\n[\s\S]*system {2}model .*other[\s\S]*Two, to the end\.\n$/);
  },
);

describe("a session whose model is at another address", () => {
  verifies("CLI-5g", "says so before it goes on, when that is on this machine", async () => {
    const { place, session } = await answered();
    const other = await openModelServer({ script: [{ text: "Two, from elsewhere." }] });
    const before = place.url;
    Object.assign(place.place.env, { OPENAI_BASE_URL: `${other.url}/v1` });
    const { stdout, stderr } = await place.assent("run", "--session", session, "second");
    await other.close();
    expect(stdout).toBe("Two, from elsewhere.\n");
    expect(stderr).toContain(`system  this session and its history now go to ${other.url}; until now ${before}\n`);
  });

  verifies("CLI-5h", "is not sent there because a variable names another host", async () => {
    const { place, session } = await answered();
    Object.assign(place.place.env, elsewhere);
    const refused = await place.assent("run", "--session", session, "second");
    expect(refused).toMatchObject({ status: 1, stdout: "" });
    expect(refused.stderr).toContain(
      `the model failed (moved): this session went to ${place.url} until now, and its model is at http://255.255.255.255; ` +
        `nothing was sent; assent resume ${session} --model <provider:model> sends it there`,
    );
    expect((await place.assent("resume", session)).stderr).toContain("nothing was sent");
  });

  verifies(
    "CLI-5h",
    "goes there with the model that a person names; of the address no more than the host is kept",
    async () => {
      const { place, session } = await answered();
      Object.assign(place.place.env, elsewhere);
      const named = await place.assent("run", "--json", "--session", session, "--model", "openai-chat:m", "second");
      const [, moved, failed] = eventsOf(named);
      expect(moved).toMatchObject({ type: "context.changed", address: "http://255.255.255.255", before: place.url });
      expect(failed).toMatchObject({ type: "model.failed", failure: { class: expect.not.stringMatching("moved") } });
      expect(named.stdout).not.toContain("secret-path");
      // By now it has been there: nobody need name it again.
      const again = await place.assent("resume", session);
      expect(again.stderr).not.toContain("nothing was sent");
    },
  );
});
