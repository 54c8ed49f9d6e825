import type { Deed } from "../deeds.ts";
import { danger, type Given, type Programs, type Spec } from "../spec.ts";
import { type Argument, beginning, type Hole, known, type Text, textOf } from "../text.ts";
import { each } from "./arguments.ts";

const approves = danger("self-approval", "could answer for the person, or change what Assent allows");
const reaches = danger("network-host", "makes requests with what was set up");

/** Commands that only tell something; those of their parts that do more are asked about wherever they are run. */
const telling =
  /^(?:help|version|doctor|schema|completion|__complete|policy|sessions|pending|audit|replay|interaction|integrations|token|-[hv]|--help|--version)$/;

/** Without a command, and with options alone, it is the shell. */
function starts({ words }: Given): readonly Deed[] {
  const [first] = words;
  const asksHelp = words.some(({ text }) => /^(?:-h|--help)$/.test(known(text) ?? ""));
  if (asksHelp || (first !== undefined && telling.test(known(first.text) ?? ""))) return [];
  return [{ does: "start-assent" }];
}

/** Of what is not known in a prompt each piece is one character, so that the rest can be read as it is written. */
const firstHole = 0xe0_00;
const holes = /([\uE000-\uE0FF])/u;
const named = /(?<=^|\s|[\uE000-\uE0FF])@(?:"([^"\n]+)"|(\S+))/gu;

/** `@path` in a prompt: the text of that file goes along, and what the model says of it is shown. */
function namedFiles({ operands, values }: Given): readonly Deed[] {
  const folder = values("--cwd").at(-1);
  return operands.flatMap((prompt) =>
    pathsIn(prompt.text).flatMap((path) =>
      each("show", [{ ...prompt, text: fromFolder(folder, path), splits: false }]),
    ),
  );
}

/** Longer ones are no names, and not looked at there either. */
const longestName = 500;

/** What ends a sentence is rarely a part of the name, but may be. */
function pathsIn(prompt: Text): readonly Text[] {
  const flat = prompt
    .map((piece, index) => (typeof piece === "string" ? piece : String.fromCodePoint(firstHole + index)))
    .join("");
  const paths = [...flat.matchAll(named)]
    .map(([, quoted, plain]) => quoted ?? plain ?? "")
    .filter(({ length }) => length <= longestName);
  const both = paths.flatMap((path) => [path, path.replace(/[.,;:!?)]+$/, "")]);
  return [...new Set(both)].filter((path) => path !== "").map((path) => unflat(path, prompt));
}

function unflat(path: string, prompt: Text): Text {
  const isBelowHome = path.startsWith("~/");
  const pieces = (isBelowHome ? path.slice(1) : path).split(holes).map((part): string | Hole => {
    const index = (part.codePointAt(0) ?? 0) - firstHole;
    return part.length === 1 && index >= 0 ? (prompt[index] ?? part) : part;
  });
  return textOf(...(isBelowHome ? [home] : []), ...pieces);
}

const home: Hole = { hole: "path", from: "~" };

function fromFolder(folder: Argument | undefined, path: Text): Text {
  const isWhole = typeof path[0] === "object" || beginning(path).startsWith("/");
  return folder === undefined || isWhole ? path : textOf(...folder.text, "/", ...path);
}

function run(): Spec {
  return {
    takes: {
      "--model --soft-offers --unattended --expire --session --cwd": "text",
      "--max-turns --max-iterations --max-tokens --max-iteration-tokens --max-calls --max-time --max-cost": "text",
    },
    also: namedFiles,
  };
}

/** Assent itself: what answers, grants or configures is for people alone (APPR-10). */
export const ownProgram: Programs = {
  "assent assent.cjs"() {
    return {
      also: starts,
      commands: {
        run: run(),
        answer: { always: approves },
        fork: { always: approves },
        stop: { always: approves },
        config: { always: approves },
        serve: { always: approves },
        token: { commands: { create: { always: approves }, revoke: { always: approves }, list: {} } },
        // A play has answers of its own, and may be told to do real things; a record shows what was said elsewhere.
        scenario: { always: approves },
        // To try what was set up sends its secrets, though only to where they belong: as by a model, a person is asked.
        integrations: {
          commands: {
            list: {},
            show: {},
            verify: { always: reaches },
            setup: { always: approves },
            remove: { always: approves },
          },
        },
        sessions: { commands: { delete: { always: approves } } },
        policy: {
          commands: {
            grants: { commands: { revoke: { always: approves }, add: { always: approves } } },
            explain: {},
            check: {},
            rules: {},
          },
        },
      },
    };
  },
};
