import type { Requirement } from "../requirement.ts";

/** How tools are chosen and reached: selection, interactive children, integrations. */
export const tools: readonly Requirement[] = [
  {
    id: "SEL-1",
    line: "Only the model chooses tools; a person's text goes uncut to it and to the literal command and reply parsers, nowhere else.",
    status: "verified",
  },
  {
    id: "SEL-2a",
    line: "The model is offered tools by its API's own means, each with name, description and a JSON Schema of its arguments.",
    status: "verified",
  },
  {
    id: "SEL-2b",
    line: "A tool that is unavailable in a session is not offered; called all the same it gives an error result.",
    status: "verified",
  },
  {
    id: "SEL-2c",
    line: "Every tool of the catalogue has a tier and a time-out.",
    status: "verified",
  },
  {
    id: "SEL-3a",
    line: "A call runs as the model wrote it; nothing rewrites its arguments, nor what the history holds of them.",
    status: "verified",
  },
  {
    id: "SEL-3b",
    line: "An unknown tool, wrong types, broken or cut-off JSON yield an error result that the model reads: no exception, no guess.",
    status: "verified",
  },
  {
    id: "SEL-4a",
    line: "A response's calls settle singly, in order, each one judged in the state its predecessor left.",
    status: "verified",
  },
  {
    id: "SEL-4b",
    line: "Adjacent calls are handed out together only if all are allowed and parallel-safe.",
    status: "verified",
  },
  {
    id: "SEL-4c",
    line: "A part of the request that fits no tool is left to the model's own words; nothing else acts on it.",
    status: "verified",
  },
  {
    id: "SEL-4d",
    line: "No request is turned away at selection; policy refuses single calls, and the model reads the reason.",
    status: "verified",
  },
  {
    id: "SEL-5a",
    line: "A person's ! command needs no model; it is judged, asked about, run and journalled as any call is.",
    status: "verified",
  },
  {
    id: "SEL-5b",
    line: "The output of a person's ! command is in the history that the model gets next.",
    status: "verified",
  },
  {
    id: "SEL-5c",
    line: "Every typed / and ! command is in the journal as command.entered.",
    status: "verified",
  },
  {
    id: "SEL-5d",
    line: "Typed / and ! commands work in the shell while the model is down.",
    status: "verified",
  },
  {
    id: "SEL-5e",
    line: "A mistyped command gets a near suggestion.",
    status: "verified",
  },
  {
    id: "SEL-6a",
    line: "Each turn's context tells cwd, platform, date and what AGENTS.md of the folder says.",
    status: "verified",
  },
  {
    id: "SEL-6b",
    line: "Integrations are in each turn's context, are looked at anew after set-up and removal, and the banner shows the same.",
    status: "verified",
  },
  {
    id: "SEL-7",
    line: "slash_invoke lets the model run slash commands: reading ones at once, others after asking, run_interactive excepted.",
    status: "verified",
  },
  {
    id: "SEL-8a",
    line: "A lone successful discovery command in standard mode gets one tool-free model pass over its observation, which ends the exchange.",
    status: "verified",
  },
  {
    id: "SEL-8b",
    line: "In a run, beside other calls or after a failure, an observation is an ordinary result.",
    status: "verified",
  },
  {
    id: "SEL-8c",
    line: "Each exchange begins without an observation, and a person's own command leads to none.",
    status: "verified",
  },
  {
    id: "SEL-8d",
    line: "Where the model fails or says nothing about an observation, its raw text stands.",
    status: "verified",
  },
  {
    id: "SEL-9",
    line: "A prompt too large for the window is compacted once, then answered without tools, which the reply admits.",
    status: "verified",
  },
  {
    id: "SEL-10",
    line: "An unreachable model fails the exchange visibly with class and remedy after bounded retries that never repeat a tool.",
    status: "verified",
  },
  {
    id: "SEL-11a",
    line: "Text typed during an exchange enters the model's next turn.",
    status: "verified",
  },
  {
    id: "SEL-11b",
    line: "Waiting text can be withdrawn by its person and then never reaches the model.",
    status: "verified",
  },
  {
    id: "SEL-11c",
    line: "After `answered` or `completed`, text still waiting is prompted next, oldest first.",
    status: "verified",
  },
  {
    id: "SEL-11d",
    line: "After any other outcome waiting text stays put and runs only once the person sends it.",
    status: "verified",
  },
  {
    id: "SEL-11e",
    line: "Text given to /queue skips the current exchange and is kept for the following one.",
    status: "verified",
  },
  {
    id: "SEL-11f",
    line: "The screen shows text as waiting while it waits, also after an exchange that did not end well.",
    status: "verified",
  },
  {
    id: "SEL-11g",
    line: "An @path in a prompt carries the text of that file to the model.",
    status: "verified",
  },
  {
    id: "SEL-11h",
    line: "The line editor completes file names after @.",
    status: "verified",
  },
  {
    id: "HAND-1a",
    line: "run_interactive takes only a set-up or a connection, and starts it without asking.",
    status: "verified",
  },
  {
    id: "HAND-1b",
    line: "Asked to set something up, the agent launches the real set-up and prints no command to copy.",
    status: "verified",
  },
  {
    id: "HAND-2a",
    line: "What was launched waits in order, and enters through the prompt of an idle shell, never over what is typed.",
    status: "verified",
  },
  {
    id: "HAND-2b",
    line: "A child that needs stdin owns it, and the terminal's modes come back however it ends.",
    status: "verified",
  },
  {
    id: "HAND-3a",
    line: "Without a shell the set-up that was launched begins on the attached adapter when the exchange ends.",
    status: "verified",
  },
  {
    id: "HAND-3b",
    line: "With nobody to ask, the command of the set-up is told instead.",
    status: "verified",
  },
  {
    id: "INTG-1a",
    line: "Integrations are declared data, with fields, secrets, verify request and tools; no code knows a vendor by name.",
    status: "verified",
  },
  {
    id: "INTG-1b",
    line: "github, sentry, datadog and a generic MCP server, by command or by URL and token, are in the catalogue.",
    status: "verified",
  },
  {
    id: "INTG-1c",
    line: "A person adds an integration with a file; one that is wrong is told and harms no other.",
    status: "verified",
  },
  {
    id: "INTG-2a",
    line: "/integrations lists, shows, verifies, sets up and removes.",
    status: "verified",
  },
  {
    id: "INTG-2b",
    line: "/mcp lists, connects, disconnects and shows the tools of servers.",
    status: "verified",
  },
  {
    id: "INTG-2c",
    line: "One source feeds the banner, the prompt context and the commands.",
    status: "verified",
  },
  {
    id: "INTG-3a",
    line: "Verify ends within its time-out as passed, missing or failed, with one line of detail.",
    status: "verified",
  },
  {
    id: "INTG-3b",
    line: "What went wrong is one line on the screen, and whole in the redacted log.",
    status: "verified",
  },
  {
    id: "INTG-3c",
    line: "A model's verify asks first.",
    status: "verified",
  },
  {
    id: "INTG-4a",
    line: "Secrets of integrations are in files of their owner alone, and in nothing else that is written.",
    status: "verified",
  },
  {
    id: "INTG-4b",
    line: "No secret reaches the journal, a log, a model or an error text, in whatever form it is spelled.",
    status: "verified",
  },
  {
    id: "INTG-4c",
    line: "Only the server that needs a secret has it in its environment.",
    status: "verified",
  },
  {
    id: "INTG-4d",
    line: "Known values are redacted from tool output while it comes, and from what is kept of it.",
    status: "verified",
  },
  {
    id: "INTG-5a",
    line: "Accepted tools of MCP servers are offered to the model beside the others.",
    status: "verified",
  },
  {
    id: "INTG-5b",
    line: "What a server says of its tools decides nothing: the policy asks, unless a person marked a tool.",
    status: "verified",
  },
  {
    id: "INTG-5c",
    line: "A tool whose definition has changed does not run before a person has seen the change and said yes.",
    status: "verified",
  },
  {
    id: "INTG-5d",
    line: "A server that hangs, dies or floods costs only its own call.",
    status: "verified",
  },
  {
    id: "INTG-5e",
    line: "What a server asks a person becomes an interaction of the session, shown as the server's.",
    status: "verified",
  },
  {
    id: "INTG-5f",
    line: "Sampling is refused unless a person allowed it for that server.",
    status: "verified",
  },
];
