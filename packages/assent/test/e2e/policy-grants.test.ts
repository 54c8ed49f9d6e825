import { realpathSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { jsonLines, Place, terminal } from "./product.ts";

type Listed = { readonly id: string; readonly created: number; readonly expires?: number; readonly counts: boolean };

const listed = (place: Place): readonly Listed[] => jsonLines(place.assent(["policy", "grants", "--json"]).stdout);

describe("assent policy grants add", () => {
  verifies("APPR-7j", "saves a prefix with its scope, what may be found in it, and its limits, and prints it", () => {
    const place = new Place([]);
    const limits = ["--scope", "user", "--categories", "network,delete", "--expires", "2", "--uses", "3"];
    const added = place.assent(["policy", "grants", "add", ...limits, "git", "push", "origin"]);
    const [grant] = listed(place);
    const { id = "", created = 0 } = grant ?? {};
    expect(grant).toEqual({
      ...{ id, created, scope: "user", tool: "terminal", match: "prefix", root: realpathSync(place.folder) },
      ...{ signature: '["git","push","origin"]', display: "git push origin …", categories: ["delete", "network"] },
      ...{ expires: created + 7_200_000, uses: 3, counts: true },
    });
    expect(added).toEqual({
      status: 0,
      stdout: place.assent(["policy", "grants"]).stdout,
      stderr: `assent: grant ${id} is saved; assent policy grants revoke ${id} takes it back\n`,
    });
  });

  test("takes what is found in the words by themselves, and words that begin with a dash after --", () => {
    const place = new Place([]);
    expect(place.assent(["policy", "grants", "add", "--", "rm", "-rf"]).status).toBe(0);
    expect(listed(place)).toMatchObject([{ scope: "project", display: "rm -rf …", categories: ["delete"] }]);
  });

  test("with --exact saves the rule that the question about the command offers", () => {
    const place = new Place([terminal("rm -rf build && mkdir build"), { text: "Done." }]);
    expect(place.assent(["policy", "grants", "add", "--exact", "rm -rf build && mkdir build"]).status).toBe(0);
    expect(listed(place)).toMatchObject([{ match: "exact", display: "rm -rf build && mkdir build" }]);
    expect(place.assent(["run", "go"])).toMatchObject({ status: 0, stdout: "Done.\n" });
  });

  verifies(
    "APPR-7j",
    "a prefix lets commands run as often as it says, and what it does not cover is asked about",
    () => {
      const call = (text: string) => [terminal(text), { text: "Done." }];
      const place = new Place(["rm -r a", "rm -r b", "rm -r c", "rm -rf d"].flatMap(call));
      expect(place.assent(["policy", "grants", "add", "--uses", "2", "--", "rm", "-r"]).status).toBe(0);
      const session = () => ["--session", place.sessions()[0]?.session ?? ""];
      expect(place.assent(["run", "a"]).status).toBe(0);
      expect(place.assent(["run", ...session(), "b"]).status).toBe(0);
      expect(place.assent(["run", ...session(), "c"]).status).toBe(3);
      expect(place.assent(["policy", "grants", "add", "--", "rm", "-r"]).status).toBe(0);
      expect(place.assent(["run", ...session(), "d"]).status).toBe(3);
    },
  );

  test.each<[readonly string[], string]>([
    [[], "a prefix needs the program and at least one more word"],
    [["git"], "a prefix needs the program and at least one more word"],
    [["frobnicate", "now"], "frobnicate is not among the programs that Assent knows"],
    [["--", "bash", "-c"], "bash runs what it is given: no prefix of it can be granted"],
    [["--", "sudo", "-n"], "sudo runs what it is given: no prefix of it can be granted"],
    [["rm", "-rf"], 'unknown option "-r"; words of the command that begin with - come after --'],
    [
      ["git", "status"],
      '--categories: expected what may be found in commands that begin with "git status", found none',
    ],
    [["--scope", "session", "git", "push"], '--scope: expected project, user, found "session"'],
    [["--categories", "network,self", "git", "push"], "--categories: expected delete, privilege, network, system,"],
    [["--expires", "0", "git", "push"], '--expires: expected a whole number of hours from 1 to 8784, found "0"'],
    [["--expires", "soon", "git", "push"], '--expires: expected a whole number of hours from 1 to 8784, found "soon"'],
    [["--uses", "1.5", "git", "push"], '--uses: expected a whole number of calls from 1 to 1000000, found "1.5"'],
    [["--exact", "ls"], '--exact: expected what needs approval; "ls" runs without'],
    [["--exact", "rm -rf /"], 'nothing can be granted for "rm -rf /": it '],
    [["--exact", "assent answer 1 yes"], 'nothing can be granted for "assent answer 1 yes": it '],
    [["--exact", "rm -rf build", "more"], '--exact: expected no words beside the command, found "more"'],
    [["--exact", "rm -rf build", "--categories", "delete"], "--exact: expected no --categories"],
  ])("refuses %j", (argv, told) => {
    const place = new Place([]);
    const { status, stdout, stderr } = place.assent(["policy", "grants", "add", ...argv]);
    expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: "", stderr: expect.stringContaining(told) });
    expect(stderr.startsWith("assent: ")).toBe(true);
    expect(listed(place)).toEqual([]);
  });

  verifies("APPR-10a", "adds and revokes nothing inside a run", () => {
    const place = new Place([]);
    const told = "assent: a command that an agent runs cannot change what is granted\n";
    const inside = ["env", "ASSENT_RUN=s/t1c1"];
    const refused = { status: 3, stdout: "", stderr: told };
    expect(place.assent(["policy", "grants", "add", "git", "push"], "", inside)).toEqual(refused);
    expect(place.assent(["policy", "grants", "add", "--exact", "rm -rf build"], "", inside)).toEqual(refused);
    expect(place.assent(["policy", "grants", "revoke", "g-1"], "", inside)).toEqual(refused);
    expect(listed(place)).toEqual([]);
  });
});
