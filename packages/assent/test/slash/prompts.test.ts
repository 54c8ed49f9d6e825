import { describe, expect, test } from "vitest";
import { completeSlash, promptCommands, readModelLine, readSlash, slashCommands } from "../../src/slash/index.ts";
import { accepted, connected, everything } from "./connected.ts";
import { TestPlace } from "./place.ts";

const city = { name: "city", description: "which one", required: true };
const prompts = [
  { name: "simple", description: "", arguments: [] },
  { name: "weather", description: "Tells the weather", arguments: [city, { ...city, name: "state", required: false }] },
  { name: "one", description: "One of \u001b[31mthem", arguments: [city] },
  { name: "an odd/name", description: "", arguments: [] },
  { name: "an odd name", description: "", arguments: [] },
  { name: "broken", description: "", arguments: [] },
];

async function placeWith(more = {}): Promise<TestPlace> {
  const integrations = await connected([{ ...everything, accepted: accepted({ prompts, ...more }) }]);
  const commands = () => [...slashCommands, ...promptCommands(integrations)];
  return new TestPlace({ around: { integrations, commands } });
}

describe("the prompts of a server", () => {
  test("are commands while it is used, each name once", async () => {
    const { around } = (await placeWith()).place;
    const names = promptCommands(around.integrations).map(({ name }) => name);
    expect(names).toEqual([
      ...["everything:simple", "everything:weather", "everything:one", "everything:an_odd_name", "everything:broken"],
    ]);
    expect(promptCommands(around.integrations)).toBe(promptCommands(around.integrations));
    const off = (await placeWith({ connected: false })).place.around;
    expect(promptCommands(off.integrations)).toEqual([]);
  });

  test.each([
    ["/everything:simple", { name: "simple", arguments: {} }],
    ["/everything:an_odd_name", { name: "an odd/name", arguments: {} }],
    ["/everything:weather city=Rome", { name: "weather", arguments: { city: "Rome" } }],
    [
      `/everything:weather city="New York" state='N Y'`,
      { name: "weather", arguments: { city: "New York", state: "N Y" } },
    ],
    ["/everything:one New York", { name: "one", arguments: { city: "New York" } }],
    ["/everything:one city=Rome", { name: "one", arguments: { city: "Rome" } }],
    ["/everything:one a=b", { name: "one", arguments: { city: "a=b" } }],
  ])("%s sends what the server makes of it", async (line, asked) => {
    const place = await placeWith();
    expect(await place.type(line)).toEqual({ type: "told", text: `sent the prompt ${asked.name} of everything` });
    expect(place.session.exchange?.prompt).toBe(JSON.stringify(asked));
  });

  test.each([
    ["/everything:simple x", 'expected no argument, found "x"'],
    ["/everything:weather", "expected city=<value>, found none"],
    ["/everything:weather Rome", 'expected name=value, found "Rome"'],
    ["/everything:weather cty=Rome", 'no argument is named "cty"; did you mean city?'],
    ["/everything:one", "expected city=<value>, found none"],
    ["/everything:broken", "everything: it did not answer"],
  ])("%s is told with what was expected", async (line, problem) => {
    const place = await placeWith();
    expect(await place.type(line)).toEqual({ type: "wrong", problem });
    expect(place.session.exchange).toBeNull();
  });

  test("are in /help and completed, with nothing in them that a terminal obeys", async () => {
    const place = await placeWith();
    const help = await place.type("/help everything:one");
    expect(help).toMatchObject({
      text: expect.stringMatching(
        /^\/everything:one city=<value>\n {2}sends a prompt of everything: One of \\u\{1b\}\[31mthem\n/,
      ),
    });
    const typed = "/everything:w";
    expect(await completeSlash(typed, typed.length, place.place)).toEqual({
      from: 0,
      choices: ["/everything:weather"],
    });
    const argument = "/everything:weather city=Rome ";
    expect((await completeSlash(argument, argument.length, place.place)).choices).toEqual(["state="]);
  });

  test("are for people alone; one that is not there is told with the nearest", async () => {
    expect(readModelLine("/everything:simple")).toMatchObject({
      refused: expect.stringContaining("no command is named"),
    });
    const { around } = (await placeWith()).place;
    expect(readSlash("/everything:simpel", around.commands())).toEqual({
      unknown: "everything:simpel",
      nearest: "everything:simple",
    });
  });
});
