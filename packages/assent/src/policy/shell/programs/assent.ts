import { danger, type Programs } from "../spec.ts";

const approves = danger("self-approval", "could answer for the person, or change what Assent allows");

/** Assent itself: what answers, grants or configures is for people alone (APPR-10). */
export const ownProgram: Programs = {
  assent: {
    commands: {
      answer: { always: approves },
      stop: { always: approves },
      config: { always: approves },
      serve: { always: approves },
      // A play has answers of its own, and may be told to do real things; a record shows what was said elsewhere.
      scenario: { always: approves },
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
  },
};
