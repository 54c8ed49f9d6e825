import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import type { SessionEvent } from "../../src/core/index.ts";
import { openSqliteJournal } from "../../src/runtime/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { buildInto } from "./product.ts";
import { ctrlC, ShellPlace, type ShellWindow } from "./shell-window.ts";

const source = join(import.meta.dirname, "..", "..");

/** The package as it is published, which starts itself again. */
function published(place: ShellPlace): string {
  const root = place.file("package");
  for (const part of ["bin", "demo", "package.json"]) cpSync(join(source, part), join(root, part), { recursive: true });
  const installed = [join(source, "node_modules"), join(dirname(dirname(source)), "node_modules")];
  symlinkSync(installed.find((folder) => existsSync(join(folder, "@lydell"))) ?? "", join(root, "node_modules"));
  buildInto(join(root, "dist"));
  return join(root, "bin", "assent.cjs");
}

/** The demo, whose folder is made in the place. */
function demo(place: ShellPlace): ShellWindow {
  const temporary = place.file("tmp");
  mkdirSync(temporary);
  const line = `exec '${process.execPath}' '${published(place)}' demo`;
  return place.windowOf(line, { env: { TMPDIR: temporary, ASSENT_MODEL: "" } });
}

function scratchOf(place: ShellPlace): string {
  const [folder = ""] = readdirSync(place.file("tmp")).filter((name) => name.startsWith("assent-demo-"));
  return join(place.file("tmp"), folder);
}

function eventsIn(home: string): readonly SessionEvent[] {
  const journal = openSqliteJournal(join(home, "journal.db"));
  try {
    const { sessions } = journal.outline();
    return sessions.flatMap(({ session }) => journal.read(session, 0).events.map(({ event }) => event));
  } finally {
    journal.close();
  }
}

/** The prompt of a part is in the line, and is sent. */
async function begin(window: ShellWindow, part: string, prompt: string): Promise<void> {
  await window.until(part);
  await window.untilRow(`❯ ${prompt}`);
  window.type("\r");
}

verifies(
  "CLI-6",
  "the demo goes through a question, an approval, a run, a stop, a limit, a crash and the way back",
  async () => {
    const place = new ShellPlace([]);
    const window = demo(place);
    await begin(window, "1 of 4", "clean the build and say what is left");
    expect(window.text()).toContain("The model is scripted, the commands are real");
    await window.until(/^What shall be told at the end\?$/m);
    await window.armed();
    window.enter("1");
    await window.until(/^Approve command: rm -rf build\? \(yes\/no\)$/m);
    await window.armed();
    const scratch = scratchOf(place);
    expect(existsSync(join(scratch, "project", "build"))).toBe(true);
    window.enter("yes");
    await window.until(/^│ README\.md$/m);
    await window.until("● Done. What is left is in the list above");
    expect(existsSync(join(scratch, "project", "build"))).toBe(false);

    await begin(window, "2 of 4", "follow the log for a minute");
    await window.until(/^│ log line 1$/m);
    window.type(ctrlC);
    await window.until(/^· stopping: /m);
    window.type(ctrlC);
    await window.until(/^· ended: stopped/m);

    await begin(window, "3 of 4", "what is this project?");
    await window.until(/turns.*\?/);
    await window.armed();
    window.enter("yes");
    await window.until("What this project is");

    await begin(window, "4 of 4", "remove the old notes");
    await window.until(/^Approve command: rm -rf notes && echo removed\? \(yes\/no\)$/m);
    await window.until("kill -9 of this process comes now");
    await window.until("The process was killed with kill -9.");
    expect(existsSync(join(scratch, "project", "notes"))).toBe(true);
    await window.until(/^Approve command: rm -rf notes && echo removed\? \(yes\/no\)$/m, 2);
    await window.armed();
    window.enter("yes");
    await window.until("● The notes are removed, once.");
    await window.until("That was all: the command ran once");
    await window.untilRow("❯ /exit");
    const events = eventsIn(join(scratch, "home"));
    const last = events.filter((event) => event.type === "call.started").at(-1);
    const about = events.filter((event) => "call" in event && event.call === last?.call).map(({ type }) => type);
    expect(about.filter((type) => type === "call.started" || type === "call.finished")).toEqual([
      "call.started",
      "call.finished",
    ]);
    expect(window.count(/^│ removed$/m)).toBe(1);
    expect(existsSync(join(scratch, "project", "notes"))).toBe(false);
    window.type("\r");
    expect(await window.ended).toBe(0);
    expect(window.text()).toContain("The demo is over, and its folder is gone.");
    expect(readdirSync(place.file("tmp")).filter((name) => name.startsWith("assent-demo-"))).toEqual([]);
  },
  120_000,
);
