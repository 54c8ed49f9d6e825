import { type CommandSpec, jsonOption } from "./spec.ts";

const session = { name: "<session>", completes: "session" } as const;

export const sessionsSpec = {
  does: "lists all sessions, the one that changed last at the end; sessions delete <session> removes one for good",
  options: jsonOption,
  arguments: [],
  parts: {
    delete: {
      does: "removes a session's events, secrets and kept outputs; there is no way back",
      options: {},
      arguments: [session],
    },
  },
} as const satisfies CommandSpec;

export const questionsSpec = {
  does: "lists all questions that wait for an answer",
  options: jsonOption,
  arguments: [],
} as const satisfies CommandSpec;

export const answerSpec = {
  does: "answers a question; with - reads a response as JSON from stdin",
  options: {
    server: {
      value: "[=<url>]",
      does:
        "answers over HTTP instead: at your own server, or as --server=<url> at another, with its token in ASSENT_TOKEN; " +
        "stands before the id",
    },
  },
  arguments: [{ name: "<id>", completes: "interaction" }, { name: "<reply>" }],
  more: [
    "The reply is read as if typed at the question: the number of an option (1,3 for several), yes or no, or text. At an " +
      "approval, text is a no with a reason. In a flow, key=N key=N answers several steps. cancel ends the exchange, stop " +
      "stops it. After four replies that are none of these, the question ends without an answer.",
    "assent answer - takes a response in wire form, such as",
    '  {"interaction_id":"…","selected_option_id":"yes","cancelled":false,"answer_id":"…"}',
    "and prints whether it was accepted as JSON. The same answer_id with the same answer may be sent again.",
  ],
} as const satisfies CommandSpec;

export const forkSpec = {
  does: "makes a new session with the history of another, which stays as it is, and prints its id",
  options: {},
  arguments: [{ name: "[session]", completes: "session" }],
  more: [
    "Without a session, the newest one of this folder. The new one has its folder, limits and model, and counts its turns from the start: that is how " +
      "it goes on after a session that is aborted, as at its turn limit. To go on in one line:",
    '  assent run --session "$(assent fork <session>)" "<prompt>"',
  ],
} as const satisfies CommandSpec;

export const stopSpec = {
  does: "ends the open exchange of a session; what runs finishes first",
  options: { kill: { does: "ends what runs, too" } },
  arguments: [session],
} as const satisfies CommandSpec;
