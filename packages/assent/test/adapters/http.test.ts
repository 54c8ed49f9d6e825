import { expect, test } from "vitest";
import { bodyOf } from "../../src/adapters/http/stream.ts";
import { openStreams } from "../../src/adapters/http/streams.ts";
import { verifies } from "../requirements/verifies.ts";
import { settled, VirtualClock } from "../simulation/virtual-clock.ts";

async function* numbers(made: number[], most = 1_000): AsyncGenerator<string> {
  for (let number = 1; number <= most; number++) {
    made.push(number);
    yield `${number}\n`;
  }
}

verifies("SRV-3c", "a piece is made when one was taken, and no sooner", async () => {
  const clock = new VirtualClock();
  const made: number[] = [];
  let ended = 0;
  const body = bodyOf(numbers(made, 3), clock, () => {
    ended += 1;
  });
  await settled();
  expect(made).toEqual([]);
  const reader = body.getReader();
  const taken: string[] = [];
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    taken.push(new TextDecoder().decode(part.value));
    expect(made).toHaveLength(taken.length);
  }
  expect(taken).toEqual(["1\n", "2\n", "3\n"]);
  expect(ended).toBe(1);
});

verifies("SRV-3c", "who takes nothing for a minute is let go, and who takes slowly is not", async () => {
  const clock = new VirtualClock();
  let ended = 0;
  const reader = bodyOf(numbers([]), clock, () => {
    ended += 1;
  }).getReader();
  for (let minute = 0; minute < 5; minute++) {
    expect((await reader.read()).done).toBe(false);
    clock.advanceTo(clock.now() + 59_000);
  }
  expect(ended).toBe(0);
  while (clock.advanceTo(clock.now() + 2_000));
  expect(ended).toBe(1);
  await expect(reader.read()).rejects.toThrow("nothing was taken for too long");
});

test("one who leaves ends what was made for them", async () => {
  const clock = new VirtualClock();
  let ended = 0;
  const body = bodyOf(numbers([]), clock, () => {
    ended += 1;
  });
  const reader = body.getReader();
  await reader.read();
  await reader.cancel();
  expect(ended).toBe(1);
});

test("streams are counted for each bearer and for all, and end with the token or the server", () => {
  const clock = new VirtualClock();
  const gone = new Set<string>();
  const streams = openStreams(clock, (bearer) => !gone.has(bearer));
  const ended: string[] = [];
  const open = (bearer: string) => {
    const free = streams.open(bearer, () => {
      ended.push(bearer);
      free?.();
    });
    return free;
  };
  for (let nth = 0; nth < 128; nth++) expect(open("ann")).not.toBeNull();
  expect(open("ann")).toBeNull();
  for (const bearer of ["bo", "cy", "di"]) for (let nth = 0; nth < 128; nth++) expect(open(bearer)).not.toBeNull();
  expect([streams.count, open("eve")]).toEqual([512, null]);
  gone.add("ann");
  clock.advanceTo(clock.now() + 500);
  expect([streams.count, new Set(ended)]).toEqual([384, new Set(["ann"])]);
  streams.endAll();
  expect([streams.count, ended.length]).toEqual([0, 512]);
  // Nobody is looked after any more.
  expect(clock.advanceTo(clock.now() + 10_000)).toBe(false);
});
