import type { Deed } from "../deeds.ts";
import { type Argument, type Hole, shown, type Text, textOf } from "../text.ts";

const hole: Hole = { hole: "any", from: "$X" };

/** A program as text, in which `§` is a part that is not known. */
export function withHoles(code: string): Text {
  return textOf(...code.split("§").flatMap((piece, index) => (index === 0 ? [piece] : [hole, piece])));
}

function words(argv: readonly Argument[]): string {
  return argv.map(({ text }) => shown(text)).join("|");
}

/** A deed in a few words. */
export function told(deed: Deed): string {
  switch (deed.does) {
    case "danger":
      return deed.danger.rule;
    case "shell":
      return `shell: ${shown(deed.text)}`;
    case "run":
      return `run: ${words(deed.argv)}${deed.more === true ? "|…" : ""}`;
    case "connect":
      return `connect: ${shown(deed.host.text)}`;
    case "link":
      return `link: ${shown(deed.path.text)} -> ${shown(deed.target.text)}`;
    case "copy":
      return `copy: ${shown(deed.from.text)} -> ${shown(deed.path.text)}`;
    case "mode":
      return `mode: ${shown(deed.mode.text)}`;
    case "variable":
      return `variable: ${deed.name}=${shown(deed.value)}`;
    case "read":
    case "show":
    case "write":
      return `${deed.does}: ${shown(deed.path.text)}`;
    default:
      return deed.does;
  }
}
