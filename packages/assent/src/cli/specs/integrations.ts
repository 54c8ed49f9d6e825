import { askingOptions } from "./following.ts";
import { type CommandSpec, jsonOption } from "./spec.ts";

export const integrationsSpec = {
  does: "the services that are connected, and those that can be: list (the default), show, verify, setup or remove",
  options: jsonOption,
  arguments: [],
  parts: {
    list: { does: "lists what is set up, then what can be", options: jsonOption, arguments: [] },
    show: {
      does: "tells all about one: its state, its fields without the secrets, its tools",
      options: jsonOption,
      arguments: [{ name: "<service>", completes: "service" }],
    },
    verify: {
      does:
        "tries one, or all that are set up, with one request each, and says passed, missing or failed. It ends with 0 when " +
        "all passed, with 1 when one did not",
      options: jsonOption,
      arguments: [{ name: "[service]", completes: "integration" }],
    },
    setup: {
      does:
        "asks for what a service needs, saves and verifies it; of an MCP server it then asks whether its tools are to be " +
        "used. It ends with 0 when that is done, with 1 when what was saved does not work, and with 3 when it was cancelled",
      options: askingOptions,
      arguments: [{ name: "<service>", completes: "service" }],
    },
    remove: {
      does: "removes one that is set up, with its secrets; it does not ask",
      options: {},
      arguments: [{ name: "<service>", completes: "integration" }],
    },
  },
  more: ["What they are, and how to add one: docs/guide/integrations.md. MCP servers: docs/guide/mcp.md."],
} as const satisfies CommandSpec;
