import { userInfo } from "node:os";
import { describe, expect } from "vitest";
import { counting, needsTerminal, noTerminal, Place, terminal, until } from "../e2e/product.ts";
import { ctrlD, ShellPlace } from "../e2e/shell-window.ts";
import { verifies } from "../requirements/verifies.ts";
import { done, recorded, Served, tokenFor, typesOf } from "./served.ts";
import { Streamed } from "./streamed.ts";

const replies = [terminal(counting), done];
const me = userInfo().username;

/** How the only question of a session was answered, as it is recorded. */
function resolutionOf(place: Place, session: string) {
  const [event] = recorded(place, session).flatMap((each) =>
    each.event.type === "interaction.resolved" ? [each.event] : [],
  );
  if (event === undefined || !("by" in event) || !("shown" in event)) throw new Error("nobody answered");
  const { state, by, shown } = event;
  return { state, by, shown };
}

const digest = expect.stringMatching(/^sha256:[0-9a-f]{64}$/);

describe.skipIf(noTerminal)(`a question that a terminal and a server share${needsTerminal}`, () => {
  verifies(
    ["INT-6c", "INT-10b", "SESS-4h"],
    "is answered over HTTP and closes in the terminal, which says who answered and does the work",
    async () => {
      const place = new Place(replies);
      const served = await Served.at(place);
      const run = place.startInTerminal(["run", "count it"]);
      await run.shows("2) No");
      const id = await place.question();
      const session = id.split("-")[0] ?? "";
      const { holder } = (await served.call(`/v1/sessions/${session}`)).body;
      expect(holder.pid).not.toBe(served.pid);
      expect((await served.respond(id, { confirmed: true }, { token: tokenFor(place, "Ann") })).status).toBe(200);
      await run.shows("answered by Ann in http: yes");
      expect(await run.ended).toBe(0);
      expect(run.output).toContain("Done.");
      expect(place.read("count")).toBe("x\n");
      expect(place.requests()).toHaveLength(2);
      expect(served.running.output).not.toContain("goes on");
      expect(resolutionOf(place, session)).toEqual({
        ...{ state: "answered", by: { name: "Ann", adapter: "http" }, shown: null },
      });
      await served.end();
    },
  );

  verifies(
    ["INT-6c", "INT-10b"],
    "is answered in the terminal and closes for who follows over HTTP, with who answered",
    async () => {
      const place = new Place(replies);
      const served = await Served.at(place);
      const run = place.startInTerminal(["run", "count it"]);
      await run.shows("2) No");
      const id = await place.question();
      const session = id.split("-")[0] ?? "";
      const follows = await Streamed.of(served, `/v1/sessions/${session}/events`);
      await run.answer("1");
      expect(await run.ended).toBe(0);
      await follows.has("it is closed", () =>
        follows.messages.some(({ data }) => data.includes("interaction.resolved")),
      );
      const by = { name: me, adapter: expect.stringMatching(/^terminal pts/) };
      expect(await served.respond(id, { confirmed: false })).toMatchObject({
        status: 409,
        body: { error: { code: "already_resolved", winner: { state: "answered", by } } },
      });
      expect(resolutionOf(place, session)).toEqual({ state: "answered", by, shown: digest });
      expect(place.read("count")).toBe("x\n");
      follows.close();
      await served.end();
    },
  );

  verifies(
    ["INT-6c", "INT-10b"],
    "and that the server has asked is answered by a command, or in a terminal that follows",
    async () => {
      const place = new Place([]);
      const served = await Served.at(place);
      const { session, id } = await served.asked(replies);
      const watching = place.startInTerminal(["resume", session]);
      await watching.shows("2) No");
      expect(place.assent(["answer", id, "yes"])).toMatchObject({ status: 0 });
      await watching.shows(`answered by ${me} in answer: yes`);
      expect(await watching.ended).toBe(0);
      expect(resolutionOf(place, session)).toEqual({
        ...{ state: "answered", by: { name: me, adapter: "answer" }, shown: null },
      });
      expect((await served.respond(id, { confirmed: true })).status).toBe(409);
      expect(await served.outcome(session)).toBe("answered");
      expect(place.read("count")).toBe("x\n");
      await served.end();
    },
  );

  verifies(
    ["SESS-4f", "INT-6c", "INT-10b"],
    "a shell holds its session from opening to closing, and shows who answered elsewhere",
    async () => {
      const place = new ShellPlace([terminal(counting), done, terminal("rm -rf none; echo y >> count"), done]);
      const served = await Served.at(place);
      const window = place.window();
      await window.idle();
      window.enter("count it");
      await window.armed();
      window.enter("1");
      await window.idle();
      window.enter("again");
      await window.armed();
      const id = await place.question();
      const session = id.split("-")[0] ?? "";
      const { holder } = (await served.call(`/v1/sessions/${session}`)).body;
      expect(holder.pid).not.toBe(served.pid);
      expect((await served.respond(id, { confirmed: true })).status).toBe(200);
      await window.until("answered by owner in http");
      await window.idle();
      // It rests, and is held all the same.
      expect(place.sessions()[0]?.holder?.pid).toBe(holder.pid);
      expect(place.read("count")).toBe("x\ny\n");
      const answers = recorded(place, session).flatMap(({ event }) =>
        event.type === "interaction.resolved" && "by" in event && "shown" in event ? [[event.by, event.shown]] : [],
      );
      expect(answers).toEqual([
        [{ name: me, adapter: expect.stringMatching(/^shell pts/) }, digest],
        [{ name: "owner", adapter: "http" }, null],
      ]);
      window.type(ctrlD);
      expect(await window.ended).toBe(0);
      await until("nobody holds it", () => place.sessions()[0]?.holder === null || undefined);
      expect(typesOf(recorded(place, session)).filter((type) => type === "call.started")).toHaveLength(2);
      await served.end();
    },
  );
});

verifies(
  "INT-12c",
  "what an agent runs cannot answer: not by the command, not with a token, not as a server",
  async () => {
    const place = new Place([]);
    const served = await Served.at(place);
    const { session, id } = await served.asked(replies);
    const before = recorded(place, session).length;
    for (const env of ["ASSENT_RUN=a/b", "ASSENT_SERVER=x"]) {
      for (const argv of [
        ["answer", id, "yes"],
        ["token", "create", "mine"],
        ["serve", "--listen", "0"],
      ]) {
        expect([argv, place.assent(argv, "", ["env", env]).status]).toEqual([argv, 3]);
      }
    }
    // Its way to the server, and to the token that it would need, are behind a yes that cannot be granted.
    for (const command of [`curl -s ${served.url}/v1/interactions`, `cat ${place.home}/client.json`]) {
      const asks = await served.asked([terminal(command), done]);
      const { request } = (await served.call(`/v1/interactions/${asks.id}`)).body;
      expect(request.options.map((option: { id: string }) => option.id)).toEqual(["yes", "no"]);
    }
    expect(recorded(place, session)).toHaveLength(before);
    await served.end();
  },
);
