import { isSearchPath } from "./search-path.ts";
import type { Running, Shell } from "./shell.ts";
import type { ShellState } from "./state.ts";
import { known, type Span, type Text } from "./text.ts";

/** Where programs are looked for may also be set by a builtin or a repetition. */
export function withSearched(
  names: readonly string[],
  { state, streams }: Running,
  { shell, span }: { readonly shell: Shell; readonly span: Span },
): ShellState {
  return names.filter(isSearchPath).reduce((next, name) => {
    const value = next.variables.get(name);
    const given = value?.type === "list" ? (value.items[0]?.text ?? []) : value?.type === "text" ? value.text : [];
    // Nobody reads it from elsewhere, unless to hide what it is.
    const text: Text = known(given) === null ? [{ hole: "any", from: `$${name}`, made: true }] : given;
    return shell.conclude([{ does: "variable", name, value: text, span }], [], { state: next, streams });
  }, state);
}
