import { type CommandSpec, jsonOption } from "./spec.ts";

export const replaySpec = {
  does: "decides a recorded session again, from the inputs that its events tell of, and compares every byte",
  options: { json: { does: "one object a session, with the whole events where something differs" } },
  arguments: [{ name: "[session]", completes: "session", most: Number.POSITIVE_INFINITY }],
  more: [
    "Without a session it is the newest one of this folder. Nothing is run and no model is asked: replies, results, verdicts, answers, ids and times are those that were recorded. " +
      "What Assent made of them must come out the same. It ends with 0 when it does, and with 6 when something differs: then " +
      "the first event that does is shown. What is compared, and what is taken as given: docs/guide/replay.md.",
  ],
} as const satisfies CommandSpec;

export const policyReplaySpec = {
  does: "judges the calls of recorded sessions again and lists those whose verdict would be another one",
  options: {
    ...jsonOption,
    with: {
      value: "<file>",
      does: "as if that file were your policy.json; without it, by the rules of now",
      completes: "file",
    },
    all: { does: "all sessions; without it, those of this folder" },
  },
  arguments: [{ name: "[session]", completes: "session", most: Number.POSITIVE_INFINITY }],
  more: [
    "The facts are those of then: folder, home, where links led, what was granted. A call of which not all is recorded is " +
      "listed as one that cannot be judged again. It ends with 0 when no verdict would change, with 6 when one would.",
  ],
} as const satisfies CommandSpec;
