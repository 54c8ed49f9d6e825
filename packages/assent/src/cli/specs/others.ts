import { type CommandSpec, jsonOption } from "./spec.ts";

const none = { options: {}, arguments: [] } as const;

export const doctorSpec = {
  does: "tells what is there and what is missing, and which model would be used",
  options: {
    ...jsonOption,
    model: { value: "<model>", does: "looks at that model", completes: "model" },
    live: {
      does:
        "examines the model with real requests, which cost tokens: text, tool calls, results, long output, stopping and " +
        "overflow; at most ten minutes",
    },
  },
  arguments: [],
  more: [
    "Each line begins with ok, -- (not there, and not needed) or !! (a problem). Keys are never shown. Without --live " +
      "nothing is sent to a model; servers of this machine are asked which models they have. It ends with 0 when a model " +
      "can be used, with --live when no step failed.",
    "Keys: OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or GOOGLE_API_KEY. Other places: OPENAI_BASE_URL, " +
      "ANTHROPIC_BASE_URL, GEMINI_BASE_URL, OLLAMA_HOST, LLAMA_CPP_BASE_URL, LMSTUDIO_BASE_URL, VLLM_BASE_URL. " +
      "Numbers: ASSENT_MODEL_CONNECT_TIMEOUT_MS, ASSENT_MODEL_FIRST_EVENT_TIMEOUT_MS, ASSENT_MODEL_IDLE_TIMEOUT_MS (0 " +
      "waits as long as it takes), ASSENT_MODEL_RETRIES, ASSENT_MODEL_MAX_OUTPUT, ASSENT_MODEL_CONTEXT and " +
      "ASSENT_MODEL_DISCOVERY_MS.",
  ],
} as const satisfies CommandSpec;

export const interactionSpec = {
  does: "the contract for questions as a filter of JSON lines: lint, reply, flow or purity",
  ...none,
  parts: {
    lint: { does: 'a request → {"valid", "violations", "rendered"}', ...none },
    reply: { does: '{"request", "flow"?, "input"} → {"type", …}: what a typed line means at that question', ...none },
    flow: { does: '{"flow", "inputs"} → {"final", "answers", "asked", "codes"}: where these lines lead', ...none },
    purity: {
      does: '{"text"} → {"soft_offer", "part", "rule"}: whether a final text asks or offers in prose',
      ...none,
    },
  },
  more: ['One line in, one line out; what cannot be read is answered with its "refusal". Blank lines are passed over.'],
} as const satisfies CommandSpec;

export const scenarioSpec = {
  does: "plays whole exchanges that are written as text, or writes down a session as one: run or record",
  ...none,
  parts: {
    run: {
      does:
        "plays each file with the replies it has for the model; no command really runs. It ends " +
        "with 0 when all hold, with 1 when one differs, which is shown line by line, and with 2 when one cannot be read",
      options: {
        ...jsonOption,
        live: {
          does:
            "asks a real model in the place of the replies: which calls and questions there are and what executes must " +
            "be the same, the words may differ",
        },
        model: { value: "<model>", does: "with --live: the model", completes: "model" },
        real: {
          does:
            "lets the commands of files that say so (commands real) really run, in a folder that is made for it; the " +
            "answers to what is asked about them are those in the file",
        },
      },
      arguments: [{ name: "<file>", completes: "file", most: Number.POSITIVE_INFINITY }],
    },
    record: {
      does:
        "prints a session as such a file, with the results that its commands had. Secrets are not in it: *** stands for " +
        "them",
      options: { out: { value: "<file>", does: "writes it there, where nothing is yet", completes: "file" } },
      arguments: [{ name: "<session>", completes: "session" }],
    },
  },
  more: ["How such a file is written: docs/guide/scenarios.md."],
} as const satisfies CommandSpec;

export const schemaSpec = {
  does: "prints the JSON Schema of requests and responses",
  ...none,
  parts: { interaction: { does: "that of questions and answers, the only one there is", ...none } },
} as const satisfies CommandSpec;

export const completionSpec = {
  does: "prints a script by which your shell completes commands, options, sessions, questions and models",
  ...none,
  parts: {
    bash: { does: "for bash 3.2 and later", ...none },
    zsh: { does: "for zsh", ...none },
    fish: { does: "for fish", ...none },
  },
  more: [
    "In ~/.bashrc, in ~/.zshrc after compinit, or once for fish:",
    '  eval "$(assent completion bash)"\n' +
      '  eval "$(assent completion zsh)"\n' +
      "  assent completion fish > ~/.config/fish/completions/assent.fish",
  ],
} as const satisfies CommandSpec;

export const helpSpec = {
  does: "tells what there is (also --help, -h); assent <command> --help tells more",
  options: {},
  arguments: [{ name: "[command]", completes: "command", most: 3 }],
} as const satisfies CommandSpec;

export const versionSpec = { does: "the version (also --version, -v)", ...none } as const satisfies CommandSpec;
