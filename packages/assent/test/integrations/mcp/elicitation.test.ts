import { describe, expect, test } from "vitest";
import { checkFlow, type Flow, lintFlow } from "../../../src/core/interaction/index.ts";
import { allowsSampling, elicit as elicitFor, wholeOf } from "../../../src/integrations/mcp/elicitation.ts";
import type { FormAnswer, FormEnd } from "../../../src/integrations/types.ts";
import { verifies } from "../../requirements/verifies.ts";

type Answers = Readonly<Record<string, FormAnswer>>;

/** A person who answers flow after flow as written, and what they were asked. */
function person(...answers: readonly (Answers | "cancelled")[]) {
  const asked: Flow[] = [];
  const ask = async (flow: Flow): Promise<FormEnd> => {
    expect(checkFlow(flow)).toEqual([]);
    const given = answers[asked.length];
    asked.push(flow);
    if (given === undefined) throw new Error("asked too often");
    return given === "cancelled" ? { type: "unanswered", why: "cancelled" } : { type: "filled", answers: given };
  };
  return { asked, ask };
}

function elicit(server: string, params: unknown, ask: (flow: Flow) => Promise<FormEnd>, known = new Set<string>()) {
  return elicitFor({ server, known }, params, ask);
}

const chosen = (id: string): FormAnswer => ({ options: [id] });
const form = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  message: "Please tell.",
  requestedSchema: { type: "object", properties, required },
});

describe("one field is one question:", () => {
  verifies(
    "BRG-1c",
    "an enumeration is chosen from by its titles, its default first, and can be declined",
    async () => {
      const color = {
        type: "string",
        title: "Favourite colour",
        oneOf: [
          { const: "#f00", title: "Red" },
          { const: "#0f0", title: "Green" },
        ],
        default: "#0f0",
      };
      const { asked, ask } = person({ color: chosen("o2") });
      expect(await elicit("paint", form({ color }), ask)).toEqual({ said: "accept", content: { color: "#f00" } });
      expect(asked).toEqual([
        {
          steps: [
            {
              key: "color",
              question: "What does paint get as Favourite colour?",
              options: [
                { id: "o1", label: "Green" },
                { id: "o2", label: "Red" },
                { id: "decline", label: "Decline" },
              ],
              allow_free_text: false,
              subject: { from: "paint", message: ["Please tell."] },
            },
          ],
        },
      ]);
      expect(asked.flatMap(lintFlow)).toEqual([]);
      expect(await elicit("paint", form({ color }), person({ color: chosen("decline") }).ask)).toEqual({
        said: "decline",
      });
      expect(await elicit("paint", form({ color }), person("cancelled").ask)).toEqual({ said: "cancel" });
    },
  );

  test("yes and no are a boolean; what is optional may be left empty and is then not there", async () => {
    const sure = { type: "boolean", default: false };
    const no = person({ sure: chosen("no") });
    expect(await elicit("s", form({ sure }, []), no.ask)).toEqual({ said: "accept", content: { sure: false } });
    expect(no.asked[0]?.steps[0]?.options.map(({ label }) => label)).toEqual(["No", "Yes", "Leave empty", "Decline"]);
    const empty = person({ sure: chosen("empty") });
    expect(await elicit("s", form({ sure }, []), empty.ask)).toEqual({ said: "accept", content: {} });
  });

  test("a text has what it must be as a pattern of our own, and its default as an option", async () => {
    const mail = { type: "string", format: "email", maxLength: 20, pattern: "(a+)+$", default: "me@here.org" };
    const { asked, ask } = person({ mail: chosen("usual") });
    expect(await elicit("s", form({ mail }), ask)).toEqual({ said: "accept", content: { mail: "me@here.org" } });
    expect(asked[0]?.steps[0]).toMatchObject({
      options: [
        { id: "usual", label: "me@here.org" },
        { id: "decline", label: "Decline" },
      ],
      allow_free_text: true,
      response_schema: {
        pattern: "(?=[\\s\\S]{0,20}$)[^\\s@]{1,64}@[^\\s@]{1,255}",
        description: "an e-mail address, such as name@example.org, of at most 20 characters",
      },
    });
    const long = person({ mail: { text: "somebody.else@example.org" } }, { mail: { text: "x@y.org" } });
    expect(await elicit("s", form({ mail }), long.ask)).toEqual({ said: "accept", content: { mail: "x@y.org" } });
    expect(long.asked[1]?.steps[0]?.subject).toEqual({
      from: "s",
      message: ["Please tell.", expect.stringMatching(/^That did not fit: expected an e-mail address/)],
    });
  });

  test("more choices than fit are typed; what is none of them is asked for again, and then given up", async () => {
    const city = { type: "string", enum: ["a", "b", "c", "d", "e", "f", "g", "h"] };
    const { asked, ask } = person({ city: { text: "x" } }, { city: { text: "H" } });
    expect(await elicit("s", form({ city }), ask)).toEqual({ said: "accept", content: { city: "h" } });
    expect(asked[0]?.steps[0]?.subject).toEqual({
      from: "s",
      message: ["Please tell.", "one of 8: a, b, c, d, e, f, g, h"],
    });
    const never = person(...Array<Answers>(3).fill({ city: { text: "x" } }));
    expect(await elicit("s", form({ city }), never.ask)).toEqual({ said: "cancel" });
  });

  test("choices that look alike are typed, too", async () => {
    const { asked, ask } = person({ which: { text: "b" } });
    const which = {
      type: "string",
      oneOf: [
        { const: "a", title: "Same" },
        { const: "b", title: "same" },
      ],
    };
    expect(await elicit("s", form({ which }), ask)).toEqual({ said: "accept", content: { which: "b" } });
    expect(asked[0]?.steps[0]?.allow_free_text).toBe(true);
  });
});

describe("a form is agreed to first:", () => {
  verifies(
    "BRG-1c",
    "several fields are one flow after that, and several flows where there are more than fit",
    async () => {
      const properties = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`f${index}`, { type: "string" }]));
      const given = (from: number, to: number): Answers =>
        Object.fromEntries(
          Array.from({ length: to - from }, (_, index) => [`f${from + index}`, { text: `v${from + index}` }]),
        );
      const { asked, ask } = person({ answer: chosen("answer") }, given(0, 7), given(7, 9));
      const content = Object.fromEntries(Object.keys(properties).map((name, index) => [name, `v${index}`]));
      expect(await elicit("s", form(properties), ask)).toEqual({ said: "accept", content });
      expect(asked.map(({ steps }) => steps.length)).toEqual([1, 7, 2]);
      expect(asked[0]?.steps[0]).toEqual({
        key: "answer",
        question: "Do you answer what s asks?",
        options: [
          { id: "answer", label: "Answer" },
          { id: "decline", label: "Decline" },
        ],
        allow_free_text: false,
        subject: { from: "s", message: ["Please tell.", "it asks for: f0, f1, f2, f3, f4, f5, f6, f7, f8"] },
      });
      expect(await elicit("s", form(properties), person({ answer: chosen("decline") }).ask)).toEqual({
        said: "decline",
      });
      const left = person({ answer: chosen("answer") }, "cancelled");
      expect(await elicit("s", form(properties), left.ask)).toEqual({ said: "cancel" });
    },
  );

  test("a number has no options, is held to its range, and a word leaves it empty", async () => {
    const age = { type: "integer", minimum: 1, maximum: 99, default: 42 };
    const { asked, ask } = person({ answer: chosen("answer") }, { age: { text: "100" } }, { age: { text: "7" } });
    expect(await elicit("s", form({ age }), ask)).toEqual({ said: "accept", content: { age: 7 } });
    expect(asked[1]?.steps[0]).toEqual({
      key: "age",
      question: "What does s get as age, usually 42?",
      options: [],
      allow_free_text: true,
      response_schema: { pattern: "[+\\-]?\\d{1,15}", description: "a whole number from 1 up to 99" },
      subject: { from: "s", message: ["a whole number from 1 up to 99"] },
    });
    const none = person({ answer: chosen("answer") }, { age: { text: "none" } });
    expect(await elicit("s", form({ age }, []), none.ask)).toEqual({ said: "accept", content: {} });
  });

  test("nor has a date, whose digits would be taken for a choice", async () => {
    const day = { type: "string", format: "date", default: "2026-01-31" };
    const { asked, ask } = person({ answer: chosen("answer") }, { day: { text: "2026-02-01" } });
    expect(await elicit("s", form({ day }, []), ask)).toEqual({ said: "accept", content: { day: "2026-02-01" } });
    expect(asked[1]?.steps[0]).toMatchObject({
      question: "What does s get as day, usually 2026-01-31?",
      options: [],
      response_schema: { pattern: "none|\\d{4}-\\d{2}-\\d{2}" },
    });
  });

  test("what is named like a secret is typed as one", async () => {
    const usual = ["password", "passwd", "pwd", "apiKey", "api_key", "access_key", "accessToken", "private-key"];
    for (const name of [...usual, "clientSecret", "otp", "TOTP", "user_pin", "userPin", "PIN"]) {
      const { asked, ask } = person({ answer: chosen("answer") }, { [name]: { text: "hush" } });
      expect(await elicit("s", form({ [name]: { type: "string", default: "x" } }), ask)).toEqual({
        said: "accept",
        content: { [name]: "hush" },
      });
      expect(asked[1]?.steps[0]).toMatchObject({ sensitive: true, options: [], allow_free_text: true });
    }
  });

  test("what only has the letters of a secret's name in it is none", async () => {
    for (const name of ["pinned", "opinion", "option", "laptopType", "passenger", "keyboard"]) {
      const { asked, ask } = person("cancelled");
      await elicit("s", form({ [name]: { type: "string" } }), ask);
      expect(asked[0]?.steps[0]).toMatchObject({ key: name, options: [{ id: "decline" }] });
    }
  });

  test("what nothing can be is declined unseen", async () => {
    for (const contrary of [
      { type: "string", minLength: 5, maxLength: 4 },
      { type: "string", minLength: 1e9, maxLength: -1 },
      { type: "integer", minimum: 2, maximum: 1 },
      { type: "array", minItems: 2, maxItems: 1, items: { enum: ["a", "b"] } },
    ]) {
      const properties = { fine: { type: "string" }, contrary };
      expect(await elicit("s", form(properties), person().ask)).toEqual({ said: "decline" });
      expect(await elicit("s", form({ contrary }), person().ask)).toEqual({ said: "decline" });
    }
  });

  test("of several choices some are chosen", async () => {
    const tags = {
      type: "array",
      minItems: 1,
      maxItems: 2,
      items: {
        anyOf: [
          { const: "a", title: "A" },
          { const: "b", title: "B" },
        ],
      },
    };
    const { asked, ask } = person({ answer: chosen("answer") }, { tags: { options: ["o1", "o2"] } });
    expect(await elicit("s", form({ tags }), ask)).toEqual({ said: "accept", content: { tags: ["a", "b"] } });
    expect(asked[1]?.steps[0]).toMatchObject({ multi_select: true, min_selected: 1, max_selected: 2 });
  });

  test("without a field it is a yes or a no; with far too many it is declined unseen", async () => {
    const { asked, ask } = person({ answer: chosen("answer") });
    expect(await elicit("s", form({}), ask)).toEqual({ said: "accept", content: {} });
    expect(asked[0]?.steps[0]?.question).toBe("Does s get your yes?");
    const many = Object.fromEntries(Array.from({ length: 36 }, (_, index) => [`f${index}`, { type: "string" }]));
    expect(await elicit("s", form(many), person().ask)).toEqual({ said: "decline" });
  });
});

test("a server's words are its own: nothing hides in them, and none of them becomes Assent's question", async () => {
  const title = "Approve command: rm -rf ~? (yes/no)\u001b[2J";
  const params = {
    message: "one\n\u202etwo\u200b",
    requestedSchema: { properties: { "a b=c": { type: "boolean", title } } },
  };
  const { asked, ask } = person("cancelled");
  await elicit("s", params, ask);
  expect(asked[0]?.steps[0]).toMatchObject({
    key: "a-b-c",
    question: "What does s get as Approve command rm -rf yes no?",
    subject: { from: "s", message: ["one", "\\u{202e}two\\u{200b}"] },
  });
});

test("two names that make one key stay two", async () => {
  const { asked, ask } = person({ answer: chosen("answer") }, "cancelled");
  await elicit("s", form({ "a b": { type: "string" }, "a=b": { type: "string" } }), ask);
  expect(asked[1]?.steps.map(({ key }) => key)).toEqual(["a-b", "a-b-2"]);
});

test("a name with a secret in it is made no key, whether the server had it before or it was typed as one", async () => {
  const known = new Set(["tok/en-0123456789abcdef", "short", "abc"]);
  const first = person({ answer: chosen("answer") }, { abc: { text: "1" }, password: { text: "hunter22" } });
  await elicit("s", form({ abc: { type: "string" }, password: { type: "string" } }), first.ask, known);
  expect(first.asked[1]?.steps.map(({ key }) => key)).toEqual(["abc", "password"]);
  const { asked, ask } = person({ answer: chosen("answer") }, "cancelled");
  const names = ["tok/en-0123456789abcdef", "x tok/en-012345", "my-hunter22", "a_short_one", "hunter"];
  await elicit("s", form(Object.fromEntries(names.map((name) => [name, { type: "boolean" }]))), ask, known);
  expect(asked[1]?.steps.map(({ key }) => key)).toEqual(["field", "field-2", "field-3", "field-4", "hunter"]);
});

test("of a message of ever so many lines it is seen that it goes on", async () => {
  const { asked, ask } = person("cancelled");
  const message = Array.from({ length: 41 }, (_, index) => `line ${index}`).join("\n");
  await elicit("s", { ...form({}), message }, ask);
  const { subject } = asked[0]?.steps[0] ?? {};
  expect(subject).toMatchObject({ message: expect.arrayContaining(["line 0", "line 38", "…"]) });
  expect(JSON.stringify(subject)).not.toContain("line 39");
});

verifies(
  "BRG-1c",
  "a page is named in full, with its host as the network knows it, and only opened by the person",
  async () => {
    const { asked, ask } = person({ page: chosen("open") }, { page: chosen("decline") });
    const params = { mode: "url", message: "Sign in", url: "https://аpple.com/x?y=1" };
    expect(await elicit("s", params, ask)).toEqual({ said: "accept" });
    expect(await elicit("s", params, ask)).toEqual({ said: "decline" });
    expect(asked[0]?.steps[0]).toMatchObject({
      question: "Open the page of s at xn--pple-43d.com?",
      subject: { from: "s", message: ["Sign in", "page: https://xn--pple-43d.com/x?y=1", "host: xn--pple-43d.com"] },
    });
    for (const url of ["file:///etc/passwd", "javascript:alert(1)", "none", "https://good.org@bad.org/"]) {
      expect(await elicit("s", { ...params, url }, person().ask)).toEqual({ said: "decline" });
    }
  },
);

test("before the person's model answers a server, they see what it is asked", async () => {
  const { asked, ask } = person({ model: chosen("allow") }, { model: chosen("decline") }, "cancelled");
  const wanted = { system: "You are kind.", text: "Why?" };
  expect(await allowsSampling("s", wanted, ask)).toBe(true);
  expect(await allowsSampling("s", wanted, ask)).toBe(false);
  expect(await allowsSampling("s", wanted, ask)).toBe(false);
  expect(asked[0]?.steps[0]?.subject).toEqual({
    from: "s",
    message: ["it sets the model up with:", "You are kind.", "it asks the model:", "Why?"],
  });
});

test("what the model is asked is what the person is shown, and what cannot be shown in full is not asked", () => {
  expect(wholeOf({ system: "\u202ebe kind", text: "one\r\ntwo\u200b" })).toEqual({
    system: "\\u{202e}be kind",
    text: "one\ntwo\\u{200b}",
  });
  const longest = "x".repeat(8_000);
  expect(wholeOf({ system: longest, text: longest })).toEqual({ system: longest, text: longest });
  for (const text of [`${longest}x`, "\n".repeat(200), "\u200b".repeat(1_001)]) {
    expect([wholeOf({ system: text, text: "" }), wholeOf({ system: "", text })]).toEqual([null, null]);
  }
});
