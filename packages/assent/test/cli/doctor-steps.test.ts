import { describe, expect, test } from "vitest";
import { steps } from "../../src/cli/doctor-steps.ts";
import { type Fault, failureOf } from "../../src/providers/errors.ts";
import { remedies } from "../../src/providers/errors-data.ts";
import type { Provider } from "../../src/runtime/index.ts";
import { adviceIn } from "../../src/show/index.ts";

const server = (status: number, message = ""): Fault => ({
  type: "server",
  error: { status, code: "", message },
  headers: {},
});

/** A fault of every class, and what can be done about it where there is no session. */
const faults: readonly (readonly [Fault, kind: string, advice: string])[] = [
  [
    { type: "connection", code: "ECONNREFUSED", message: "", place: "127.0.0.1:1" },
    "refused",
    "check the address, the network and that the server runs",
  ],
  [server(401), "unauthorised", "check the key in OPENAI_API_KEY"],
  [server(402), "no-credit", "add credit with the provider"],
  [server(429), "rate-limited", "wait a while"],
  [server(503), "overloaded", "wait a while"],
  [server(500), "server-error", "the fault is the server's: wait a while"],
  [server(504), "timeout", "check the server and the network"],
  [
    { type: "timeout", awaited: "first event", ms: 1 },
    "timeout",
    "check the server and the network; ASSENT_MODEL_FIRST_EVENT_TIMEOUT_MS gives it more time",
  ],
  [{ type: "cut" }, "cut-off", "ASSENT_MODEL_MAX_OUTPUT allows longer replies; or choose a model that thinks less"],
  [{ type: "half", message: "" }, "half-stream", "check the network"],
  [
    { type: "malformed", detail: "it is HTML" },
    "malformed-stream",
    "check that the base URL is that of a model's API with assent doctor",
  ],
  [{ type: "filtered" }, "content-refused", "the provider's filter refused this: say it differently"],
  [server(404), "not-found", "check the model's name and the base URL with assent doctor"],
  [server(400), "rejected", "check the model's settings with assent doctor"],
  [
    { type: "redirect", status: 302, location: "" },
    "redirected",
    "set the base URL to where the server really is; a key is never sent on",
  ],
  [{ type: "internal", message: "" }, "internal", "this is a fault of the model's client; please report it"],
];

/** What a step of `assent doctor --live` says where the model fails so. */
async function told(fault: Fault, { keyName = "OPENAI_API_KEY", secrets = ["sk-0123456789"] }: Partial<Known> = {}) {
  const judged = failureOf(fault, { secrets, keyName, now: 0 });
  if (judged.type !== "failed") throw new Error("expected a failure");
  const { class: kind, remedy } = judged;
  const failure = { class: kind, detail: "so it was", remedy, partial: "" };
  const provider: Provider = { ask: async () => ({ type: "failed", failure }) };
  const [first] = steps;
  const outcome = await first?.perform(
    { provider, window: null, called: null, requests: 0 },
    new AbortController().signal,
  );
  return outcome?.detail;
}
type Known = { readonly keyName: string | null; readonly secrets: readonly string[] };

describe("where there is no session to go on with, doctor says what can be done and nothing of one", () => {
  test.each(faults)("%o is %s: %s", async (fault, kind, advice) => {
    expect(await told(fault)).toBe(`${kind}: so it was; ${advice}`);
  });

  test("every class is among them", () => {
    const tried = new Set(faults.map(([, kind]) => kind));
    expect([...tried].sort()).toEqual([...Object.keys(remedies), "unauthorised"].sort());
  });

  test("also where a key is missing", async () => {
    expect(await told(server(401), { secrets: [] })).toBe(
      "unauthorised: so it was; the server wants a key: set OPENAI_API_KEY",
    );
    expect(await told(server(401), { keyName: null, secrets: [] })).toBe(
      "unauthorised: so it was; the server wants a key: use it as openai-chat:<model>, with OPENAI_BASE_URL and OPENAI_API_KEY",
    );
  });

  test("what would be about nothing but a session is left out", () => {
    expect(adviceIn("assent resume <session> --model <provider:model> sends it there")).toBe("");
    expect(adviceIn("")).toBe("");
  });
});
