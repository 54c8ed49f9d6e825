/** What an exit code says, in the order in which they are tried: the first that fits (CLI-2). */
export const exitMeanings: readonly {
  readonly codes: readonly number[];
  readonly short: string;
  readonly long: string;
}[] = [
  {
    codes: [2],
    short: "wrong usage",
    long: "wrong usage: an unknown command, option, session, question, model or script",
  },
  { codes: [4], short: "parked, a question waits", long: "parked: a question waits for an answer" },
  {
    codes: [130, 143, 129],
    short: "stopped (143, 129 by signal)",
    long: "stopped, by a person or SIGINT; by SIGTERM; by SIGHUP",
  },
  {
    codes: [5],
    short: "a limit was reached",
    long: "a limit was reached: turns, iterations, budget, or it stalled",
  },
  {
    codes: [1],
    short: "failed",
    long:
      "failed: the model, the journal, a broken contract; the run declared failure or a part; nobody was there, with " +
      "--unattended abort",
  },
  {
    codes: [3],
    short: "cancelled, or something was refused or unanswered",
    long: "cancelled, or something was refused or unanswered",
  },
  {
    codes: [6],
    short: "a replay differs",
    long: "a replay gives something else than was recorded: assent replay, assent policy replay",
  },
  { codes: [0], short: "done", long: "done" },
];

type Variable = { readonly names: readonly string[]; readonly does: string };

/** The environment variables that people may set, or find. */
export const environmentVariables: readonly Variable[] = [
  { names: ["ASSENT_MODEL"], does: "the model, as --model names it; the option counts first" },
  { names: ["ASSENT_SOFT_OFFERS"], does: "as --soft-offers" },
  { names: ["ASSENT_MAX_TURNS"], does: "as --max-turns, for new sessions" },
  { names: ["ASSENT_MAX_ITERATIONS"], does: "as --max-iterations, for new sessions" },
  {
    names: ["ASSENT_HOME"],
    does:
      "the folder with sessions, grants, secrets, models.json and policy.json; otherwise assent in XDG_DATA_HOME, or " +
      "~/.local/share/assent",
  },
  {
    names: ["XDG_DATA_HOME", "XDG_CACHE_HOME"],
    does: "where the system keeps a person's data, and what can be made again; outputs too long to keep go to the second",
  },
  { names: ["ASSENT_SHELL"], does: "the shell of one-off commands; bash unless set" },
  {
    names: ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"],
    does: "keys; commands of the model run without them",
  },
  {
    names: [
      ...["OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "GEMINI_BASE_URL", "OLLAMA_HOST", "LLAMA_CPP_BASE_URL"],
      ...["LMSTUDIO_BASE_URL", "VLLM_BASE_URL"],
    ],
    does: "other places of the models' servers",
  },
  {
    names: [
      ...["ASSENT_MODEL_CONNECT_TIMEOUT_MS", "ASSENT_MODEL_FIRST_EVENT_TIMEOUT_MS", "ASSENT_MODEL_IDLE_TIMEOUT_MS"],
    ],
    does: "how long to wait for a connection, for the first event of a reply, and between two; 0 waits as long as it takes",
  },
  { names: ["ASSENT_TOKEN"], does: "the token for assent answer --server, where it is not your own server's" },
  { names: ["ASSENT_MODEL_RETRIES"], does: "how often a request is tried again, at most 10" },
  { names: ["ASSENT_MODEL_MAX_OUTPUT"], does: "the tokens that a reply may have" },
  { names: ["ASSENT_MODEL_CONTEXT"], does: "the tokens that a request and its reply may have together" },
  { names: ["ASSENT_MODEL_DISCOVERY_MS"], does: "how long servers of this machine are looked for" },
  { names: ["ASSENT_SCRIPT_LOG"], does: "a file to which a scripted model adds every request, as a line of JSON" },
  { names: ["NO_COLOR"], does: "set to anything: the shell shows no colours" },
  { names: ["LC_ALL", "LC_CTYPE", "LANG"], does: "whether the terminal shows more than ASCII" },
  {
    names: ["ASSENT_RUN"],
    does: "set by Assent for what a call starts; a process that has it cannot act for a person (answer, resume, fork, stop)",
  },
  { names: ["ASSENT_SERVER"], does: "set by Assent for MCP servers and what they start, to end all of it with them" },
];
