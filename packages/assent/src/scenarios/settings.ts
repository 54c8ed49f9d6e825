import { defaultLimits, type Limits, parseCount, parseTurnLimit } from "../core/index.ts";
import { type HeadWord, plainSettings, type Settings } from "./scenario.ts";

type Changing<T> = { -readonly [K in keyof T]: T[K] };

/** What stands before the first thing that is typed in a session. */
export class Head {
  readonly lines: string[] = [];
  readonly #settings: Changing<Settings> = { ...plainSettings };

  /** Complete once something is typed. */
  get settings(): Settings {
    return this.#settings;
  }

  /** What was expected where something else was found. */
  take(word: HeadWord, rest: string, line: string): string | null {
    this.lines.push(line);
    const settings = this.#settings;
    switch (word) {
      case "limits":
        return this.#limits(rest);
      case "offers":
        return choose(rest, ["regenerate", "warn", "off"], (chosen) => {
          settings.softOffers = chosen;
        });
      case "unattended":
        return choose(rest, ["deny", "park", "abort"], (chosen) => {
          settings.unattended = chosen;
        });
      case "expires": {
        const seconds = parseCount(rest);
        settings.expiryMs = seconds === null ? null : seconds * 1_000;
        return seconds === null ? "expires and a number of seconds" : null;
      }
      case "folder":
        settings.folder = rest;
        return rest.startsWith("/") ? null : "folder and an absolute path";
      case "commands":
        settings.real = true;
        return rest === "real" ? null : "commands real";
      default:
        return word satisfies never;
    }
  }

  #limits(rest: string): string | null {
    for (const pair of rest.split(" ")) {
      const [name = "", value = ""] = pair.split("=");
      if (!this.#limit(name, value)) return "limits and pairs such as turns=2";
    }
    return null;
  }

  #limit(name: string, value: string): boolean {
    const settings = this.#settings;
    if (name === "turns") {
      const turns = parseTurnLimit(value);
      if (turns !== null) settings.limits = { ...settings.limits, turns };
      return turns !== null;
    }
    const number = name === "cost" && /^\d+(?:\.\d+)?$/u.test(value) ? Number(value) : parseCount(value);
    if (number === null) return false;
    if (name === "window") settings.window = number;
    else if (isLimit(name)) settings.limits = { ...settings.limits, [name]: number };
    else return false;
    return true;
  }
}

/** The limits that a session has beside the usual ones, as a line of a scenario. */
export function limitsLine(limits: Limits): string | null {
  const differs = Object.entries(limits).filter(
    ([name, value]) => value !== null && !(isLimit(name) && defaultLimits[name] === value),
  );
  return differs.length === 0 ? null : `limits ${differs.map(([name, value]) => `${name}=${value}`).join(" ")}`;
}

function isLimit(name: string): name is keyof Limits {
  return Object.hasOwn(defaultLimits, name);
}

function choose<const T extends string>(typed: string, known: readonly T[], then: (chosen: T) => void): string | null {
  const chosen = known.find((each) => each === typed);
  if (chosen === undefined) return known.join(", ");
  then(chosen);
  return null;
}
