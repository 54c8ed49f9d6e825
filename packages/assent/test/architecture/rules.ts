import type { Rules } from "./check.ts";
import type { Layer } from "./layers.ts";

/** An effect's hands: it sees the core's types and the ports, and is passed in by whoever wires it. */
function hands(more: Partial<Pick<Layer, "imports" | "externals">>): Layer {
  return {
    imports: ["runtime/ports.ts", "wire", ...(more.imports ?? [])],
    types: ["core", "runtime/redacting.ts"],
    externals: ["node:*", ...(more.externals ?? [])],
  };
}

/** A surface shows what core renders and talks to the host; it cannot reach a tool, a provider or another surface. */
function adapter(...externals: string[]): Layer {
  return {
    imports: ["core/interaction/index.ts", "wire", "runtime/index.ts", "show", "slash"],
    types: ["core"],
    externals: ["node:*", ...externals],
  };
}

const layers: Rules["layers"] = {
  packageName: "assent",
  table: {
    core: { imports: [], types: ["policy"], externals: [] },
    policy: { imports: [], types: ["core"], externals: ["unbash"] },
    wire: { imports: ["core"], types: ["policy"], externals: ["valibot", "@valibot/to-json-schema"] },
    runtime: { imports: ["core", "policy", "wire"], types: [], externals: ["node:*"] },
    tools: hands({ imports: ["core/interaction/index.ts", "terminal", "integrations"], externals: ["valibot"] }),
    providers: hands({ externals: ["eventsource-parser"] }),
    terminal: hands({ externals: ["@lydell/node-pty"] }),
    integrations: hands({ imports: ["core/interaction/index.ts"], externals: ["@modelcontextprotocol/client"] }),
    // What people read of events, for every surface that shows text; it shows nothing itself.
    show: { imports: ["core/interaction/index.ts"], types: ["core", "runtime"], externals: [] },
    // The commands that people type and a model may run; they talk to the host, as surfaces do.
    slash: {
      imports: ["core/interaction/index.ts", "wire", "runtime/index.ts", "show"],
      types: ["core", "integrations"],
      externals: ["node:*"],
    },
    // Speaks to the server from anywhere, also from a browser: nothing of Node, and no schemas.
    client: { imports: ["wire/received.ts"], types: ["core", "runtime", "wire"], externals: ["eventsource-parser"] },
    "adapters/*": adapter(),
    "adapters/shell": adapter("marked", "fast-string-width"),
    "adapters/http": adapter("hono", "@hono/node-server"),
    "adapters/mcp": adapter("@modelcontextprotocol/server"),
    "adapters/acp": adapter("@agentclientprotocol/sdk"),
    "adapters/ag-ui": adapter("@ag-ui/core", "@ag-ui/encoder"),
    // Plays whole exchanges, and so puts everything together as the command line does.
    scenarios: { imports: ["*"], types: [], except: ["cli"], externals: ["node:*", "valibot"] },
    // What a program that embeds Assent needs beside the parts: them put together, with usual values.
    library: {
      imports: ["core", "runtime", "tools/index.ts", "providers/index.ts", "wire"],
      types: [],
      externals: ["node:*"],
    },
    cli: { imports: ["*"], types: [], externals: ["*"] },
    testing: { imports: ["*"], types: [], except: ["cli", "adapters"], externals: ["*"] },
    // Agents of other kinds are tested with it too: it knows nothing of this one.
    "testing/model-server": { imports: ["wire"], types: ["core"], externals: ["node:*"] },
    // The package's entry points: they show what is inside and do nothing themselves.
    ".": { imports: ["*"], types: [], externals: [] },
  },
};

const waiting = ["Promise", "queueMicrotask", "setImmediate", "setInterval", "setTimeout"];
const worldly = ["Buffer", "Date", "console", "crypto", "fetch", "performance", "process"];
/** They give any of the others under another name. */
const waysAround = ["Function", "eval", "global", "globalThis", "require"];

const purity: Rules["purity"] = {
  folders: ["core", "policy"],
  neverThrow: ["core"],
  globals: [...waiting, ...worldly, ...waysAround],
  members: { Math: "random", Temporal: "Now" },
};

const indexes: Rules["indexes"] = {
  doors: {
    "core/json.ts": "assent/interaction shows the type of a subject without what else the core is",
    "wire/api-types.ts": "the client has the types of the bodies and must not load the schemas of all of them",
    "wire/api.ts": "only what speaks HTTP loads the bodies of its API, and no start of another command",
    "wire/token.ts": "as above",
    "wire/foreign.ts": "assent/interaction reads questions and must not load the events of sessions to do so",
    "wire/interaction-lines.ts": "as above",
    "runtime/sign-ins.ts": "as below",
    "runtime/tokens.ts": "it hashes: what does that takes a start longer than all of the runtime",
    "wire/events.ts": "the client has the type of an event and must not load the schemas of all of them",
    "wire/received.ts": "the client reads JSON and must not load the schemas to do so",
    "runtime/redacting.ts":
      "it has bytes as Node has them, and whoever imports the ports or the client may not know Node",
    "runtime/redaction.ts": "as above",
    "runtime/machine-policy.ts":
      "it loads the policy, which knows thousands of programs: only what judges pays for that",
    "runtime/own-folders.ts": "every command knows where its things are, and must not load the runtime to do so",
    "runtime/ports.ts": "tools and providers implement the ports and must not load the runtime to do so",
    "core/interaction/index.ts": "adapters render questions and must not reach decide and evolve to do so",
    "wire/nearest.ts": "as below: whoever suggests names must not load the schemas to do so",
    "slash/names.ts": "the command line suggests names and finds sessions, and must not load the commands to do so",
  },
};

const sizes: Rules["sizes"] = {
  fileLines: 400,
  functionLines: 40,
  exceptions: {},
};

const words: Omit<Rules["words"], "avoid"> = {
  emptyNames: ["common", "helper", "helpers", "misc", "util", "utils"],
  exempt: {
    "adapters/acp": ["permission"],
    // So the format is called, by those who made it and in the names of models.
    "providers/openai-chat.ts": ["chat"],
    "providers/models.ts": ["chat"],
    // A journal that is kept in memory is called that everywhere.
    "runtime/journal": ["memory"],
  },
};

const casts: Rules["casts"] = {
  folders: ["wire"],
  exceptions: {},
};

/** What the architecture test holds of Assent; a new folder, package or exception is a line in the data above. */
export function productRules(avoid: ReadonlyMap<string, string>): Rules {
  return { layers, purity, indexes, sizes, words: { ...words, avoid }, casts };
}
