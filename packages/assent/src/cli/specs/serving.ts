import type { Role } from "../../wire/token.ts";
import { expireOption, modelOptions } from "./following.ts";
import { type CommandSpec, jsonOption } from "./spec.ts";

/** Completion has them without what reads tokens. */
const roles: readonly Role[] = ["viewer", "answerer", "admin"];

export const serveSpec = {
  does: "serves all sessions over HTTP and as a page: answer, start, stop and follow them from a browser",
  options: {
    listen: {
      value: "<address>",
      does: "where to listen, as <port> or <address>:<port>; 127.0.0.1:4815 unless given, and port 0 is any that is free",
    },
    socket: { value: "<path>", does: "listens at a unix socket instead, which only you can open", completes: "file" },
    origin: {
      value: "<url>",
      does:
        "the address under which browsers reach it, where something stands in front of it, such as " +
        "https://assent.example; several with commas",
    },
    ...modelOptions,
    ...expireOption,
  },
  arguments: [],
  more: [
    "It prints an address for your browser that signs you in once; programs find what they need in client.json of Assent's " +
      "home, which only you can read. Everybody else needs a token: see assent token.",
    "It works on sessions that have something to do and that no other process works on, also those that were left in the middle " +
      "of something. A shell and a server share their sessions: a question can be answered in either, once. Ending the server " +
      "cancels nothing: it goes on where it was.",
    "It listens on this machine only, unless you say otherwise. It does not encrypt: for other machines put something in front " +
      "of it that does, and name its address with --origin.",
  ],
} as const satisfies CommandSpec;

export const tokenSpec = {
  does: "makes, lists and takes back tokens for a server",
  options: {},
  arguments: [],
  parts: {
    create: {
      does: "makes a token and prints it, this once",
      options: {
        role: {
          value: "<role>",
          does: "viewer (looks), answerer (also answers and stops; the default) or admin (everything)",
          completes: roles,
        },
        expires: { value: "<days>", does: "for how many days it counts; until it is taken back unless given" },
        ...jsonOption,
      },
      arguments: [{ name: "<name>" }],
    },
    list: { does: "lists all tokens, without what opens", options: jsonOption, arguments: [] },
    revoke: {
      does: "takes a token back, by its id or its name: at once, also for browsers that signed in with it",
      options: {},
      arguments: [{ name: "<token>" }],
    },
  },
  more: ["A token is who somebody is: answers are recorded under its name."],
} as const satisfies CommandSpec;
