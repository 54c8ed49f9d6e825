import { beginning, type Hole, shown, type Text, textOf } from "./text.ts";

export type Platform = "linux" | "darwin";

/** What stands between two slashes. */
export type Component = Text;

/**
 * The hole that a path begins with when it may lead anywhere, or (relative, or after `..`) be below this folder. `path`
 * instead of `any`: it is some folder, but surely not nothing.
 */
export type Start = Hole & { readonly under?: Text };

function underOf(piece: string | Start): Text | undefined {
  return typeof piece === "object" ? piece.under : undefined;
}

/** A path taken apart: what it begins with when that is not known, and the components after it. */
export type Parts = { readonly start: Component; readonly components: readonly Component[] };

/** Long values of `from` are only for people to read. */
const longestShown = 200;
const longestName = 255;

/** The path as far as it is known: absolute, without `.`, `..`, repeated slashes and detours through /proc. */
export function resolvePath(given: Text, cwd: Text): Text {
  const pieces = withPatterns(given);
  const walk = new Walk(cwd);
  if (!beginning(pieces).startsWith("/")) walk.begin(pieces);
  const components = componentsOf(pieces);
  for (const component of walk.begun ? components.slice(1) : components) walk.enter(component);
  return walk.text();
}

/** A resolved path as components. */
export function partsOf(path: Text): Parts {
  const [first, ...rest] = componentsOf(withPatterns(path));
  if (first === undefined || first.length === 0)
    return { start: [], components: rest.filter(({ length }) => length > 0) };
  return { start: first, components: rest };
}

/**
 * The places that a resolved path can stand for, all from the root: itself, and when it begins with what may be nothing,
 * relative or followed by `..`, both readings. Nothing is said of a path that is a hole alone.
 */
export function readings(path: Text): readonly (readonly Component[])[] {
  const { start, components } = partsOf(path);
  if (start.length === 0) return [components];
  const [hole, ...rest] = start;
  if (hole === undefined || typeof hole === "string") return [components];
  const under = underOf(hole);
  const below = rest.length === 0 ? components : [start, ...components];
  const named = components.slice(components.findIndex((component) => !mayBeNothing(component)));
  return [
    ...(under === undefined ? [] : [[...partsOf(under).components, ...below]]),
    ...(mayBeNothing(start) && isSystemsAlone(named[0]) ? [named] : []),
  ];
}

function mayBeNothing(component: Component): boolean {
  return component.every((piece) => typeof piece === "object" && piece.hole === "any");
}

/** Surely in that folder, or the folder itself; a hole is not taken to lead out of the folder before it. */
export function within(path: Text, folder: string, platform: Platform = "linux"): boolean {
  const { start, components } = partsOf(path);
  return start.length === 0 && leads(real(components, platform), foldersOf(folder, platform), platform, surely);
}

/** Possibly in that folder, or the folder itself. */
export function couldBe(path: Text, folder: string, platform: Platform = "linux"): boolean {
  const names = foldersOf(folder, platform);
  return readings(path).some((reading) => leads(real(reading, platform), names, platform, possibly));
}

/** As `couldBe`, of components from the root. */
export function couldLead(components: readonly Component[], folder: string, platform: Platform): boolean {
  return leads(real(components, platform), foldersOf(folder, platform), platform, possibly);
}

/** Whether the component can be that name. A pattern's first wildcard does not stand for a leading dot. */
function couldBeName(component: Component, name: string, platform: Platform = "linux"): boolean {
  const [first] = component;
  if (component.length === 1 && typeof first === "string") return fold(first, platform) === fold(name, platform);
  if (name.startsWith(".") && typeof first === "object" && first.hole === "glob") return false;
  return matches(signsOf(component, platform), [...fold(name, platform)]);
}

/** The component when it is wholly known. */
export function nameOf(component: Component | undefined): string | null {
  const [name, ...more] = component ?? [];
  return typeof name === "string" && more.length === 0 ? name : null;
}

export function isBare(component: Component): boolean {
  return component.every((piece) => typeof piece !== "string" && piece.hole !== "glob");
}

/** `*`, `.*`, `?*` or a hole alone. */
export function isAnything(component: Component): boolean {
  return component.every((piece) => (typeof piece === "string" ? /^\.*$/u.test(piece) : !piece.from.startsWith("[")));
}

/** With the unknown beginning left out, for what is told by its last names. */
export function allReadings(path: Text): readonly (readonly Component[])[] {
  const { start, components } = partsOf(path);
  if (start.length === 0) return [components];
  const own = start.length > 1 ? [start, ...components] : components;
  return [own, ...readings(path)];
}

/** Whether the component is that name or a pattern or beginning of it, but not just anything. */
export function isNamed(component: Component, name: string, platform: Platform): boolean {
  if (nameOf(component) === null && isAnything(component) && !startsWithDot(component)) return false;
  return couldBeName(component, name, platform);
}

function startsWithDot([first]: Component): boolean {
  return typeof first === "string" && first.startsWith(".");
}

/** Has these folders, one after the other, and something in them. */
export function hasFolder(components: readonly Component[], folder: readonly string[], platform: Platform): boolean {
  return components.some(
    (_, index) =>
      components.length > index + folder.length &&
      folder.every((name, offset) => isNamed(components[index + offset] ?? [], name, platform)),
  );
}

class Walk {
  readonly #cwd: Text;
  begun = false;
  #start: Component = [];
  #stack: Component[] = [];
  #entering = false;

  constructor(cwd: Text) {
    this.#cwd = cwd;
  }

  /** Relative, or whatever the first hole says. */
  begin(pieces: Text): void {
    const [first] = componentsOf(pieces);
    const hole = first?.[0];
    if (typeof hole === "object" && (hole.hole === "any" || hole.hole === "path")) {
      this.begun = true;
      this.#start = hole.hole === "any" ? [this.#unsettled(hole), ...(first ?? []).slice(1)] : (first ?? []);
    } else this.#enterCwd();
  }

  enter(component: Component): void {
    const name = nameOf(component);
    if (component.length === 0 || name === ".") return;
    if (name === "..") {
      this.#leave();
      return;
    }
    const hole = component[0];
    if (this.#isRoot() && typeof hole === "object" && hole.hole === "path") {
      this.#start = component;
      return;
    }
    // Older shells let `.*` be `..`.
    if (isParentPattern(this.#stack.at(-1))) this.#collapse();
    this.#stack.push(component);
    this.#followLinks();
  }

  text(): Text {
    if (this.#isRoot()) return ["/"];
    return textOf(...this.#start, ...this.#stack.flatMap((component) => ["/", ...component]));
  }

  #isRoot(): boolean {
    return this.#start.length === 0 && this.#stack.length === 0;
  }

  #leave(): void {
    const last = this.#stack.at(-1);
    if (last === undefined ? this.#start.length > 0 : spans(last) || isParentPattern(last)) this.#collapse("/..");
    else this.#stack.pop();
  }

  /** From here on it may be anywhere, or below what was before the last component. */
  #collapse(more = ""): void {
    const [first] = this.#start;
    const before = this.#stack.slice(0, -1).flatMap((component) => ["/", ...component]);
    const under: Text | undefined =
      first === undefined ? textOf(...(before.length === 0 ? ["/"] : before)) : underOf(first);
    const from = `${shown(this.text())}${more}`.slice(0, longestShown);
    this.#start = [{ hole: "any", from, ...(under === undefined ? {} : { under }) }];
    this.#stack = [];
  }

  #unsettled({ from, made }: Hole): Start {
    const { start } = partsOf(this.#cwd);
    const [hole] = start;
    const under = hole === undefined ? this.#cwd : underOf(hole);
    return {
      hole: "any",
      from,
      ...(made === true ? { made } : {}),
      ...(under === undefined || under.length === 0 ? {} : { under }),
    };
  }

  /** A folder that one is in may be unknown, but it is not nothing. */
  #enterCwd(): void {
    const { start, components } = partsOf(this.#cwd);
    this.#start = start.map((piece) => (typeof piece === "object" && piece.hole === "any" ? someFolder(piece) : piece));
    if (this.#cwd.length === 0) this.#start = [{ hole: "path", from: "." }];
    this.#entering = true;
    for (const component of components) this.enter(component);
    this.#entering = false;
  }

  /** `/proc/self/root` is the root and `/proc/self/cwd` the folder one is in, by whatever process. */
  #followLinks(): void {
    const depth = this.#stack.length;
    if (this.#start.length > 0 || (depth !== 3 && depth !== 5) || nameOf(this.#stack[0]) !== "proc") return;
    if (depth === 5 && nameOf(this.#stack[2]) !== "task") return;
    const link = nameOf(this.#stack.at(-1));
    const self = nameOf(this.#stack[1]);
    if (link === "root") this.#stack = [];
    if (link !== "cwd" || (self !== "self" && self !== "thread-self")) return;
    this.#stack = [];
    if (!this.#entering) this.#enterCwd();
  }
}

function someFolder(hole: Hole): Hole {
  return { ...hole, hole: "path" };
}

function componentsOf(pieces: Text): readonly Component[] {
  const components: (string | Hole)[][] = [[]];
  for (const piece of pieces) {
    const [first = "", ...rest] = typeof piece === "string" ? piece.split("/") : [piece];
    if (first !== "") components.at(-1)?.push(first);
    for (const each of rest) components.push(each === "" ? [] : [each]);
  }
  return components;
}

const patternSigns = /\*+|\?|\[[!^]?\]?(?:\\.|\[[:.=][^\]]*[:.=]\]|[^\]\\])*\]|\\.|[^*?[\\]+|[[\\]/gsu;

/** Patterns as single wildcards with the known text between them, so that they can be matched. */
function withPatterns(text: Text): Text {
  if (text.every((piece) => typeof piece === "string" || piece.hole !== "glob")) return text;
  return textOf(
    ...text.flatMap((piece) => (typeof piece === "object" && piece.hole === "glob" ? patternOf(piece) : [piece])),
  );
}

function patternOf(hole: Hole): Text {
  return hole.from.split("/").flatMap((part, index) => [index === 0 ? "" : "/", ...wildcardsOf(part)]);
}

/** Alternatives in brackets are not looked into, nor what is longer than any name. */
function wildcardsOf(part: string): Text {
  if (part.length > longestName || /[$`(]/u.test(part)) return [{ hole: "glob", from: "*" }];
  return (part.match(patternSigns) ?? []).map((sign) => {
    if (/^(?:\*|\?|\[.)/su.test(sign)) return { hole: "glob", from: sign };
    return sign.startsWith("\\") && sign.length > 1 ? sign.slice(1) : sign;
  });
}

/** Has a hole that can have slashes in it. */
function spans(component: Component): boolean {
  return component.some((piece) => typeof piece === "object" && piece.hole !== "glob");
}

function isParentPattern(component: Component | undefined): boolean {
  return component !== undefined && nameOf(component) === null && !spans(component) && couldBeName(component, "..");
}

/** A name that folders of projects do not have: what stands before it is then taken to be possibly nothing. */
function isSystemsAlone(component: Component | undefined): boolean {
  if (component === undefined || spans(component)) return false;
  const stars = component.some((piece) => typeof piece === "object" && piece.from.startsWith("*"));
  return !stars && ["etc", "boot", "proc", "sys", "dev"].some((name) => couldBeName(component, name));
}

type Meets = (
  component: Component,
  name: string,
  platform: Platform,
  place: { first: boolean; last: boolean },
) => boolean;

const surely: Meets = (component, name, platform) => {
  const own = nameOf(component);
  return own !== null && fold(own, platform) === fold(name, platform);
};

/** A hole alone may be any name, but is not taken for the very one that is looked for unless it stands at the root. */
const possibly: Meets = (component, name, platform, { first, last }) =>
  (first || !last || !isBare(component)) && couldBeName(component, name, platform);

function leads(path: readonly Component[], folder: readonly string[], platform: Platform, meets: Meets): boolean {
  if (path.length < folder.length) return false;
  return folder.every((name, index) =>
    meets(path[index] ?? [], name, platform, { first: index === 0, last: index === folder.length - 1 }),
  );
}

function foldersOf(folder: string, platform: Platform): readonly string[] {
  const names = folder.split("/").filter((name) => name !== "");
  return real(
    names.map((name) => [name]),
    platform,
  ).map((component) => nameOf(component) ?? "");
}

/** On a Mac /etc, /tmp and /var are links into /private, and the system's volume has a name. */
function real(components: readonly Component[], platform: Platform): readonly Component[] {
  if (platform === "linux") return components;
  const [first = [], second = []] = components;
  const name = fold(nameOf(second) ?? "", platform);
  if (
    couldBeName(first, "private", platform) &&
    ["etc", "tmp", "var"].some((each) => couldBeName(second, each, platform))
  ) {
    return components.slice(1);
  }
  return couldBeName(first, "volumes", platform) && name.startsWith("macintosh hd") ? components.slice(2) : components;
}

/** Mac file systems compare letters without their case, also the odd ones. */
function fold(text: string, platform: Platform): string {
  return platform === "darwin" ? text.normalize("NFD").toUpperCase().toLowerCase() : text;
}

/** A character, or what stands for one or for many. */
type Sign = string | { readonly many: boolean; readonly takes: (character: string) => boolean };

function signsOf(component: Component, platform: Platform): readonly Sign[] {
  return component.flatMap((piece): readonly Sign[] => {
    if (typeof piece === "string") return [...fold(piece, platform)];
    const many = piece.hole !== "glob" || piece.from.startsWith("*");
    return [{ many, takes: many ? () => true : takenBy(piece.from, platform) }];
  });
}

function takenBy(pattern: string, platform: Platform): (character: string) => boolean {
  if (!pattern.startsWith("[")) return () => true;
  const body = fold(pattern.slice(1, -1), platform);
  const negated = body.startsWith("!") || body.startsWith("^");
  const set = negated ? body.slice(1) : body;
  // A class such as [:alpha:] is not looked into.
  if (/\[[:.=]/u.test(set)) return () => true;
  return (character) => isInSet([...set], character) !== negated;
}

function isInSet(set: readonly string[], character: string): boolean {
  for (let index = 0; index < set.length; index += 1) {
    const from = set[index] ?? "";
    if (from === "\\") continue;
    const isRange = set[index + 1] === "-" && index + 2 < set.length;
    if (!isRange && from === character) return true;
    if (isRange && from <= character && character <= (set[index + 2] ?? "")) return true;
    if (isRange) index += 2;
  }
  return false;
}

/** Goes back only to the last sign that takes many: never more than signs times characters. */
function matches(signs: readonly Sign[], name: readonly string[]): boolean {
  let [sign, at, star, resume] = [0, 0, -1, 0];
  while (at < name.length) {
    const expected = signs[sign];
    const character = name[at] ?? "";
    if (typeof expected === "object" && expected.many) {
      [star, resume] = [sign, at];
      sign += 1;
    } else if (expected === character || (typeof expected === "object" && expected.takes(character))) {
      sign += 1;
      at += 1;
    } else if (star >= 0) {
      resume += 1;
      [sign, at] = [star + 1, resume];
    } else return false;
  }
  return signs.slice(sign).every((rest) => typeof rest === "object" && rest.many);
}
