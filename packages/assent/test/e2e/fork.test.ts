import { expect, test } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { counting, Place, terminal } from "./product.ts";

const [first, second] = [terminal("echo first"), { text: "Half of it." }];

/** The id of the session that was forked last, and what was told of it. */
function forked(place: Place, ...more: readonly string[]): { readonly session: string; readonly told: string } {
  const { status, stdout, stderr } = place.assent(["fork", ...more]);
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^\w+\n$/) });
  return { session: stdout.trim(), told: stderr };
}

verifies(
  ["LIM-1g", "SESS-3a"],
  "whatever meets a session that is at its turn limit names --max-turns and assent fork, and a fork goes on",
  () => {
    const place = new Place([first, second]);
    const ran = place.assent(["run", "--max-turns=1", "count"]);
    const [{ session = "" } = {}] = place.sessions();
    const way = `assent fork ${session} goes on from here in a new one`;
    expect(ran.status).toBe(5);
    expect(ran.stderr).toContain(
      "\nsystem  ended: turn-limit: the limit on turns (--max-turns) was reached\n" +
        `system  the session is aborted at its turn limit: it can be read; ${way}\n`,
    );
    expect(place.assent(["resume", session])).toEqual({
      ...{ status: 5, stdout: "" },
      stderr:
        `assent: session ${session} is aborted; its last exchange ended: turn-limit: ` +
        `the limit on turns (--max-turns) was reached; ${way}\n`,
    });
    expect(place.assent(["run", "--session", session, "more"])).toEqual({
      ...{ status: 2, stdout: "" },
      stderr: `assent: session ${session} is aborted; a fork of it can go on: assent fork ${session}\n`,
    });
    expect(place.assent(["run", "--continue", "more"])).toEqual({
      ...{ status: 2, stdout: "" },
      stderr: `assent: the newest session here, ${session}, is aborted: ${way}\n`,
    });
    // To be read it is opened all the same.
    expect(place.assent(["--continue"], "/status\n").stdout).toContain(`${session}, aborted`);
    expect(place.assent(["stop", session])).toMatchObject({
      stderr: `assent: session ${session} is aborted; a fork of it can go on\n`,
    });
    const { stdout, stderr } = place.assent(["--session", session], "more\n");
    expect(`${stdout}${stderr}`).toContain(`system  session ${session} is aborted; a fork of it can go on: /fork\n`);
    const { session: next, told } = forked(place, session.slice(0, 6));
    expect(told).toBe(
      `assent: session ${next} begins where ${session} is: assent run --session ${next} <prompt>, ` +
        `or assent --session ${next}, goes on; after 1 turn you are asked again, unless --max-turns says otherwise\n`,
    );
    const again = place.assent(["run", "--session", next, "--max-turns=9", "go on"]);
    expect([again.status, again.stdout]).toEqual([0, "Half of it.\n"]);
    const roles = place
      .requests()
      .at(-1)
      ?.request.messages.map(({ role }) => role);
    expect(roles?.slice(0, 3)).toEqual(["user", "assistant", "tool"]);
  },
);

verifies("SESS-3a", "a session that was ended for want of a person goes on in a fork, too", () => {
  const place = new Place([terminal(counting), terminal(counting)]);
  const { stderr } = place.assent(["run", "--unattended=abort", "count"]);
  const [{ session = "" } = {}] = place.sessions();
  expect(stderr).toContain(
    `system  the session is aborted, for nobody was there to be asked: it can be read; assent fork ${session} goes on from here`,
  );
  expect(forked(place).told).not.toContain("--max-turns");
  // It is the newest now.
  expect(place.assent(["run", "--continue", "--unattended=park", "count"]).status).toBe(4);
});

test("a fork of nothing is a mistake", () => {
  const place = new Place([]);
  expect(place.assent(["fork"])).toMatchObject({ status: 2, stderr: expect.stringContaining("no session was in") });
  expect(place.assent(["fork", "none"])).toMatchObject({
    ...{ status: 2, stdout: "" },
    stderr: 'assent: no session has the id or name "none"\n',
  });
});
