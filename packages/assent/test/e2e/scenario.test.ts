import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ModelPlace } from "./model-place.ts";
import { jsonLines, Place, terminal } from "./product.ts";

const sound = `# Hello is answered
> Hello
prompt  Hello
model {"text":"Good morning."}
system  ended: answered
Good morning.
events exchange.started model.replied turn.closed exchange.ended
`;

function written(place: Place, name: string, text: string): string {
  const file = place.file(name);
  writeFileSync(file, text);
  return file;
}

test("scenarios that hold end with 0, and are listed", () => {
  const place = new Place([]);
  const files = [written(place, "one.txt", sound), written(place, "two.txt", sound)];
  const { status, stdout, stderr } = place.assent(["scenario", "run", ...files]);
  expect(stdout).toBe(files.map((file) => `ok  ${file}: Hello is answered\n`).join(""));
  expect([status, stderr]).toEqual([0, "assent: 2 of 2 scenarios hold\n"]);
});

test("one that differs ends with 1, and shows the difference line by line", () => {
  const place = new Place([]);
  const file = written(place, "one.txt", sound.replace("\nGood morning.", "\nGood evening."));
  const { status, stdout } = place.assent(["scenario", "run", file]);
  expect(stdout).toBe(
    `!!  ${file}: Hello is answered
    - was expected, + came instead
      > Hello
      prompt  Hello
      model {"text":"Good morning."}
      system  ended: answered
    - Good evening.
    + Good morning.
      events exchange.started model.replied turn.closed exchange.ended
`,
  );
  expect(status).toBe(1);
  const told = place.assent(["scenario", "run", "--json", file]);
  expect(jsonLines(told.stdout)[0]).toMatchObject({ file, title: "Hello is answered", holds: false });
});

test("one that cannot be read ends with 2, before any is played", () => {
  const place = new Place([]);
  const files = [written(place, "one.txt", sound), written(place, "two.txt", "> Hello\n")];
  expect(place.assent(["scenario", "run", ...files])).toEqual({
    status: 2,
    stdout: "",
    stderr: `assent: ${files[1]}:1: expected a title: # and a sentence, found "> Hello"\n`,
  });
  expect(place.assent(["scenario", "run", place.file("none.txt")]).status).toBe(2);
  expect(place.assent(["scenario", "play"]).stderr).toContain("scenario: expected run or record, found");
});

test("a session that really ran is recorded, and its scenario holds without running anything", () => {
  const place = new Place([terminal("echo x >> count; cat count"), { text: "It is counted." }]);
  expect(place.assent(["run", "--cwd", place.folder, "Count"]).status).toBe(0);
  const [session = ""] = place.assent(["sessions"]).stdout.split(" ");
  const out = place.file("made.txt");
  expect(place.assent(["scenario", "record", session, "--out", out])).toEqual({ status: 0, stdout: "", stderr: "" });
  expect(readFileSync(out, "utf8")).toContain('\nresult {"type":"output","text":"x\\n","exit":0');
  expect(place.assent(["scenario", "run", out]).status).toBe(0);
  expect(readFileSync(place.file("count"), "utf8")).toBe("x\n");
  expect(place.assent(["scenario", "record", session]).stdout).toBe(readFileSync(out, "utf8"));
  expect(place.assent(["scenario", "record", session, "--out", out]).status).toBe(2);
});

test("with --live a real model is asked, and no command runs", async () => {
  const model = await ModelPlace.open("openai-chat", [
    { calls: [{ tool: "terminal", arguments: { command: "touch made" } }] },
    { text: "The file is there now." },
  ]);
  const { place } = model;
  const text = `# A file is made
> Make the file made
model {"calls":[{"tool":"terminal","arguments":{"command":"touch made"}}]}
executes touch made
model {"text":"Made."}
events call.judged call.cleared call.started call.finished exchange.ended
`;
  const running = place.start(["scenario", "run", "--live", written(place, "one.txt", text)]);
  expect([await running.ended, running.output]).toEqual([0, expect.stringContaining("ok  ")]);
  expect(model.asked).toHaveLength(2);
  expect(existsSync(place.file("made"))).toBe(false);
});
