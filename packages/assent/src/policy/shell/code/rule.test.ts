import { expect, test, vi } from "vitest";
import { Findings } from "./findings.ts";
import { asksFor, Rules } from "./rule.ts";
import { noNames, unknown } from "./values.ts";

test("the tables of a language are made when the first call is looked up, and only then", () => {
  const table = vi.fn(() => ({ "wipe erase": asksFor("delete-recursive", "removes everything") }));
  const rules = new Rules(table);
  expect(table).not.toHaveBeenCalled();
  const to = new Findings({ start: 0, end: 4 }, [], () => undefined);
  for (const path of ["erase", "print", "wipe"])
    rules.called({ path, args: [], named: noNames, receiver: unknown }, to);
  expect(table).toHaveBeenCalledTimes(1);
  expect(to.finished()).toEqual([
    { does: "danger", danger: { rule: "delete-recursive", reason: "removes everything" } },
  ]);
});
