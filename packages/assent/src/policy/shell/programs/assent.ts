import { danger, type Programs } from "../spec.ts";

const approves = danger("self-approval", "could answer for the person, or change what Assent allows");
const reaches = danger("network-host", "makes requests with what was set up");

/** Assent itself: what answers, grants or configures is for people alone (APPR-10). */
export const ownProgram: Programs = {
  assent() {
    return {
      commands: {
        answer: { always: approves },
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
