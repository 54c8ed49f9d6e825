import type { CatalogueEntry, Field } from "./types.ts";

const key = { secret: true, pattern: String.raw`\S{20,}`, expected: "at least 20 characters without a space" } as const;

function address(key: string, question: string, usual: string): Field {
  return {
    key,
    question,
    secret: false,
    usual,
    pattern: String.raw`https?://[^\s/?#@]+(?:/[^\s?#@]*)?`,
    expected: "a URL such as https://example.com",
  };
}

/** What comes with Assent. People add others by files of the same form, without a line of code. */
export const builtIn: readonly CatalogueEntry[] = [
  {
    name: "datadog",
    title: "Datadog",
    aliases: ["dd"],
    about: "Monitors, logs, metrics, events and hosts.",
    named: false,
    fields: [
      {
        ...key,
        key: "api_key",
        question: "What is its API key?",
        find: "Organization Settings > API Keys, in Datadog",
      },
      {
        ...key,
        key: "application_key",
        question: "What is its application key?",
        find: "Organization Settings > Application Keys, in Datadog",
      },
      {
        key: "site",
        question: "At which host is its API?",
        secret: false,
        usual: "api.datadoghq.com",
        pattern: String.raw`[A-Za-z0-9.\-]+(?::\d+)?`,
        expected: "a host such as api.datadoghq.eu",
        find: "the site that your account is on, such as api.us5.datadoghq.com or api.datadoghq.eu",
      },
    ],
    verify: {
      method: "GET",
      url: "https://{site}/api/v1/validate",
      headers: { "dd-api-key": "{api_key}" },
      expect: { status: [200], contains: '"valid":true' },
    },
    tools: {
      type: "http",
      headers: { "dd-api-key": "{api_key}", "dd-application-key": "{application_key}" },
      tools: [
        {
          name: "monitors",
          description: "Lists Datadog monitors with their state. Narrow it by a part of the name or by tags.",
          url: "https://{site}/api/v1/monitor?name={name}&monitor_tags={tags}&page={page}&page_size=30",
          parameters: {
            name: { description: "a part of the name", optional: true },
            tags: { description: "tags with commas between them, such as service:api,env:prod", optional: true },
            page: { description: "which page of 30, from 0", optional: true },
          },
        },
        {
          name: "monitor",
          description: "Shows one Datadog monitor: what it watches and its state.",
          url: "https://{site}/api/v1/monitor/{monitor}?group_states=all",
          parameters: { monitor: { description: "its id, a number" } },
        },
        {
          name: "logs",
          description: "Finds Datadog logs, the newest first.",
          url: "https://{site}/api/v2/logs/events?filter%5Bquery%5D={search}&filter%5Bfrom%5D={from}&filter%5Bto%5D={to}&sort=-timestamp&page%5Blimit%5D={limit}",
          parameters: {
            search: { description: "in the search syntax of Datadog, such as service:api status:error" },
            from: { description: "since when, such as now-1h or an ISO time", optional: true },
            to: { description: "until when, such as now or an ISO time", optional: true },
            limit: { description: "how many, at most 1000", optional: true },
          },
        },
        {
          name: "events",
          description: "Finds Datadog events such as deployments and alerts, the newest first.",
          url: "https://{site}/api/v2/events?filter%5Bquery%5D={search}&filter%5Bfrom%5D={from}&filter%5Bto%5D={to}&sort=-timestamp&page%5Blimit%5D={limit}",
          parameters: {
            search: { description: "in the search syntax of Datadog", optional: true },
            from: { description: "since when, such as now-1d", optional: true },
            to: { description: "until when, such as now", optional: true },
            limit: { description: "how many, at most 1000", optional: true },
          },
        },
        {
          name: "metric",
          description: "Reads the points of a Datadog metric over a span of time.",
          url: "https://{site}/api/v1/query?from={from}&to={to}&query={search}",
          parameters: {
            search: { description: "such as avg:system.cpu.user{env:prod} by {host}" },
            from: { description: "since when, in seconds since 1970" },
            to: { description: "until when, in seconds since 1970" },
          },
        },
        {
          name: "hosts",
          description: "Lists the hosts that Datadog knows, with their tags.",
          url: "https://{site}/api/v1/hosts?filter={filter}&count=50",
          parameters: { filter: { description: "a part of a name, an alias or a tag", optional: true } },
        },
      ],
    },
  },
  {
    name: "github",
    title: "GitHub",
    aliases: ["gh"],
    about: "Repositories, issues, pull requests and workflows, by GitHub's own MCP server.",
    named: false,
    fields: [
      {
        ...key,
        key: "token",
        question: "What is its personal access token?",
        find: "Settings > Developer settings > Personal access tokens, at https://github.com/settings/tokens",
      },
      address("url", "At which address is its API?", "https://api.github.com"),
      address("server", "At which address is its MCP server?", "https://api.githubcopilot.com/mcp/"),
    ],
    verify: {
      method: "GET",
      url: "{url}/user",
      headers: {
        authorization: "Bearer {token}",
        accept: "application/vnd.github+json",
        "x-github-api-version": "2022-11-28",
      },
      expect: { status: [200] },
    },
    tools: { type: "mcp-url", url: "{server}", headers: { authorization: "Bearer {token}" } },
  },
  {
    name: "mcp",
    title: "MCP server",
    aliases: ["mcp-server"],
    about: "Any MCP server: a command that starts one, or the URL of one.",
    named: true,
    fields: [
      {
        key: "address",
        question: "Which command starts it, or at which URL is it?",
        secret: false,
        pattern: String.raw`.*\S.*`,
        expected: "a command or a URL",
        find: "its documentation; a command gets the token where it says so, as in TOKEN={token} npx …",
      },
      { key: "token", question: "What is its token?", secret: true, optional: true },
    ],
    verify: null,
    tools: { type: "mcp-given", address: "address", token: "token" },
  },
  {
    name: "sentry",
    title: "Sentry",
    aliases: ["sentry-io"],
    about: "Projects, issues and the events behind them.",
    named: false,
    fields: [
      {
        ...key,
        key: "token",
        question: "What is its auth token?",
        find: "Settings > Developer Settings > Personal Tokens, in Sentry; it needs org:read, project:read and event:read",
      },
      {
        key: "organization",
        question: "What is the slug of the organization?",
        secret: false,
        pattern: "[A-Za-z0-9_-]+",
        expected: "a slug such as my-company",
        find: "the name in the address of its pages",
      },
      address("url", "At which address is it?", "https://sentry.io"),
    ],
    verify: {
      method: "GET",
      url: "{url}/api/0/organizations/{organization}/",
      headers: { authorization: "Bearer {token}" },
      expect: { status: [200] },
    },
    tools: {
      type: "http",
      headers: { authorization: "Bearer {token}" },
      tools: [
        {
          name: "projects",
          description: "Lists the projects of the Sentry organization.",
          url: "{url}/api/0/organizations/{organization}/projects/?query={search}",
          parameters: { search: { description: "a part of the name or slug", optional: true } },
        },
        {
          name: "issues",
          description: "Finds issues of the Sentry organization, by default the unresolved ones.",
          url: "{url}/api/0/organizations/{organization}/issues/?query={search}&statsPeriod={period}&sort={sort}&limit={limit}",
          parameters: {
            search: {
              description: "in the search syntax of Sentry, such as is:unresolved project:web level:error",
              optional: true,
            },
            period: { description: "how far back, such as 24h or 14d", optional: true },
            sort: { description: "date, new, freq or user", optional: true },
            limit: { description: "how many, at most 100", optional: true },
          },
        },
        {
          name: "issue",
          description: "Shows one Sentry issue: what it is, how often, since when, who has it.",
          url: "{url}/api/0/organizations/{organization}/issues/{issue}/",
          parameters: { issue: { description: "its id, a number" } },
        },
        {
          name: "events",
          description: "Lists the events of a Sentry issue, the newest first.",
          url: "{url}/api/0/organizations/{organization}/issues/{issue}/events/",
          parameters: { issue: { description: "the id of the issue, a number" } },
        },
        {
          name: "event",
          description: "Shows one event of a Sentry issue with its stack trace, tags and request.",
          url: "{url}/api/0/organizations/{organization}/issues/{issue}/events/{event}/",
          parameters: {
            issue: { description: "the id of the issue, a number" },
            event: { description: "the id of the event, or latest, oldest or recommended" },
          },
        },
        {
          name: "releases",
          description: "Lists the releases of the Sentry organization, the newest first.",
          url: "{url}/api/0/organizations/{organization}/releases/?query={search}&per_page=25",
          parameters: { search: { description: "the beginning of a version", optional: true } },
        },
      ],
    },
  },
];
