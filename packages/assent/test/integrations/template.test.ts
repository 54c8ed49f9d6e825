import { expect, test } from "vitest";
import { readServerCommand } from "../../src/integrations/command-words.ts";
import { fill, fillAll, fillUrl, readAddress } from "../../src/integrations/template.ts";

test("a template has the values of its keys, and braces where they are doubled", () => {
  expect(fill("Bearer {token}, {{{key}}}", { token: "t", key: "k" })).toBe("Bearer t, {k}");
  expect(fill("{gone}", {})).toBeNull();
  expect(fillAll({ a: "{x}", b: "{gone}", c: "plain" }, { x: "1" })).toEqual({ a: "1", c: "plain" });
  expect(fill("{toString}", {})).toBe("");
});

function href(
  template: string,
  parameters: Readonly<Record<string, string>>,
  fields = { url: "https://a.example/base/" },
) {
  const filled = fillUrl(template, fields, parameters);
  return filled.type === "url" ? filled.url.href : filled.reason;
}

test("what a model gives stays in its place of the path or the query", () => {
  expect(href("{url}/x/{id}?q={q}&n={n}", { id: "a/b?c#d", q: "1&admin=1" })).toBe(
    "https://a.example/base/x/a%2Fb%3Fc%23d?q=1%26admin%3D1",
  );
  expect(href("{url}/x/{id}", { id: ".." })).toBe('id: expected a name, found ".."');
  expect(href("{url}/x/{id}", { id: "" })).toBe('id: expected a name, found ""');
  expect(href("{url}/x/{id}/", { id: "%2e%2e" })).toBe("https://a.example/base/x/%252e%252e/");
  expect(href("{url}/x/{id}", {})).toBe("id: is missing");
  // A parameter of the same name as a field is not where the request goes.
  expect(href("{url}/x", { url: "https://evil.example" })).toBe("https://a.example/base/x");
});

test("an address without a path behind it is taken as it is", () => {
  expect(href("{url}", {})).toBe("https://a.example/base/");
});

test.each([
  ["https://a.example", null],
  ["http://127.0.0.1:80/x", null],
  ["http://localhost", null],
  ["http://[::1]:3000", null],
  ["http://a.example", "expected https, found http, by which everyone on the way to a.example reads the secrets"],
  ["https://u:p@a.example", 'expected a URL such as https://example.com, found "https://u:p@a.example"'],
  ["https://a.example?x=1", 'expected a URL such as https://example.com, found "https://a.example?x=1"'],
  ["file:///etc/passwd", 'expected a URL such as https://example.com, found "file:///etc/passwd"'],
  ["a.example", 'expected a URL such as https://example.com, found "a.example"'],
])("the address %s is judged", (given, reason) => {
  const read = readAddress(given);
  expect(read.type === "broken" ? read.reason : null).toBe(reason);
});

test("a command is split as a shell would split it, with the variables before it", () => {
  expect(readServerCommand(`A=1 B='x y' npx -y "a b" c\\ d '' e"f"g`)).toEqual({
    type: "words",
    command: ["npx", "-y", "a b", "c d", "", "efg"],
    env: { A: "1", B: "x y" },
  });
  expect(readServerCommand("T={token} run", ["token"])).toEqual({
    type: "words",
    command: ["run"],
    env: { T: "{token}" },
  });
});

test.each([
  ["a | b", "expected one command, found |, which only a shell knows: put it in quotes, or use sh -c '…'"],
  ["a $HOME", "expected one command, found $, which only a shell knows: put it in quotes, or use sh -c '…'"],
  ['a "$(id)"', "expected one command, found $, which only a shell knows: put it in quotes, or use sh -c '…'"],
  ["a 'b", "expected one command, found a ' that nothing closes"],
  ["A=1", "expected a command or a URL, found none"],
  [
    "run --token {token}",
    "{token} goes in a variable before the command, as in TOKEN={token} run: its words are seen by others",
  ],
])("the command %s is refused", (line, reason) => {
  expect(readServerCommand(line, ["token"])).toEqual({ type: "broken", reason });
});
