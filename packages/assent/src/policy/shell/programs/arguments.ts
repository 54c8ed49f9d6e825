import type { Deed } from "../deeds.ts";
import { asks, type Given, type Spec } from "../spec.ts";
import { type Argument, after, beginning, ending, type Hole, known, shown, type Text, textOf } from "../text.ts";

/** Small tools for the programs whose words have to be read by hand. */

export function literal(text: string, like?: Argument): Argument {
  return { text: textOf(text), splits: false, span: like?.span ?? { start: 0, end: 0 } };
}

/** The folder where the command runs. */
export function here({ words }: Given): Argument {
  return literal(".", words[0]);
}

export function starts(argument: Argument | undefined, beginnings: string): boolean {
  if (argument === undefined) return false;
  const start = beginning(argument.text);
  return beginnings.split(" ").some((each) => start.startsWith(each));
}

/** The argument without that many characters at its beginning. */
export function without(argument: Argument, characters: number): Argument {
  return { ...argument, text: after(argument.text, characters) };
}

export function isHole(piece: Hole | string | undefined): piece is Hole {
  return typeof piece === "object";
}

/** Nothing of its beginning is known. */
export function beginsUnknown({ text }: Argument): boolean {
  const [first] = text;
  return isHole(first) && first.hole === "any";
}

export function each(does: "read" | "show" | "write", paths: readonly Argument[]): readonly Deed[] {
  return paths.map((path) => ({ does, path }));
}

export function shellText({ text, span }: Argument): Deed {
  return { does: "shell", text, span };
}

export function coded(language: Extract<Deed, { does: "code" }>["language"], argument: Argument): Deed {
  return { does: "code", language, text: argument.text, span: argument.span };
}

const interpreter =
  /(?:^|[|;&]|\bexec\s)\s*(?:\S*\/)?(?:\w{0,2}sh|python[\d.]*|perl|ruby|node|php|lua)\s*(?:-s?\s*)?(?:$|[|;&])/;

/** The command is given the content of files, and is a shell or the like, which runs it. */
export function runsContent(commands: readonly Argument[]): readonly Deed[] {
  return commands
    .filter(({ text }) => interpreter.test(shown(text)))
    .map((command) => asks("exec-unseen", `runs the content of files with ${shown(command.text)}`, command));
}

/** What is trusted to print a word is made to print an option for another program. */
export function printsOption(formats: readonly Argument[]): readonly Deed[] {
  return formats
    .filter(({ text }) => /^-[A-Za-z-]/.test(beginning(text)))
    .map((format) => asks("exec-injected", `prints ${shown(format.text)}, which looks like an option`, format));
}

const schemes = /^(?:https?|ftps?|sftp|scp|ssh|rsync|git|wss?|dav|davs|smb|nfs|telnet|gopher|ldap):\/\//i;

/** Connections to what is written as a URL; other words are files or text. */
export function urls(words: readonly Argument[]): readonly Deed[] {
  return words.flatMap((host): Deed[] => (schemes.test(beginning(host.text)) ? [{ does: "connect", host }] : []));
}

/** `folder/name`, where `name` is the last part of `path`. */
export function inFolder(folder: Argument, path: Argument): Argument {
  const slash = ending(folder.text).endsWith("/") ? "" : "/";
  return { ...folder, text: textOf(...folder.text, slash, ...lastPart(path.text)) };
}

export function lastPart(text: Text): Text {
  const all = known(text);
  if (all !== null) return textOf(all.replace(/\/+$/, "").replace(/^.*\//s, ""));
  const last = text.at(-1);
  const from = text.findLastIndex((piece) => typeof piece === "string" && piece.includes("/"));
  if (from < 0) return text;
  if (from === text.length - 1 && typeof last === "string" && last.endsWith("/")) return text.slice(from - 1, from);
  const piece = text[from];
  return textOf(typeof piece === "string" ? piece.slice(piece.lastIndexOf("/") + 1) : "", ...text.slice(from + 1));
}

/** What only prints about its arguments: no option or operand of it is code or a place that matters. */
export function prints(): Spec {
  return { style: "none" };
}
