import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openRedacting, redact } from "../../src/runtime/redaction.ts";

const token = "ghp_A1b2C3d4E5f6G7h8I9j0";
const odd = "p@ss \"w\\ö/rd'&+ 1!";
const key = `-----BEGIN PRIVATE KEY-----\n${"MIIEvQIBADANBgkqhkiG9w0BAQEFAASC"}\n${"BKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"}\n-----END PRIVATE KEY-----\n`;

const base64 = (text: string) => Buffer.from(text).toString("base64");
const broken = (text: string, width: number) => text.replaceAll(new RegExp(`.{${width}}`, "g"), "$&\n");

describe("a value is hidden", () => {
  test.each([
    ["as it is", `a ${token} b`, "a [secret] b"],
    ["in base64 of itself", base64(token), "[secret]"],
    ["in base64 of a text that it stands in", base64(`user:${token}`), "dXNlcjp[secret]A="],
    ["in hexadecimal digits", Buffer.from(token).toString("hex"), "[secret]"],
    ["in large hexadecimal digits", `x${Buffer.from(token).toString("hex").toUpperCase()}y`, "x[secret]y"],
    ["in digits broken into lines", `${broken(Buffer.from(token).toString("hex"), 20)}\n`, "[secret]\n"],
    ["twice", `${token}${token}`, "[secret][secret]"],
    ["beside a mark", `[secret]${token}`, "[secret][secret]"],
  ])("%s", (_, text, shown) => {
    expect(redact(text, [token])).toBe(shown);
  });

  test.each([
    ["JSON", JSON.stringify({ odd })],
    ["JSON in JSON", JSON.stringify(JSON.stringify([odd]))],
    ["JSON with nothing but ASCII", JSON.stringify([odd]).replaceAll("ö", "\\u00f6")],
    ["a URL", `https://x.test/?a=${encodeURIComponent(odd)}&b=${encodeURIComponent(odd).toLowerCase()}`],
    ["a form", new URLSearchParams({ odd }).toString()],
    ["a path", encodeURI(odd)],
    ["what printf %q shows", "p@ss\\ \\\"w\\\\ö/rd\\'\\&+\\ 1\\!"],
    ["what set -x shows", "'p@ss \"w\\ö/rd'\\''&+ 1!'"],
  ])("in %s", (_, text) => {
    const shown = redact(text, [odd]);
    expect(shown).toContain("[secret]");
    expect(shown).not.toMatch(/ss|rd|1/);
  });

  test("in base64 wherever it stands, in both alphabets, whole or broken into lines", () => {
    const value =
      "\u00ff?>~long enough to be broken by whoever encodes it, three lines or four of them at the usual width";
    const values = [value];
    const own = base64(value).slice(4, 20);
    for (let before = 0; before < 90; before += 1) {
      const whole = base64(`${"-".repeat(before)}${value}${"=".repeat(40)}`);
      for (const text of [
        whole,
        broken(whole, 76),
        broken(whole, 64).replaceAll("\n", "\r\n"),
        encodeURIComponent(whole),
      ]) {
        const shown = redact(text, values);
        expect(shown.split("[secret]")).toHaveLength(2);
        expect(shown).not.toContain(own);
        expect(shown.length).toBeLessThan(((before + 40) * 4) / 3 + 50);
      }
      const plain = whole.replaceAll("+", "-").replaceAll("/", "_");
      expect(redact(plain, values).split("[secret]")).toHaveLength(2);
    }
  });

  test("by each line of a key, but not by the lines around it", () => {
    expect(redact(key, [key])).toBe("[secret]\n");
    expect(redact(key.replaceAll("\n", "\r\n"), [key])).toBe("[secret]\r\n");
    expect(redact("-----BEGIN PRIVATE KEY-----\n  MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n", [key])).toBe(
      "-----BEGIN PRIVATE KEY-----\n  [secret]\n",
    );
    expect(redact(JSON.stringify({ key }), [key])).toBe('{"key":"[secret]\\n"}');
  });
});

test("of a long value, half of it is hidden as well: what was cut off may be little", () => {
  const values = [token];
  for (const form of [token, base64(token), Buffer.from(token).toString("hex")]) {
    for (let length = 0; length < form.length; length += 1) {
      const text = `${form.slice(0, length)} and more`;
      expect(redact(text, values)).toBe(length < form.length / 2 ? text : "[secret] and more");
    }
  }
  expect(redact("hunter", ["hunter2"])).toBe("hunter");
});

describe("what is no value stays", () => {
  test("where there is none, the same text comes back", () => {
    expect(redact("nothing here", [])).toBe("nothing here");
    expect(redact("nothing here, ghp_A1b2C3", [token])).toBe("nothing here, ghp_A1b2C3");
    expect(redact("abc", ["abc", " ab ", ""])).toBe("abc");
  });

  test("a mark is not hidden again, also by who has chosen its word", () => {
    const once = redact("my secret is secret", ["secret"]);
    expect(once).toBe("my [secret] is [secret]");
    expect(redact(once, ["secret"])).toBe(once);
  });

  test("an empty line ends what is encoded", () => {
    const text = base64(token).replace(/^(.{8})/, "$1\n\n");
    expect(redact(text, [token])).toBe(text);
  });
});

describe("in parts", () => {
  const words = fc.constantFrom(
    ...[
      "a",
      "g",
      "gh",
      "ghp_",
      token,
      token.slice(0, 9),
      token.slice(9),
      odd,
      odd.slice(0, 5),
      "[",
      "[secret]",
      "\n",
      "\r\n",
    ],
    ...[
      base64(token),
      base64(`:${token}`),
      base64(`ab${token}`).slice(0, 12),
      broken(base64(odd), 5),
      "\u001b[1m",
      "ö",
      "😀",
    ],
    ...[encodeURIComponent(odd), JSON.stringify(odd), Buffer.from(token).toString("hex"), "aaaa", "aaaab", "Z2"],
  );
  const values = [token, odd, "aaaa", "aaab", "baaa"];
  const shownOf = (parts: readonly Buffer[], release = false) => {
    const redactor = openRedacting(() => values).bytes(() => []);
    const shown = parts.flatMap((part) => {
      // The caller uses its buffer again.
      const given = Buffer.from(part);
      const first = Buffer.from(redactor.add(given));
      given.fill("#");
      return release ? [first, Buffer.from(redactor.release())] : [first];
    });
    return Buffer.concat([...shown, redactor.end()]);
  };

  test("the same comes out however it is cut, and no value", () => {
    const text = fc.array(words, { maxLength: 12 }).map((all) => all.join(""));
    fc.assert(
      fc.property(text, fc.array(fc.nat({ max: 400 })), (whole, cuts) => {
        const bytes = Buffer.from(whole);
        const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort(
          (a, b) => a - b,
        );
        const parts = places.map((at, index) => bytes.subarray(at, places[index + 1] ?? bytes.length));
        const shown = shownOf(parts).toString();
        expect(shown).toBe(redact(whole, values));
        expect(shownOf([...bytes].map((byte) => Buffer.from([byte]))).toString()).toBe(shown);
        for (const form of [...values, base64(token).slice(0, 31), encodeURIComponent(odd)])
          expect(shown).not.toContain(form);
      }),
      { numRuns: 300 },
    );
  });

  test("any bytes pass unchanged where no value is", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (parts) => {
        const all = parts.map((part) => Buffer.from(part));
        const bytes = Buffer.concat(all);
        fc.pre(!bytes.includes("aaa"));
        expect(shownOf(all).equals(bytes)).toBe(true);
        expect(shownOf(all, true).equals(bytes)).toBe(true);
      }),
    );
  });

  test("what is too short to be a value is released, and the rest of one is hidden all the same", () => {
    const redactor = openRedacting(() => [token]).bytes(() => []);
    const give = (text: string) => redactor.add(Buffer.from(text)).toString();
    expect(give("loading")).toBe("loadin");
    expect(redactor.release().toString()).toBe("g");
    expect(give(" ghp")).toBe(" ");
    expect(redactor.release().toString()).toBe("ghp");
    expect(give(`${token.slice(3)}.`)).toBe("[secret].");
    expect(give(` ${token.slice(0, 4)}`)).toBe(" ");
    expect(redactor.release().toString()).toBe("");
    expect(redactor.end().toString()).toBe("ghp_");
  });

  test("who wants to see each character at once sees no more of a value than is too short to be one", () => {
    for (const [value, form] of [
      ["hunter22", "hunter22"],
      [token, token],
      [token, base64(token)],
    ] as const) {
      const redactor = openRedacting(() => [value]).bytes(() => []);
      const shown = [...Buffer.from(form)].map((byte) => `${redactor.add(Buffer.from([byte]))}${redactor.release()}`);
      expect(`${shown.join("")}${redactor.end()}`).toBe(`${form.slice(0, 3)}[secret]`);
    }
  });

  test("what is typed meanwhile is hidden from then on, also where it has begun", () => {
    let typed: readonly string[] = [];
    let hidden: readonly string[] = [];
    const redacting = openRedacting(() => hidden);
    const redactor = redacting.texts(() => typed);
    expect(redactor.add("hunter2 ")).toBe("hunter2 ");
    typed = ["hunter2"];
    expect(redactor.add("hunter2 hunt")).toBe("[secret] ");
    typed = ["hunter2", "huntsman"];
    expect(redactor.add("s")).toBe("");
    hidden = [token];
    redacting.now([]);
    expect(redactor.add(`man ${token}`)).toBe("[secret] [secret]");
    typed = [];
    expect(redactor.add("hunter2 ")).toBe("hunter2 ");
    expect(redactor.end()).toBe("");
  });

  test("what was known once stays hidden, though it was replaced or removed since", () => {
    let hidden: readonly string[] = ["first-token"];
    const redacting = openRedacting(() => hidden);
    const shown = () => redacting.now([])?.("first-token other-token");
    expect(shown()).toBe("[secret] other-token");
    hidden = ["other-token"];
    expect(shown()).toBe("[secret] [secret]");
    hidden = [];
    expect(shown()).toBe("[secret] [secret]");
    expect(redacting.texts(() => []).add("first-token.")).toBe("[secret].");
  });

  test("with nothing to hide, every part is given as it came", () => {
    const part = Buffer.from("as it came");
    const redacting = openRedacting(() => []);
    expect(redacting.bytes(() => []).add(part)).toBe(part);
    expect(redacting.now([])).toBe(null);
    expect(
      openRedacting(() => [token])
        .bytes(() => [])
        .add(part.fill(".")),
    ).toBe(part);
  });
});
