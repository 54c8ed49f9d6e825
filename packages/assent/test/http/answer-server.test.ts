import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Place } from "../e2e/product.ts";
import { done, Served, tokenFor } from "./served.ts";

const colours = {
  calls: [{ tool: "ask", arguments: { question: "Which colour?", options: ["Red", "Green"], allow_free_text: false } }],
};

describe("assent answer --server", () => {
  const place = new Place([], {}, afterAll);
  let served: Served;
  beforeAll(async () => {
    served = await Served.at(place);
  }, 60_000);
  afterAll(async () => void (await served.end()));

  test("answers at one's own server, and who comes later is told who was faster", async () => {
    const { session, id } = await served.asked([colours, done]);
    expect(place.assent(["answer", "--server", id, "2"])).toEqual({
      ...{ status: 0, stdout: "" },
      stderr: expect.stringMatching(/^assent: answered by \S+ in .+: 2\n$/),
    });
    expect(await served.outcome(session)).toBe("answered");
    const late = place.assent(["answer", "--server", id, "1"]);
    expect(late).toMatchObject({ status: 3, stdout: "" });
    expect(late.stderr).toMatch(/^assent: already_resolved: .* at \d{4}-\d\d-\d\dT/);
  });

  test("says what a reply was taken for, as answer alone does", async () => {
    const removal = { calls: [{ tool: "terminal", arguments: { command: "rm -rf none" } }] };
    for (const server of [["--server"], []]) {
      const { id } = await served.asked([removal, done]);
      const { status, stdout, stderr } = place.assent(["answer", ...server, id, "maybe"]);
      expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
      expect(stderr).toMatch(/^assent: declined by \S+ in .+: maybe(?:; .+)?\n$/);
      const cancelled = await served.asked([colours, done]);
      const told = place.assent(["answer", ...server, cancelled.id, "cancel"]);
      expect(told).toEqual({ status: 0, stdout: "FLOW_CANCEL\n", stderr: "" });
    }
  });

  test("says how many attempts an invalid reply leaves, and ends with the code", async () => {
    const { id } = await served.asked([colours, done]);
    const replies = [1, 2, 3, 4].map(() => place.assent(["answer", "--server", id, "3"]));
    expect(replies.map(({ status }) => status)).toEqual([3, 3, 3, 3]);
    expect(replies[0]?.stderr).toMatch(/^assent: invalid_response: .* \(attempt 1 of 4\)\n$/);
    expect(replies[3]).toEqual({ status: 3, stdout: "STEP_ABORT\n", stderr: "" });
  });

  test("takes a response as JSON, and says what is wrong with one as answer alone does", async () => {
    const { session, id } = await served.asked([colours, done]);
    const sent = (server: readonly string[], response: string) => place.assent(["answer", ...server, "-"], response);
    for (const wrong of ["nonsense", "{}", '{"interaction_id":"q-1","cancelled":"no"}']) {
      expect(sent(["--server"], wrong)).toEqual(sent([], wrong));
      expect(sent(["--server"], wrong)).toMatchObject({ status: 2, stdout: expect.stringMatching(/"accepted":false/) });
    }
    const response = JSON.stringify({ interaction_id: id, selected_option_id: "1", cancelled: false });
    expect(sent(["--server"], response)).toEqual({ status: 0, stdout: '{"accepted":true}\n', stderr: "" });
    expect(await served.outcome(session)).toBe("answered");
  });

  test("speaks to the server that is named, with the token in the environment", async () => {
    const { id } = await served.asked([colours, done]);
    const viewer = tokenFor(place, "who looks", "--role", "viewer");
    const named = [`--server=${served.url}`, id, "1"];
    expect(place.assent(["answer", ...named], "", ["env", `ASSENT_TOKEN=${viewer}`])).toMatchObject({
      status: 3,
      stderr: expect.stringMatching(/not_authorized/),
    });
    expect(place.assent(["answer", ...named])).toMatchObject({ status: 0 });
    const elsewhere = place.assent(["answer", "--server=http://127.0.0.1:9", id, "1"]);
    expect(elsewhere).toMatchObject({ status: 2, stderr: expect.stringMatching(/in ASSENT_TOKEN, found none/) });
  });

  test("says how a server that is away is started", () => {
    const told = /^assent: the server cannot be reached: .*; assent serve starts it\n$/;
    const argv = ["answer", "--server=http://127.0.0.1:9", "none-1", "1"];
    expect(place.assent(argv, "", ["env", "ASSENT_TOKEN=x"])).toMatchObject({
      ...{ status: 2, stdout: "" },
      stderr: expect.stringMatching(told),
    });
  });

  test("is wrong usage where there is no such question or no such server", () => {
    const cases: readonly (readonly [argv: readonly string[], told: RegExp])[] = [
      [["--server", "none-1", "1"], /no interaction has this id; assent pending lists them/],
      [["--server", "none-1"], /expected <id> <reply>, or -/],
      [["none-1", "--server", "1"], /--server stands before the id/],
      [["--server=elsewhere", "none-1", "1"], /expected an address such as .*, found "elsewhere"/],
    ];
    for (const [argv, told] of cases) {
      expect(place.assent(["answer", ...argv])).toMatchObject({ status: 2, stderr: expect.stringMatching(told) });
    }
  });
});
