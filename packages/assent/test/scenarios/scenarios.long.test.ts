import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { difference, playScenario, readScenario } from "../../src/scenarios/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { scenariosIn } from "./files.ts";

const languages = ["english", "russian"] as const;
/** The classes of SCEN-1: what may come between what a person types and what happens. */
const classes = [
  "commands",
  "tool-selection",
  "approval",
  "flows",
  "stop",
  "limits",
  "outage",
  "overflow",
  "steering",
] as const;

describe.each([...languages, ...classes])("%s", (folder) => {
  for (const { file, text } of scenariosIn(folder)) {
    const [title = ""] = text.split("\n");
    verifies("SCEN-1", title.replace(/^# /u, ""), () => holds(file, text));
  }
});

test("every scenario of the contract is there in both languages", () => {
  const [english, russian] = languages.map((name) => readdirSync(new URL(`${name}/`, import.meta.url)).toSorted());
  expect(russian).toEqual(english);
});

verifies("SCEN-1", "each class has its scenarios, and all of them ask for events", () => {
  const all = classes.map((name) => [name, scenariosIn(name)] as const);
  expect(all.filter(([, scenarios]) => scenarios.length < 8).map(([name]) => name)).toEqual([]);
  expect(all.flatMap(([, scenarios]) => scenarios).filter(({ text }) => !/^events /mu.test(text))).toEqual([]);
});

test("no two scenarios of the classes have the same title", () => {
  const titles = classes.flatMap(scenariosIn).map(({ text }) => text.split("\n")[0]);
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
});

test("there is no folder of scenarios that nobody plays", () => {
  const folders = readdirSync(new URL(".", import.meta.url), { withFileTypes: true }).filter((each) =>
    each.isDirectory(),
  );
  expect(folders.map(({ name }) => name).toSorted()).toEqual([...languages, ...classes].toSorted());
});

async function holds(file: string, text: string): Promise<void> {
  const found = await differenceOf(file, text);
  if (found !== null) throw new Error(`${file}: - was expected, + came instead\n${found}`);
}

async function differenceOf(file: string, text: string): Promise<string | null> {
  const read = readScenario(file, text);
  if (read.type === "malformed") throw new Error(read.reason);
  const { came } = await playScenario(read.scenario);
  return difference(read.scenario.expected, came);
}

// ── The tests can fail ─────────────────────────────────────────────────────────────────────────────────────────────

const sound = `# A file is made, then its colour is asked for
> Make it
prompt  Make it
model {"calls":[{"tool":"terminal","arguments":{"command":"echo made"}}]}
tool    $ echo made
executes echo made
tool    ran echo made
model {"text":"Let me know which colour you want."}
model {"text":"Which colour is it?\\n\\n1) Red\\n2) Blue"}
Which colour is it?

1) Red
2) Blue
events not interaction.resolved
again 1
> 1
system  answered by ada in test: 1
model {"text":"It is red."}
system  ended: answered
It is red.
events interaction.resolved model.replied turn.closed exchange.ended
requests 4
told Red
untold Let me know
`;

test("a scenario that holds has no difference", async () => {
  expect(await differenceOf("sound", sound)).toBeNull();
});

test.each<[what: string, from: string, to: string, expected: readonly string[], came: readonly string[]]>([
  ["an output that differs", "\nIt is red.", "\nIt is blue.", ["It is blue."], ["It is red."]],
  ["an output that is missing", "2) Blue\nevents", "events", [], ["2) Blue"]],
  ["an output that never comes", "> 1\n", "> 1\nagent   Well.\n", ["agent   Well."], []],
  ["options in another order", "1) Red\n2) Blue\n", "1) Blue\n2) Red\n", ["1) Blue", "2) Red"], ["1) Red", "2) Blue"]],
  ["a command that was not expected to run", "executes echo made\n", "", [], ["executes echo made"]],
  ["a command that does not run", "> 1\n", "> 1\nexecutes echo red\n", ["executes echo red"], []],
  [
    "other events",
    " turn.closed exchange.ended",
    "",
    ["events interaction.resolved model.replied"],
    ["events interaction.resolved model.replied turn.closed exchange.ended"],
  ],
  [
    "an event that must not be",
    "events not interaction.resolved",
    "events not reply.discarded",
    ["events not reply.discarded"],
    [
      "events exchange.started model.replied call.judged call.cleared call.started call.finished turn.closed reply.discarded model.replied turn.closed interaction.requested",
    ],
  ],
  ["another number of requests", "requests 4", "requests 3", ["requests 3"], ["requests 4"]],
  ["a request that is no repetition", "again 1", "again 2", ["again 2"], ["again 1"]],
  ["another text for the model", "\ntold Red", "\ntold red", ["told red"], ["told Red"]],
  [
    "a text that the model was told",
    "untold Let me know",
    "untold echo made",
    ["untold echo made"],
    ["told echo made"],
  ],
])("it finds %s", async (_what, from, to, expected, came) => {
  const found = (await differenceOf("changed", sound.replace(from, to)))?.split("\n") ?? [];
  expect(found.filter((line) => line.startsWith("- "))).toEqual(expected.map((line) => `- ${line}`));
  expect(found.filter((line) => line.startsWith("+ "))).toEqual(came.map((line) => `+ ${line}`));
});

test("it finds a reply of the model that was never asked for, and one that is missing", async () => {
  const more = await differenceOf("more", `${sound}> Go on\nprompt  Go on\nmodel {"text":"a"}\nmodel {"text":"b"}\n`);
  expect(more).toContain('\n- model {"text":"b"}');
  const fewer = await differenceOf("fewer", sound.replace('model {"text":"It is red."}\n', ""));
  expect(fewer).toContain("+ system  the model failed (script-ended): the script of the scenario has 3 replies");
});

test("the difference shows both whole, in order", () => {
  expect(difference(["a", "b", "c"], ["a", "x", "c", "d"])).toBe("  a\n- b\n+ x\n  c\n+ d");
  expect(difference(["a", ""], ["a", ""])).toBeNull();
});

test.each([
  ["no title", "> hi\n", '1: expected a title: # and a sentence, found "> hi"'],
  ["nothing", "", "1: expected a title: # and a sentence, found an empty line"],
  ["no line end", "# T\n> hi", "2: expected a line end after the last line, found none"],
  ["nothing typed", "# T\n", "1: expected > and what a person types, found the end"],
  ["output before anything is typed", "# T\nhello\n", '2: expected > and what a person types, found "hello"'],
  ["a model before anything is typed", '# T\nmodel {"text":""}\n', "2: expected > and what a person types"],
  ["a session with nothing typed", "# T\n> a\nsession\n", "3: expected > and what a person types, found the end"],
  ["a model line that is no JSON", "# T\n> a\nmodel {\n", '3: expected one line of a script, found "{" (expected JSON'],
  ["a model line without a reply", "# T\n> a\nmodel\n", "3: expected one line of a script, found nothing"],
  ["a model line with an unknown field", '# T\n> a\nmodel {"txt":""}\n', "3: expected one line of a script, found"],
  ["an unknown event", "# T\n> a\nevents made.up\n", '3: expected the type of an event, found "made.up"'],
  ["no event", "# T\n> a\nevents\n", "3: expected the type of an event, found an empty line"],
  ["no number", "# T\n> a\nrequests few\n", '3: expected requests and a number, found "few"'],
  ["no text", "# T\n> a\ntold\n", "3: expected told and a text, found none"],
  ["output after a check", "# T\n> a\nrequests 1\nhello\n", '4: expected output before what is checked, found "hello"'],
])("a file with %s is malformed, and says where", (_what, text, message) => {
  const read = readScenario("broken.txt", text);
  expect(read.type === "malformed" ? read.reason : read.type).toContain(`broken.txt:${message}`);
});
