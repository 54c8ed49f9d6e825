import { expect, test } from "vitest";
import { difference, playScenario, readScenario } from "../../src/scenarios/index.ts";

async function cameOf(text: string): Promise<readonly string[]> {
  const read = readScenario("test.txt", text);
  if (read.type === "malformed") throw new Error(read.reason);
  return (await playScenario(read.scenario)).came;
}

async function differing(text: string): Promise<readonly string[]> {
  const came = await cameOf(text);
  const found = difference(text.split("\n").slice(1, -1), came) ?? "";
  return found.split("\n").filter((line) => /^[-+]/u.test(line));
}

test.each([
  [
    "a limit that there is none",
    "limits speed=3\n> a\n",
    '2: expected limits and pairs such as turns=2, found "speed=3"',
  ],
  ["a limit of nothing", "limits turns=0\n> a\n", "2: expected limits and pairs such as turns=2, found"],
  ["a limit in the middle", "> a\nlimits turns=1\nsession\n", "4: expected > and what a person types, found the end"],
  ["another word for offers", "offers maybe\n> a\n", '2: expected regenerate, warn, off, found "maybe"'],
  ["another word for nobody", "unattended maybe\n> a\n", '2: expected deny, park, abort, found "maybe"'],
  ["no time", "expires soon\n> a\n", '2: expected expires and a number of seconds, found "soon"'],
  ["a folder beside", "folder work\n> a\n", '2: expected folder and an absolute path, found "work"'],
  ["another kind of command", "commands false\n> a\n", '2: expected commands real, found "false"'],
  ["a pause of no length", "> a\nlater on\n", '3: expected later and a number of seconds, found "on"'],
  ["a flow without steps", "flow {}\n", "2: expected the steps of a flow, found"],
  ["typing while nothing is under way", "> a\n>> b\n", '3: expected >> after model or executes, found ">> b"'],
  ["a further line of nothing", "> a\nb\n>| c\n", '4: expected >| after what is typed, found ">| c"'],
  ["a result of nothing", '> a\nresult {"type":"output","text":""}\n', "3: expected result after executes, found"],
  ["a result of another kind", '> a\nexecutes b\nresult {"type":"x","text":""}\n', "4: expected the result of a tool"],
  ["a result with a field too many", '> a\nexecutes b\nresult {"type":"output","text":"","code":1}\n', "code"],
  ["a verdict of another kind", '> a\njudged {"verdict":"maybe"}\n', "3: expected a verdict with its rule and reason"],
])("a file with %s is malformed, and says where", (_what, text, message) => {
  const read = readScenario("broken.txt", `# T\n${text}`);
  expect(read.type === "malformed" ? read.reason : read.type).toContain(message);
});

const told = 'model {"calls":[{"tool":"terminal","arguments":{"command":"echo a"}}]}';

test("the words of a model cannot pass for a line of the file", async () => {
  const lines = ["> typed", "# comment", "model {}", "session", "executes rm", "\\n", "events x", "plain", "sessions"];
  const came = await cameOf(`# T\n> a\nmodel ${JSON.stringify({ text: lines.join("\n") })}\n`);
  const shown = ["\\> typed", "\\# comment", "\\model {}", "\\session", "\\executes rm", "\\\\n", "\\events x"];
  expect(came.slice(-lines.length)).toEqual([...shown, "plain", "sessions"]);
  const text = `# T\n${came.join("\n")}\n`;
  expect(await differing(text)).toEqual([]);
});

test("a result stands for the command that it follows, and for no other", async () => {
  const result = 'result {"type":"output","text":"from the file"}';
  const came = await cameOf(`# T\n> a\n${told}\nexecutes echo b\n${result}\nmodel {"text":"Done."}\n`);
  expect(came).toContain("tool    ran echo a");
  expect(came).not.toContain(result);
});

test("a verdict that nobody asks for is found", async () => {
  const judged = 'judged {"verdict":"deny","rule":"none","reason":"none"}';
  const text = `# T\n> a\nprompt  a\nmodel {"text":"b"}\n${judged}\nsystem  ended: answered\nb\n`;
  expect(await differing(text)).toEqual([`- ${judged}`]);
});

test("what is typed while something is under way that never comes is found", async () => {
  const text = '# T\n> a\nprompt  a\nmodel {"text":"b"}\nsystem  ended: answered\nb\nexecutes c\n>> stop\n';
  expect(await differing(text)).toEqual(["- executes c", "- >> stop"]);
});

test("a command with several lines is one line of the file", async () => {
  const model = 'model {"calls":[{"tool":"terminal","arguments":{"command":"echo a\\necho b"}}]}';
  expect(await cameOf(`# T\n> a\n${model}\nmodel {"text":"Done."}\n`)).toContain("executes echo a\\necho b");
});

test("lines may be taken up in another way than the shell's", async () => {
  const read = readScenario("test.txt", "# T\n> a\n");
  if (read.type === "malformed") throw new Error(read.reason);
  const { came } = await playScenario(read.scenario, {
    typing: (line) => ({ type: "taken", shown: `heard ${line}\n` }),
  });
  expect(came).toEqual(["> a", "heard a"]);
});
