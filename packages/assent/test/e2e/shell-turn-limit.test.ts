import { expect } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { until } from "./product.ts";
import { ShellPlace, type ShellWindow } from "./shell-window.ts";
import { kept } from "./terminal-product.ts";

const emptied = "\x15";
const up = "\x1b[A";

/** A session at its limit, with a persistent shell and a process in the background. */
async function atLimit(): Promise<{ place: ShellPlace; window: ShellWindow }> {
  const place = new ShellPlace([kept("cd /; A=1"), kept("sleep 300 & echo left")]);
  const window = place.window(["--max-turns", "2"]);
  await window.idle();
  window.enter("begin");
  await window.armed();
  return { place, window };
}

verifies(
  ["LIM-1f", "LIM-1g"],
  "no at the turn limit ends all that runs; what was is read, nothing is added, a fork goes on",
  async () => {
    const { place, window } = await atLimit();
    await place.runs("sleep 300");
    expect(place.marked().map((line) => line.split(" ")[1])).toEqual(["bash", "sleep"]);
    window.enter("no");
    await window.until(/^· ended: turn-limit: the limit on turns \(--max-turns\) was reached$/m);
    await window.until(
      /^· the session is aborted at its turn limit: it can be read; \/fork goes on from here in a new one$/m,
    );
    // The shell itself is still open: it is the abort that ends them, not its leaving.
    await place.nothingRuns();
    await until("both ends are recorded", () => place.eventsOf("process.ended").length === 1 || undefined);
    expect(place.eventsOf("terminal.closed")).toHaveLength(1);

    const recorded = place.events().length;
    const session = place.sessionId();
    const refused = new RegExp(`^· session ${session} is aborted; a fork of it can go on: /fork$`, "m");
    window.enter("more");
    await window.until(refused);
    // What was not taken is not in the way of the next line, and is not lost.
    await window.untilRow(/^❯ ?$/);
    expect(window.count(/^❯ more$/m)).toBe(1);
    window.type(up);
    await window.untilRow("❯ more");
    window.type(emptied);
    window.enter("!echo by hand");
    await window.until(refused, 2);
    window.enter("/history");
    await window.until(/^│ left$/m, 2);
    expect(place.assent(["resume", session])).toEqual({
      status: 5,
      stdout: "",
      stderr:
        `assent: session ${session} is aborted; its last exchange ended: turn-limit: the limit on turns (--max-turns) was reached; ` +
        `assent fork ${session} goes on from here in a new one\n`,
    });
    expect(place.events().slice(recorded)).toMatchObject([{ type: "command.entered", command: "/history" }]);
    expect(place.requests()).toHaveLength(2);

    window.enter("/fork");
    const left = `session ${session} is aborted: assent --session ${session} reads it`;
    await window.until(new RegExp(`^· ${left}; assent fork ${session} goes\\s[\\s·]*on from here`, "m"));
    await window.until(/^· session \w+ in /m);
    window.enter("go on");
    // Each session has the script from its beginning: once as it was, once in the history, once more in the fork.
    await window.until(/^▸ cd \/; A=1$/m, 3);
    const { messages = [], closing = "" } = place.requests()[2]?.request ?? {};
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant", "tool", "user"]);
    expect(closing).toMatch(/\n\ngo on$/);
  },
);
