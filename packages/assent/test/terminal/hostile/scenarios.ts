import { existsSync } from "node:fs";
import { join } from "node:path";
import { descriptors, marked, zombies } from "./processes.ts";
import { eventually, ours, Room } from "./room.ts";

/** What is no row of commands and results. */
export type Scenario = {
  readonly name: string;
  readonly requirement: string;
  readonly play: () => Promise<readonly string[]>;
};

export const scenarios: readonly Scenario[] = [
  {
    name: "twenty commands of twenty sessions that are stopped at once all end, with all that they started",
    requirement: "STOP-3",
    play: stopTwenty,
  },
  {
    name: "closing a session while its command runs ends the command",
    requirement: "TERM-5",
    play: closeWhileRunning,
  },
  {
    name: "closing one session leaves what another has started",
    requirement: "TERM-5",
    play: closeOneOfTwo,
  },
  {
    name: "after a thousand commands there is no zombie and no descriptor more than before",
    requirement: "TERM-7",
    play: thousand,
  },
];

async function stopTwenty(): Promise<readonly string[]> {
  const controller = new AbortController();
  const rooms = Array.from({ length: 20 }, () => new Room());
  const command = `bash '${join(import.meta.dirname, "programs", "respawns.sh")}'`;
  const pending = rooms.map((room) => room.call("terminal", { command }, { signal: controller.signal }));
  const settled = Promise.allSettled(pending);
  const areReady = await eventually(() => rooms.every(({ here }) => existsSync(join(here, "ready"))));
  controller.abort("stopped");
  const results = await settled;
  const failures = areReady ? [] : ["expected twenty commands that are ready, came fewer"];
  for (const result of results) {
    if (result.status === "rejected") failures.push(String(result.reason));
    else if (!/kill/i.test(result.value.text)) failures.push(`expected a text with kill, came ${result.value.text}`);
  }
  // By what they carry: of the many pids that were written down some are another's by now, where much is started.
  const areGone = await eventually(() => rooms.every(({ session }) => marked(`${session}/`).length === 0), 3_000);
  if (!areGone) failures.push("expected nothing left when all had returned");
  return [...failures, ...(await closeAll(rooms))];
}

async function closeWhileRunning(): Promise<readonly string[]> {
  const rooms = [new Room(), new Room()];
  const command = "echo $$ >> pids; trap '' TERM; : > ready; while :; do sleep 0.05; done";
  const pending = rooms.map((room, index) => room.call("terminal", { command, persistent: index === 1 }));
  const settled = Promise.allSettled(pending);
  await eventually(() => rooms.every(({ here }) => existsSync(join(here, "ready"))));
  const failures = await closeAll(rooms);
  const results = await settled;
  return [...failures, ...results.flatMap((result) => (result.status === "rejected" ? [String(result.reason)] : []))];
}

async function closeOneOfTwo(): Promise<readonly string[]> {
  const first = new Room();
  const second = new Room();
  const command = "sleep 1000 > /dev/null 2>&1 & echo $! >> pids";
  await first.call("terminal", { command });
  await second.call("terminal", { command });
  await second.call("terminal", { command: "kept=1", persistent: true });
  const failures = [...(await first.close())];
  if (second.reported().length !== 1) failures.push("expected the other session's process to live, came none");
  const { text } = await second.call("terminal", { command: "echo kept-$kept", persistent: true });
  if (!text.includes("kept-1")) failures.push(`expected the other session's shell to live, came ${text}`);
  return [...failures, ...(await second.close())];
}

/** Five sessions at a time: a quarter one-off, a quarter persistent, a quarter with errors, a quarter that leaves something. */
async function thousand(): Promise<readonly string[]> {
  const before = descriptors().size;
  const failures: string[] = [];
  for (let round = 0; round < 10; round++) {
    const rooms = Array.from({ length: 5 }, () => new Room());
    const found = await Promise.all(rooms.map((room, index) => twenty(room, round * 5 + index)));
    failures.push(...found.flat(), ...(await closeAll(rooms)));
  }
  const settled = () => zombies().length === 0 && descriptors().size <= before && marked(ours).length === 0;
  if (!(await eventually(settled, 5_000))) {
    const counts = `${zombies().length} zombies, ${descriptors().size} descriptors, ${marked(ours).length} processes`;
    failures.push(`expected no zombies, ${before} descriptors and no processes, came ${counts}`);
  }
  return failures.slice(0, 10);
}

async function twenty(room: Room, salt: number): Promise<readonly string[]> {
  const failures: string[] = [];
  for (let n = 0; n < 20; n++) {
    const persistent = n >= 10;
    const [command, exit] = commandOf(n, salt);
    const result = await room.call("terminal", { command, persistent });
    const text = `${salt}-${n}`;
    if (result.exit !== exit || !result.text.includes(text)) {
      failures.push(`expected exit ${exit} and ${text} of ${command}, came ${JSON.stringify(result).slice(0, 300)}`);
    }
  }
  return failures;
}

function commandOf(n: number, salt: number): readonly [command: string, exit: number] {
  const text = `${salt}-${n}`;
  switch (n % 4) {
    case 0:
      return [`echo ${text}`, 0];
    case 1:
      return [`echo ${text} >&2; (exit ${n})`, n];
    case 2:
      return [`echo ${text} | cat | cat`, 0];
    default:
      return [`sleep 0.1 & echo ${text}`, 0];
  }
}

async function closeAll(rooms: readonly Room[]): Promise<readonly string[]> {
  return (await Promise.all(rooms.map((room) => room.close()))).flat();
}
