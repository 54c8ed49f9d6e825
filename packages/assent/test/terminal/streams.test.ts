import { writeSync } from "node:fs";
import { expect, test } from "vitest";
import { openRedacting } from "../../src/runtime/redaction.ts";
import type { Spill } from "../../src/terminal/spill.ts";
import { type StreamName, Streams } from "../../src/terminal/streams.ts";
import { TypedSecrets } from "../../src/terminal/typed-secrets.ts";

const token = "ghp_A1b2C3d4E5f6G7h8I9j0";
const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}\n`).join("");

/** Both outputs of a command, written to as a command would, and all that is in the file of each. */
function open(hidden: readonly string[] = [token]) {
  const files: Record<StreamName, Buffer[]> = { stdout: [], stderr: [] };
  const file = (stream: StreamName) => Buffer.concat(files[stream]);
  const spill = (stream: StreamName): Spill => ({
    ...{ path: `/out/${stream}`, state: "whole", reason: null, end() {} },
    get bytes() {
      return file(stream).length;
    },
    write: (part) => void files[stream].push(Buffer.from(part)),
  });
  const secrets = new TypedSecrets(openRedacting(() => hidden));
  const streams = new Streams({ spill, secrets, onOutput: () => {} });
  const write = async (text: string | Buffer, stream: StreamName = "stdout") => {
    writeSync(streams[stream].writer, Buffer.from(text));
    await streams.drained();
  };
  return { streams, secrets, write, file };
}

test("what must not be seen is in neither output, wherever their parts are cut", async () => {
  const { streams, write } = open();
  await write(`a ${token.slice(0, 9)}`);
  await write("b ", "stderr");
  await write(`${token.slice(9)} c`);
  await write(Buffer.from(token).toString("base64"), "stderr");
  const { stdout, stderr } = streams.end();
  expect([stdout.text, stderr.text]).toEqual(["a [secret] c", "b [secret]"]);
});

test("nor in the file of a long one, which has everything else", async () => {
  const { streams, write, file } = open();
  await write(`${token}\n${lines(4_000)}${token.slice(0, 5)}`);
  await write(`${token.slice(5)}\n`);
  const { text } = streams.end().stdout;
  expect(text.startsWith("[secret]\nline 0\n") && text.endsWith("line 3999\n[secret]\n")).toBe(true);
  expect(file("stdout").toString() === `[secret]\n${lines(4_000)}[secret]\n`).toBe(true);
});

test("bytes that are no text are in the file as they came", async () => {
  const { streams, write, file } = open();
  const bytes = Buffer.alloc(50_000, Buffer.from([0, 255, 7, 103, 104, 112, 200]));
  await write(bytes);
  expect(streams.end().stdout.binary).toBe(true);
  expect(file("stdout").equals(bytes)).toBe(true);
});

test("what was typed is hidden from then on, and in what is read of before", async () => {
  const { streams, secrets, write } = open([]);
  await write("hunter2\n");
  secrets.add("hunter2");
  await write("hunter2\n");
  expect(streams.recent()).toBe("hunter2\n[secret]\n");
  expect(streams.taken().stdout.text).toBe("[secret]\n[secret]\n");
  expect(streams.end().stdout.text).toBe("");
});

test("who reads after each character gets no more of a secret than is too short to be one", async () => {
  const { streams, write } = open();
  const taken: string[] = [];
  let recent = "";
  for (const character of `${token}.`) {
    await write(character);
    recent = streams.recent();
    taken.push(streams.taken().stdout.text);
  }
  expect([taken.join(""), recent]).toEqual(["ghp[secret].", "ghp[secret]."]);
});

test("who reads meanwhile gets all but what may be the beginning of a secret", async () => {
  const { streams, write } = open();
  await write("listening");
  expect(streams.taken().stdout.text).toBe("listening");
  await write(` ${token.slice(0, 6)}`);
  expect(streams.recent()).toBe("listening ");
  expect(streams.taken().stdout.text).toBe(" ");
  await write(token.slice(6));
  expect(streams.taken().stdout.text).toBe("[secret]");
  await write("ghp_A");
  expect(streams.end().stdout.text).toBe("ghp_A");
});
