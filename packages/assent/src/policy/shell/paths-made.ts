import type { Analysis } from "./analysis.ts";
import { resolvePath } from "./paths.ts";
import type { ShellState } from "./state.ts";
import { after, beginning, known, type Text, textOf } from "./text.ts";

/** As many links in a row as a system follows. */
const mostLinks = 40;

/** Where a path really leads: by links that the command itself makes, and by those that are there. */
function followLinks(path: Text, state: ShellState, analysis: Analysis): Text {
  const place = known(path);
  if (place === null) return path;
  let real = place;
  for (let count = 0; count < mostLinks && state.files.size > 0; count += 1) {
    const next = followOne(real, state);
    if (next === null) break;
    real = next;
  }
  // Links there are the kernel's, and lead to what each process has open.
  if (/^\/(?:dev|proc)\//.test(real)) return [real];
  analysis.wanted.add(real);
  const found = Object.hasOwn(analysis.world.links, real) ? analysis.world.links[real] : undefined;
  return [found ?? real];
}

/**
 * Where a given path leads. A shell goes through `..` by name, but the system by the folders that links lead to: so what
 * stands before `..`, and the folder one is in, is followed first. Of a path that is not known, so is its known beginning.
 */
export function realPlace(given: Text, state: ShellState, analysis: Analysis): Text {
  const start = beginning(given);
  const cwd = /^\.\.(?:\/|$)/.test(start) ? followLinks(resolvePath([], state.cwd), state, analysis) : state.cwd;
  const up = start.search(/(?<=[^/.][^/]*)\/\.\.(?:\/|$)/);
  if (up > 0) {
    const folder = followLinks(resolvePath([start.slice(0, up)], cwd), state, analysis);
    return followLinks(resolvePath(after(given, up + 1), folder), state, analysis);
  }
  const slash = start.lastIndexOf("/");
  if (known(given) !== null || slash < 1) return followLinks(resolvePath(given, cwd), state, analysis);
  const folder = followLinks(resolvePath([start.slice(0, slash)], cwd), state, analysis);
  return resolvePath(textOf(...folder, "/", ...after(given, slash + 1)), cwd);
}

/** The longest part of the path that is a link is replaced by what it stands for. */
function followOne(place: string, { files }: ShellState): string | null {
  for (let end = place.length; end > 0; end = place.lastIndexOf("/", end - 1)) {
    const start = place.slice(0, end);
    const made = files.get(start);
    if (made?.type !== "link") continue;
    const folder = start.slice(0, start.lastIndexOf("/")) || "/";
    const target = known(resolvePath(made.of, [folder]));
    return target === null || target === start ? null : target + place.slice(end);
  }
  return null;
}
