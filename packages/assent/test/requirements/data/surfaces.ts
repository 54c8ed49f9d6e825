import type { Requirement } from "../requirement.ts";

/** Where Assent is met: command line, server, page, bridges, library, cluster, telemetry. */
export const surfaces: readonly Requirement[] = [
  {
    id: "CLI-1a",
    line: "`assent` opens the shell in a terminal; without one, the lines that are piped in are done one after the other.",
    status: "verified",
  },
  {
    id: "CLI-1b",
    line: "run, resume, sessions, pending, answer, stop, flow, policy, interaction, scenario, schema, doctor and demo exist with their flags.",
    status: "verified",
  },
  {
    id: "CLI-1c",
    line: "--help tells of every command, and an unknown command or flag is an error with a suggestion.",
    status: "verified",
  },
  {
    id: "CLI-1d",
    line: "bash completes commands, flags, sessions and questions.",
    status: "verified",
  },
  {
    id: "CLI-1e",
    line: "zsh and fish complete the same.",
    status: "planned",
  },
  {
    id: "CLI-1f",
    line: "serve and token create, list and revoke exist.",
    status: "verified",
  },
  {
    id: "CLI-1g",
    line: "audit, replay and policy replay exist.",
    status: "verified",
  },
  {
    id: "CLI-1h",
    line: "mcp and acp exist.",
    status: "planned",
  },
  {
    id: "CLI-2",
    line: "The exit code is the first that fits of 2, 4, 130/143/129, 5, 1, 3, 0.",
    status: "verified",
  },
  {
    id: "CLI-3",
    line: "--json writes recorded events to stdout, one per line under their journal names, and nothing besides.",
    status: "verified",
  },
  {
    id: "CLI-4",
    line: "Flags beat environment, project file and user file; a bad value names file, key, expected and found; no project widens policy unasked.",
    status: "planned",
  },
  {
    id: "CLI-5a",
    line: "`provider:model` in --model or ASSENT_MODEL picks a listed provider or a local server, at the place that its variable names.",
    status: "verified",
  },
  {
    id: "CLI-5b",
    line: "With no model named and no key set, the first local server that has a model is used, which is said.",
    status: "verified",
  },
  {
    id: "CLI-5c",
    line: "`scripted:<file>` plays a script in place of a model.",
    status: "verified",
  },
  {
    id: "CLI-5d",
    line: "ASSENT_MODEL_IDLE_TIMEOUT_MS, ASSENT_MODEL_RETRIES and the like override the defaults.",
    status: "verified",
  },
  {
    id: "CLI-5e",
    line: "With no key and no local server, run says so in one line that names what to do, also the demo, and exits as misused.",
    status: "verified",
  },
  {
    id: "CLI-5f",
    line: "With no key and no local server the shell still starts, offers /model set-up and assent demo, and slash commands work.",
    status: "verified",
  },
  {
    id: "CLI-5g",
    line: "A session records the host that its history is sent to; before it is sent to another one, a line names both.",
    status: "verified",
  },
  {
    id: "CLI-5h",
    line: "To another machine that no person named the model for, a session's history is not sent: the exchange fails and can go on.",
    status: "verified",
  },
  {
    id: "CLI-6",
    line: "The demo drives real tools in a temporary directory with a scripted model, and says that it is scripted.",
    status: "verified",
  },
  {
    id: "SRV-1a",
    line: "Every listed route answers as its schema says; the OpenAPI document is made from these schemas and lists exactly the routes.",
    status: "verified",
  },
  {
    id: "SRV-1b",
    line: "It listens on loopback unless told otherwise, or at a socket that its owner alone can open; what cannot be is told plainly.",
    status: "verified",
  },
  {
    id: "SRV-1c",
    line: "Everything but /healthz, signing in and the files of the page needs a token that counts: known, not over, not taken back.",
    status: "verified",
  },
  {
    id: "SRV-1d",
    line: "A token, or a ticket that counts once, is exchanged for a cookie that is HttpOnly and SameSite=Strict.",
    status: "verified",
  },
  {
    id: "SRV-1e",
    line: "Tokens are kept as hashes in files of 0600; the text of the first admin's is in the client file, 0600, and nowhere else.",
    status: "verified",
  },
  {
    id: "SRV-1f",
    line: "Events are streamed: after or Last-Event-ID replays the rest without gap or repetition, then comes every new one.",
    status: "verified",
  },
  {
    id: "SRV-2a",
    line: "An answer that is accepted, and one that is sent again, is 200; the second says that it is a repetition.",
    status: "verified",
  },
  {
    id: "SRV-2b",
    line: "What is malformed, has a wrong type or more than one answer field is 400 and costs no attempt.",
    status: "verified",
  },
  {
    id: "SRV-2c",
    line: "No token is 401, the wrong audience 403, what there is not 404, too large a body 413, too many requests 429.",
    status: "verified",
  },
  {
    id: "SRV-2d",
    line: "An answer to what has ended is 409 with how, by whom and when; to what has expired it is 410.",
    status: "verified",
  },
  {
    id: "SRV-2e",
    line: "An invalid answer is 422 and tells which attempt it was; the fourth says that the question is aborted.",
    status: "verified",
  },
  {
    id: "SRV-3a",
    line: "Host and Origin must be exactly the server's; no other site is allowed anything, whatever it sends, and nothing happens.",
    status: "verified",
  },
  {
    id: "SRV-3b",
    line: "A body ends at 1 MiB, whether its length is told or not; slow, broken and smuggled requests end without effect.",
    status: "verified",
  },
  {
    id: "SRV-3c",
    line: "Who reads slowly or never costs a bounded amount, holds up nobody, and is in step again when they read on.",
    status: "verified",
  },
  {
    id: "SRV-3d",
    line: "A token carries one of three roles: viewer looks, answerer also answers and stops, admin does everything.",
    status: "verified",
  },
  {
    id: "SRV-4a",
    line: "After a restart or kill -9 open sessions go on where they were, and an open question has its id and can be answered.",
    status: "verified",
  },
  {
    id: "SRV-4b",
    line: "Nothing is run twice by a restart, by a kill, or by two servers that share their sessions.",
    status: "verified",
  },
  {
    id: "SRV-4c",
    line: "Shutting down cancels nothing: no question is closed and no exchange ended by it.",
    status: "verified",
  },
  {
    id: "WEB-1a",
    line: "A session is begun on the page, followed live by its channels, and stopped or killed there.",
    status: "verified",
    needs: "chromium",
  },
  {
    id: "WEB-1b",
    line: "The inbox shows a question whole, its part marked, hidden characters visible, and takes answers by click and number key.",
    status: "verified",
    needs: "chromium",
  },
  {
    id: "WEB-1c",
    line: "A key or click that was meant for another question is no answer to the one that has just appeared.",
    status: "verified",
    needs: "chromium",
  },
  {
    id: "WEB-1d",
    line: "After a restart or kill -9 of the server the page goes on by itself, loses nothing that was typed, and shows nothing twice.",
    status: "verified",
    needs: "chromium",
  },
  {
    id: "WEB-1e",
    line: "What is answered elsewhere closes here and says who it was; sessions, audit and grants are there.",
    status: "verified",
    needs: "chromium",
  },
  {
    id: "WEB-1f",
    line: "Every view works on a phone, by keyboard and for a screen reader, light and dark, without anything inline or from elsewhere.",
    status: "verified",
    needs: "chromium",
  },
  {
    id: "WEB-2",
    line: "People are called by signed webhook, bell and title, with escalation, and may answer by a signed link that works once.",
    status: "planned",
  },
  {
    id: "BRG-1a",
    line: "The MCP client speaks stdio and streamable HTTP.",
    status: "verified",
  },
  {
    id: "BRG-1b",
    line: "It speaks both eras of the protocol, and finds out which one a server speaks.",
    status: "verified",
  },
  {
    id: "BRG-1c",
    line: "An elicitation of one field becomes one question, a form of several becomes a flow, a URL is shown with its host and asked about.",
    status: "verified",
  },
  {
    id: "BRG-2",
    line: "assent mcp serves sessions to a host, puts questions to its person, and passes the official conformance scenarios.",
    status: "planned",
  },
  {
    id: "BRG-3",
    line: "Editors drive assent acp, with approvals as permission requests and questions as elicitation.",
    status: "planned",
  },
  {
    id: "BRG-4",
    line: "The server offers an AG-UI stream with interrupts and resume.",
    status: "planned",
  },
  {
    id: "LIB-1a",
    line: "assent/interaction imports alone, without runtime, tools or Node, typed, with examples run in CI.",
    status: "verified",
  },
  {
    id: "LIB-1b",
    line: "openHost takes journal, provider, tools and policy, and has usual values for the rest; command line and server are thin over it.",
    status: "verified",
  },
  {
    id: "LIB-1c",
    line: "assent/policy imports alone, without core, runtime, tools or Node, typed, with examples run in CI.",
    status: "verified",
  },
  {
    id: "LIB-1d",
    line: "Each export has a doc comment, names only types that can be imported, and stands in a reference; the programs of the docs run.",
    status: "verified",
  },
  {
    id: "LIB-1e",
    line: "The bridges are thin over openHost.",
    status: "planned",
  },
  {
    id: "LIB-1f",
    line: "The packed package has the files that it should and no others, its types resolve for whoever imports it, and its examples run.",
    status: "verified",
  },
  {
    id: "LIB-2a",
    line: "A new tool is one file and one line in a catalogue.",
    status: "verified",
  },
  {
    id: "LIB-2b",
    line: "A new provider is one file for how it speaks, if it speaks in a way of its own, and one line in a catalogue for each.",
    status: "verified",
  },
  {
    id: "LIB-2c",
    line: "A new adapter is one file over the host and one line that opens it.",
    status: "verified",
  },
  {
    id: "LIB-2d",
    line: "A new policy rule is one file and one line in a catalogue, or one entry of data.",
    status: "verified",
  },
  {
    id: "CLU-1",
    line: "Several workers on a durable engine share sessions, survive a killed worker and process each input once, with the same events and API.",
    status: "planned",
  },
  {
    id: "CLU-2",
    line: "On one machine an embedded store suffices and no server is needed.",
    status: "verified",
  },
  {
    id: "OBS-1",
    line: "When configured, traces and metrics follow the GenAI conventions for each unit of work; logs go to a file, redacted.",
    status: "planned",
  },
];
