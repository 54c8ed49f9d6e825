import type { CommandSpec } from "./spec.ts";

export const unattendedWords = ["deny", "park", "abort"] as const;
export const softOffersWords = ["off", "warn", "regenerate"] as const;

export const modelOptions = {
  model: {
    value: "<model>",
    does:
      "the model, as <provider>:<model>, such as openai:gpt-5, anthropic:claude-sonnet-4-5, ollama:qwen3:8b or " +
      "scripted:<file>; also ASSENT_MODEL. Without one, the keys that are set and the servers of this machine decide: " +
      "assent doctor tells which it is",
    completes: "model",
  },
  "soft-offers": {
    value: "<what>",
    does:
      "what becomes of an answer that asks or offers in prose: regenerate (it is discarded and asked for again, at most " +
      "three times), warn (shown, with a line that says so) or off; also ASSENT_SOFT_OFFERS",
    completes: softOffersWords,
  },
} as const;

export const expireOption = {
  expire: { value: "<seconds>", does: "how long a question stays open; as long as it takes unless given" },
} as const;

/** What every command understands that puts questions to people. */
export const askingOptions = {
  json: { does: "prints every recorded event as a line of JSON, and nothing else, on stdout" },
  unattended: {
    value: "<what>",
    does:
      "what becomes of a question here: deny (it ends unanswered), park (it stays open, exit code 4) or abort (the " +
      "session ends); without it you are asked on the terminal, and without one it is denied",
    completes: unattendedWords,
  },
  ...expireOption,
} as const;

/** What every command that follows an exchange with a model understands. */
const followOptions = { ...modelOptions, ...askingOptions } as const;

/** What bounds a session and its runs (LIM-1, LOOP-5). */
export const limitOptions = {
  "max-turns": {
    value: "<n>",
    does: 'model replies before you are asked whether to go on: a number or "unlimited" (25); also ASSENT_MAX_TURNS',
  },
  "max-iterations": { value: "<n>", does: "iterations of a run (25); also ASSENT_MAX_ITERATIONS" },
  "max-tokens": {
    value: "<n>",
    does:
      "the tokens of a run, the work that the model opens for itself, as far as the server tells them; for a new session, " +
      "as are the other budgets (outside of a run only --max-turns holds)",
  },
  "max-iteration-tokens": { value: "<n>", does: "the tokens of one iteration" },
  "max-calls": { value: "<n>", does: "the tool calls of a run" },
  "max-time": { value: "<seconds>", does: "the time of a run, without the time that you take to answer" },
  "max-cost": {
    value: "<amount>",
    does: "the cost of a run, as far as tokens are told and where the prices are known (models.json in ASSENT_HOME)",
  },
} as const;

const placeOptions = {
  session: { value: "<session>", does: "goes on in that session", completes: "session" },
  continue: { does: "goes on in the newest session of this folder" },
  cwd: { value: "<folder>", does: "the folder to work in", completes: "folder" },
  "read-only": { does: "denies every command and every other call that could change something" },
} as const;

export const shellSpec = {
  does: "opens the shell, as assent without a command does; without a terminal, does what is piped in line by line",
  options: { ...modelOptions, ...expireOption, ...placeOptions, ...limitOptions },
  arguments: [],
  alsoKnown: { version: { does: "prints the version (also -v)" } },
  more: [
    "The commands of the shell begin with a slash: /help lists them there, and docs/guide/commands.md has them all.",
  ],
} as const satisfies CommandSpec;

export const runSpec = {
  does: "does one exchange and exits; without a prompt, reads it from stdin",
  options: { ...followOptions, ...placeOptions, ...limitOptions },
  arguments: [{ name: "[prompt]" }],
  more: [
    "@<path> in the prompt: the text of that file goes with it. A prompt from stdin names no files: so send what others wrote.",
  ],
} as const satisfies CommandSpec;

export const resumeSpec = {
  does: "goes on with an exchange that was interrupted, or watches one that another process works on",
  options: followOptions,
  arguments: [{ name: "[session]", completes: "session" }],
  more: [
    "Without a session, the newest one of this folder. The model is its own unless --model names another. What is shown begins with the model's last reply or " +
      "the last change of a flow. Where the model failed, that is shown, and the exchange goes on from there. Of a " +
      "session with nothing to go on with, the last result and its exit code are given again. A question that is open " +
      "already stays open when nobody can be asked.",
  ],
} as const satisfies CommandSpec;

export const flowSpec = {
  does: "asks the questions of a file, one a step, and prints the answers as JSON; no model",
  options: askingOptions,
  arguments: [{ name: "<file>", completes: "file" }],
  more: [
    "A flow that was parked and answered prints its answers where its last question is answered, and by assent resume.",
    "The file:",
    '  {"steps": [{"key": "env", "instruction": "Which environment?", "options": ["Staging", "Production"]}, …]}',
    'A step can also have "allow_free_text": false, "multi_select": true or "sensitive": true.',
  ],
} as const satisfies CommandSpec;

export const demoSpec = {
  does: "lets a scripted model work with the real tools in a temporary folder",
  options: followOptions,
  arguments: [],
  more: [
    "On a terminal and without options it is a tour of the shell in four parts; otherwise one run. It ends with 0 also " +
      "when you say no.",
  ],
} as const satisfies CommandSpec;
