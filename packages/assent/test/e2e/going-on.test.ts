import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { expect } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { Place, type Ran, type Scripted } from "./product.ts";

const tooLong: Scripted = { overflow: "too long" };

/** A place with a second model that takes more: at the last request of the first one's script it has an answer. */
function twoModels(small: readonly Scripted[], answer: Scripted) {
  const place = new Place(small);
  const file = place.file("large.jsonl");
  writeFileSync(file, [...small.slice(0, -1), answer].map((reply) => JSON.stringify(reply)).join("\n"));
  return { place, large: `scripted:${file}`, session: () => place.sessions()[0]?.session ?? "none" };
}

/** What was told to be typed, typed in a shell with that model. */
function typed(place: Place, { stderr }: Ran, model: string) {
  const told = /: ((?:echo|assent) .* --model <provider:model>)$/m.exec(stderr)?.[1] ?? "false";
  const line = told.replace("<provider:model>", model).replace(/\bassent\b/, place.line());
  const ran = spawnSync("setsid", ["-w", "sh", "-c", line], { cwd: place.folder, env: place.env, encoding: "utf8" });
  return { status: ran.status, stdout: ran.stdout, stderr: ran.stderr };
}

verifies(
  "SEL-9",
  "what outgrew its model is told with its way on by assent resume, too, and goes on in that way",
  () => {
    const small = [tooLong, { text: "It was begun." }, tooLong, tooLong, tooLong, tooLong, tooLong, tooLong];
    const { place, large, session } = twoModels(small, { text: "It is done." });
    const ran = place.assent(["run", "do it"]);
    const again = place.assent(["resume"]);
    const way = `or go on with a model that takes more: assent resume ${session()} --model <provider:model>\n`;
    for (const { status, stderr } of [ran, again]) {
      expect(status).toBe(1);
      expect(stderr).toContain(way);
    }
    expect(again.stderr.split(way)).toHaveLength(3);
    expect(typed(place, again, large)).toMatchObject({ status: 0, stdout: "It is done.\n" });
  },
);

verifies("SEL-9", "a /compact that does not fit is told with what asks for it again, and that works", () => {
  const { place, large, session } = twoModels([{ text: "Hello." }, tooLong, tooLong], { text: "A greeting." });
  place.assent(["run", "hello"]);
  const failed = place.assent(["--continue"], "/compact\n");
  const way = `echo /compact | assent --session ${session()} --model <provider:model>`;
  expect(failed.status).toBe(1);
  expect(failed.stderr).toContain(`; have it summarised by a model that takes more: ${way}\n`);
  expect(place.assent(["resume", session()]).stderr).toContain("there is nothing to go on with");
  const again = typed(place, failed, large);
  expect(again).toMatchObject({ status: 0 });
  expect(again.stderr).toContain("system  the history was summarised\n");
});
