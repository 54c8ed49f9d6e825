import { within } from "./paths.ts";
import { homesOf, type World } from "./places.ts";
import type { Running } from "./shell.ts";
import { type Argument, beginning, known, type Text } from "./text.ts";

type Calling = { readonly argv: readonly Argument[]; readonly running: Running };

/** The name of the program that does it, without folders. */
export function programIn([first]: readonly Argument[]): string | undefined {
  return known(first?.text ?? [])
    ?.split("/")
    .at(-1);
}

const unpackers = /^(?:tar|bsdtar|unzip|7z|cpio|pax|patch|rsync)$/;

/** What goes through folders, or takes and puts them as a whole; a link to one is taken away as a file is. */
const wholeFolders =
  /^(?:tar|bsdtar|unzip|patch|git|rsync|zip|7z|cpio|pax|find|fd|rg|ag|ack|g?mv|chmod|chown|chgrp|scp|ditto|duplicity|restic|borg|g?rm|safe-rm|g?unlink|trash|trash-put|rmtrash)$/;

/** A folder that one of these is in, with all that is in it; but for the one that one works in. */
export function goesInto(place: Text, owned: readonly string[], { argv, running }: Calling): boolean {
  const folder = known(place);
  const name = programIn(argv) ?? "";
  if (folder === null || (folder === known(running.state.cwd) && !unpackers.test(name))) return false;
  if (!isAbove(folder, owned)) return false;
  const recursive = argv.some(({ text }) => /^-\w*[raR]|^--(?:recursive|archive)/.test(beginning(text)));
  return recursive || wholeFolders.test(name) || movesLinks(argv);
}

/** A link there stands for the folder and all that will be in it. */
export function linksAbove(place: Text, world: World): boolean {
  const folder = known(place);
  return folder !== null && isAbove(folder, world.own) && !isThere(place, world);
}

/** A folder that is there for sure: what is linked or copied to it comes to be in it. */
export function isThere(place: Text, world: World): boolean {
  const folder = known(place);
  return folder !== null && [world.root, ...homesOf(world)].some((each) => within([each], folder));
}

/** What is a link stays one where it comes to be. */
export function movesLinks(argv: readonly Argument[]): boolean {
  const name = programIn(argv) ?? "";
  const asLinks = argv.some(({ text }) => /^-[^\W_]*[Pd]|^--no-dereference/.test(beginning(text)));
  return /^g?mv$/.test(name) || (/^g?cp$/.test(name) && asLinks);
}

function isAbove(folder: string, owned: readonly string[]): boolean {
  return owned.some((own) => own !== folder && within([own], folder));
}
