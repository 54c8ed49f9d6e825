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
    status: "planned",
  },
  {
    id: "CLI-1g",
    line: "audit, replay, policy replay, mcp and acp exist.",
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
    id: "CLI-6",
    line: "The demo drives real tools in a temporary directory with a scripted model, and says that it is scripted.",
    status: "verified",
  },
  {
    id: "SRV-1",
    line: "serve offers the listed HTTP routes on loopback behind tokens, with a strict cookie for the page and hashes in the store.",
    status: "planned",
  },
  {
    id: "SRV-2",
    line: "Each result maps to its status code; wrong types or several answer fields are 400 and cost nothing.",
    status: "planned",
  },
  {
    id: "SRV-3",
    line: "Host and Origin must match exactly, bodies stop at 1 MiB, slow readers are resynchronised, tokens carry one of three roles.",
    status: "planned",
  },
  {
    id: "SRV-4",
    line: "A restart loses no session or open question and repeats no work; shutting down cancels nothing.",
    status: "planned",
  },
  {
    id: "WEB-1",
    line: "The page offers inbox, answers, timeline, sessions, stop and audit on phone, keyboard and screen reader, proven in a real browser.",
    status: "planned",
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
    line: "openHost carries CLI, server and bridges.",
    status: "planned",
  },
  {
    id: "LIB-1c",
    line: "assent/policy imports alone, without core, runtime, tools or Node, typed, with examples run in CI.",
    status: "verified",
  },
  {
    id: "LIB-2",
    line: "A new tool, provider, adapter or policy rule takes one file and one line in a catalogue.",
    status: "planned",
  },
  {
    id: "CLU-1",
    line: "Several workers on a durable engine share sessions, survive a killed worker and process each input once, with the same events and API.",
    status: "planned",
  },
  {
    id: "CLU-2",
    line: "On one machine an embedded store suffices and no server is needed.",
    status: "planned",
  },
  {
    id: "OBS-1",
    line: "When configured, traces and metrics follow the GenAI conventions for each unit of work; logs go to a file, redacted.",
    status: "planned",
  },
];
