import { expect, test } from "vitest";
import { elsewhere } from "./child.ts";
import { noStreams } from "./shell.ts";
import { type ShellState, type Value, withAttribute } from "./state.ts";

/** Counts what is asked of it. */
class Counted extends Map<string, Value> {
  asked = 0;

  override get(name: string): Value | undefined {
    this.asked += 1;
    return super.get(name);
  }

  override keys(): MapIterator<string> {
    this.asked += this.size;
    return super.keys();
  }
}

function stateWith(names: readonly string[]): ShellState {
  const value: Value = { type: "text", text: ["~"] };
  const state: ShellState = {
    ...{ cwd: ["/"], parameters: [], search: null, variables: new Map(names.map((name) => [name, value])) },
    ...{ functions: new Map(), aliases: new Map(), files: new Map() },
  };
  return names.reduce((next, name) => withAttribute(next, "exported names", name), state);
}

test("what another process gets is found by one look-up for each variable", () => {
  const names = Array.from({ length: 200 }, (_, index) => `NAME${index}`);
  const state = stateWith(names);
  const variables = new Counted(state.variables);
  const inside = elsewhere({ state: { ...state, variables }, streams: noStreams });
  expect(names.every((name) => inside.state.variables.get(name) === state.variables.get(name))).toBe(true);
  expect(variables.asked).toBeLessThanOrEqual(2 * state.variables.size);
});
