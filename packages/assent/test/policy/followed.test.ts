import { expect, test } from "vitest";
import { tablesIn } from "./tables.ts";
import { toldOf } from "./told.ts";
import { world } from "./world.ts";

// Commands of a shell, and all that is seen in each.
test.each(tablesIn(`${import.meta.dirname}/followed`))("what a shell makes of $name is found", ({ rows }) => {
  expect(rows.map(({ line }) => ({ line, told: toldOf(line) }))).toEqual(rows);
});

const kept = `${world.home}/.local/share/assent`;
const served = {
  own: [kept, `${world.root}/.assent`],
  open: [`${kept}/output`, `${world.root}/.assent`],
  served: ["4815"],
};

// The same where Assent keeps something, some of which may be read, and listens.
test.each(tablesIn(`${import.meta.dirname}/served`))("what is done with $name of Assent's own is found", ({ rows }) => {
  expect(rows.map(({ line }) => ({ line, told: toldOf(line, served) }))).toEqual(rows);
});
