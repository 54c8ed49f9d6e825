import { isSearchPath } from "./search-path.ts";
import type { Running, Shell } from "./shell.ts";
import { hasAttribute, type ShellState } from "./state.ts";
import { known, type Span, type Text } from "./text.ts";

type At = { readonly shell: Shell; readonly span: Span };

/** Where programs are looked for may also be set by a builtin or a repetition. */
export function withSearched(names: readonly string[], { state, streams }: Running, { shell, span }: At): ShellState {
  return names.filter(isSearchPath).reduce((next, name) => {
    const value = next.variables.get(name);
    const given = value?.type === "list" ? (value.items[0]?.text ?? []) : value?.type === "text" ? value.text : [];
    // Nobody reads it from elsewhere, unless to hide what it is.
    const text: Text = known(given) === null ? [{ hole: "any", from: `$${name}`, made: true }] : given;
    return shell.conclude([{ does: "variable", name, value: text, span }], [], { state: next, streams });
  }, state);
}

/** What was exported before stays so: what a builtin or a repetition sets is then seen by other programs, too. */
export function withExported(names: readonly string[], running: Running, at: At): ShellState {
  const { shell, span } = at;
  return names.reduce(
    (next, name) => {
      const value = next.variables.get(name);
      if (value?.type !== "text" || !hasAttribute(next, "exported names", name)) return next;
      const deed = { does: "variable", name, value: value.text, span } as const;
      return shell.conclude([deed], [], { state: next, streams: running.streams });
    },
    withSearched(names, running, at),
  );
}
