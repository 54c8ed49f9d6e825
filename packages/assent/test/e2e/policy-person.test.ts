import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { counting, needsTerminal, noTerminal, Place, terminal } from "./product.ts";

const done = { text: "Done." };

/** A place with rules of the person's own. */
function placeWith(rule: object, command: string): Place {
  const place = new Place([terminal(command), done]);
  mkdirSync(place.home, { mode: 0o700 });
  const whole = { name: "mine", reason: "it is mine", ...rule };
  writeFileSync(join(place.home, "policy.json"), JSON.stringify({ rules: [whole] }));
  return place;
}

describe("a rule of the person's own", () => {
  const examples = { match: ["touch a"], differ: ["ls"] };

  verifies("APPR-7a", "asks about what would run at once, and offers nothing for longer", () => {
    const place = placeWith({ command: ["touch"], verdict: "ask", examples }, "true && touch x");
    const { status, stdout } = place.assent(["run", "--unattended=park", "go"]);
    expect(status).toBe(4);
    const { options, metadata } = JSON.parse(stdout);
    expect(options.map(({ id }: { id: string }) => id)).toEqual(["yes", "no"]);
    expect(metadata).toMatchObject({ rule: "mine", reason: "it is mine" });
  });

  test("denies without asking, and the model is told why", () => {
    const place = placeWith({ command: ["touch"], verdict: "deny", examples }, "touch x");
    expect(place.assent(["run", "--unattended=park", "go"])).toMatchObject({ status: 3, stdout: "Done.\n" });
    expect(place.requests()[1]?.request.messages.at(-1)?.text).toContain("it is mine");
  });

  test("that does not do what its examples say makes everything ask, and says so", () => {
    const wrong = { match: ["touch a"], differ: ["touch b"] };
    const place = placeWith({ command: ["touch"], verdict: "deny", examples: wrong }, "ls");
    const { status, stdout } = place.assent(["run", "--unattended=park", "go"]);
    expect({ status, reason: JSON.parse(stdout).metadata.reason }).toEqual({
      status: 4,
      reason: 'the rule "mine" matches "touch b", against its examples; until it is mended everything asks',
    });
  });
});

describe.skipIf(noTerminal)(`a yes for longer than once${needsTerminal}`, () => {
  verifies("APPR-7c", "for the session lets the same command run in it, and asks in the next one", async () => {
    const place = new Place([terminal(counting, "a"), terminal(counting, "b"), done]);
    const run = place.startInTerminal(["run", "count"]);
    await run.shows("5) Always for me");
    await run.answer("3");
    expect(await run.ended).toBe(0);
    expect(place.read("count")).toBe("x\nx\n");
    expect(place.assent(["run", "count"]).status).toBe(3);
    expect(place.read("count")).toBe("x\nx\n");
  });

  verifies(
    "APPR-7d",
    "for the project is asked once more, and then holds in this folder for every session",
    async () => {
      const place = new Place([terminal(counting), done]);
      const run = place.startInTerminal(["run", "count"]);
      await run.shows("5) Always for me");
      await run.answer("4");
      await run.shows("Save this rule");
      await run.answer("1");
      expect(await run.ended).toBe(0);
      expect(place.assent(["run", "count"])).toMatchObject({ status: 0, stdout: "Done.\n" });
      expect(place.read("count")).toBe("x\nx\n");
      mkdirSync(place.file("other"));
      expect(place.assent(["run", "--cwd", "other", "count"]).status).toBe(3);
    },
  );
});
