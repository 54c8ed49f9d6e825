import { homesOf, type World } from "./places.ts";
import type { ShellState } from "./state.ts";
import { known } from "./text.ts";

/** By these a process of Assent knows where what is its own is. */
export const ownHomeNames: readonly string[] = ["ASSENT_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "HOME"];

/** The one of them that the command has changed: a process that gets it does not know what this one's own folders are. */
export function changedOwnHome({ variables }: Pick<ShellState, "variables">, world: World): string | undefined {
  const [home] = world.own;
  const before = [...homesOf(world).map((each) => `HOME=${each}`), `ASSENT_HOME=${home}`];
  return ownHomeNames.find((name) => {
    const value = variables.get(name);
    if (value?.type !== "text") return value !== undefined;
    return !before.includes(`${name}=${known(value.text)}`);
  });
}
