import { type CommandSpec, jsonOption } from "./spec.ts";

const session = { name: "[session]", completes: "session" } as const;
const ends = "it ends with 0 when all is as it was recorded, with 1 when something was changed or cannot be read";

export const auditSpec = {
  does: "lists all calls of a session: when, what, who or what decided, and what came of it; or why, verify or export",
  options: jsonOption,
  arguments: [session],
  parts: {
    why: {
      does: "tells all about one call: what was asked for, verdict, rule and findings, who answered and what was shown, exit",
      options: {
        json: { does: "all of it, as one object" },
        session: { value: "<session>", does: "the session of the call", completes: "session" },
      },
      arguments: [{ name: "<call>", completes: "call" }],
    },
    verify: {
      does: `finds what was changed in one session, or in all: ${ends}`,
      options: {
        ...jsonOption,
        head: {
          value: "<hash>",
          does: "a head that you wrote down earlier: everything up to it must still be there as it was; with --file, that of the export",
        },
        kept: {
          value: "<file>",
          does: "what verify --json printed earlier: of each session in it everything up to its head of then must still be there",
          completes: "file",
        },
        file: { value: "<file>", does: "an exported audit instead; no store is needed for it", completes: "file" },
      },
      arguments: [session],
    },
    export: {
      does: "prints a session's audit as JSON lines that stand for themselves: a header, each decision and execution, an end; and on stderr its head, to be kept elsewhere",
      options: {
        output: { value: "<file>", does: "writes it there, for you alone, where nothing is yet", completes: "file" },
      },
      arguments: [session],
    },
  },
  more: [
    "Without a session it is the newest one of this folder, but for verify, which looks at all. A call is named by its id or the " +
      "beginning of it; <session>/<call> is one of another session.",
    "Each event's hash covers the event and all before it. Whoever can write to your files can make all hashes anew: a head " +
      "that is kept elsewhere finds that out, and nothing else does. See docs/guide/audit.md.",
  ],
} as const satisfies CommandSpec;
