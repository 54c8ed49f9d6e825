/** What `assent help` and `assent <command> --help` print. */
type Help = { readonly usage: string; readonly does: string; readonly more?: string };

const model = `
  --model <model>        the model, as <provider>:<model>, such as openai:gpt-5, anthropic:claude-sonnet-4-5, ollama:qwen3:8b
                         or scripted:<file>; also ASSENT_MODEL. Without one, the keys that are set and the servers of this
                         machine decide: assent doctor tells which it is
  --soft-offers <what>   what becomes of an answer that asks or offers in prose: regenerate (it is discarded and asked for
                         again, at most three times), warn (shown, with a line that says so) or off; also ASSENT_SOFT_OFFERS`;

const asking = `
  --json                 prints every recorded event as a line of JSON, and nothing else, on stdout
  --unattended <what>    what becomes of a question here: deny (it ends unanswered), park (it stays open, exit code 4) or
                         abort (the session ends); without it you are asked on the terminal, and without one it is denied
  --expire <seconds>     how long a question stays open; as long as it takes unless given`;

const following = `${model}${asking}`;

const commands: Readonly<Record<string, Help>> = {
  run: {
    usage: "run [prompt]",
    does: "does one exchange and exits; without a prompt, reads it from stdin",
    more: `${following}
  --session <session>    goes on in that session; --continue in the newest one of this folder
  --max-turns <n>        model replies before you are asked whether to go on: a number or "unlimited" (25); also
                         ASSENT_MAX_TURNS
  --max-iterations <n>   iterations of a run (25); also ASSENT_MAX_ITERATIONS
  --max-tokens <n>       the budget of each run of a new session, the work that the model opens for itself (outside of it
                         only --max-turns holds): its tokens, as far as the server tells them
  --max-iteration-tokens <n>  those of one iteration
  --max-calls <n>        its tool calls
  --max-time <seconds>   its time, without the time that you take to answer
  --max-cost <amount>    its cost, as far as tokens are told and where the prices are known (models.json in ASSENT_HOME)
  --cwd <folder>         the folder to work in`,
  },
  resume: {
    usage: "resume <session>",
    does: "goes on with an exchange that was interrupted, or watches one that another process works on",
    more: `${following}

The model is the session's own unless --model names another. What is shown begins with the model's last reply or the last change of a flow. Where the model failed, that is
shown, and the exchange goes on from there. Of a session with nothing to go on with, the last result and its exit code are given again. A question that is open already stays open when nobody can be asked.`,
  },
  sessions: {
    usage: "sessions",
    does: "lists all sessions; sessions delete <session> removes one for good",
    more: `
  --json                 one object a line

assent sessions delete <session> removes its events, secrets and kept outputs. There is no way back.`,
  },
  pending: {
    usage: "pending",
    does: "lists all questions that wait for an answer",
    more: "\n  --json                 one object a line",
  },
  answer: {
    usage: "answer <id> <reply>",
    does: "answers a question; with - reads a response as JSON from stdin",
    more: `
The reply is read as if typed at the question: the number of an option (1,3 for several), yes or no, or text. At an
approval, text is a no with a reason. In a flow, key=N key=N answers several steps. cancel ends the exchange, stop stops
it. After four replies that are none of these, the question ends without an answer.

assent answer - takes a response in wire form, such as {"interaction_id":"…","selected_option_id":"yes","cancelled":false,"answer_id":"…"},
and prints whether it was accepted as JSON. The same answer_id with the same answer may be sent again.`,
  },
  stop: {
    usage: "stop <session>",
    does: "ends the open exchange of a session; what runs finishes first",
    more: "\n  --kill                 ends what runs, too",
  },
  flow: {
    usage: "flow <file>",
    does: "asks the questions of a file, one a step, and prints the answers as JSON; no model",
    more: `${asking}

A flow that was parked and answered prints its answers where its last question is answered, and by assent resume.

The file is {"steps": [{"key": "env", "instruction": "Which environment?", "options": ["Staging", "Production"]}, …]}.
A step can also have "allow_free_text": false, "multi_select": true or "sensitive": true.`,
  },
  policy: {
    usage: "policy <what>",
    does: "what needs your approval, and what you have granted: explain, check, rules or grants",
    more: `
  explain <command>      prints the verdict on a command, with its reasons; --json for all of it, --cwd and --home for another
                         place
  check                  reads {"command", "cwd", "home"?} from stdin, a line each, and answers each with a line:
                         {"needs_approval", "verdict", "rule", "reason", "findings"}
  rules                  lists the rules with their examples; --json one object a line
  grants                 lists what is granted (--json, --session <session>); grants revoke <id> takes one back;
                         grants add <word> <word>… allows every command that begins so, with --scope project or user,
                         --categories delete,network,…, --expires <hours> and --uses <n>; words that begin with a dash
                         come after --. --exact '<command>' allows exactly that command instead

Your own rules are in policy.json in ASSENT_HOME, a project's in .assent/policy.json. They can only ask or deny:
{"rules": [{"name": "no-deploy", "command": ["npm", "run", "deploy"], "verdict": "deny", "reason": "ask in the channel",
            "examples": {"match": ["npm run deploy"], "differ": ["npm test"]}}]}`,
  },
  doctor: {
    usage: "doctor",
    does: "tells what is there and what is missing, and which model would be used",
    more: `
  --json                 one object a line
  --model <model>        looks at that model
  --live                 examines the model with real requests, which cost tokens: text, tool calls, results, long output,
                         stopping and overflow; at most ten minutes

Each line begins with ok, -- (not there, and not needed) or !! (a problem). Keys are never shown. Without --live nothing is
sent to a model; servers of this machine are asked which models they have. It ends with 0 when a model can be used, with
--live when no step failed.

Keys: OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or GOOGLE_API_KEY. Other places: OPENAI_BASE_URL,
ANTHROPIC_BASE_URL, GEMINI_BASE_URL, OLLAMA_HOST, LLAMA_CPP_BASE_URL, LMSTUDIO_BASE_URL, VLLM_BASE_URL.
Numbers: ASSENT_MODEL_CONNECT_TIMEOUT_MS, ASSENT_MODEL_FIRST_EVENT_TIMEOUT_MS, ASSENT_MODEL_IDLE_TIMEOUT_MS (0 waits as
long as it takes), ASSENT_MODEL_RETRIES, ASSENT_MODEL_MAX_OUTPUT, ASSENT_MODEL_CONTEXT and ASSENT_MODEL_DISCOVERY_MS.`,
  },
  interaction: {
    usage: "interaction <what>",
    does: "the contract for questions as a filter of JSON lines: lint, reply, flow or purity",
    more: `
  lint      a request → {"valid", "violations", "rendered"}
  reply     {"request", "flow"?, "input"} → {"type", …}: what a typed line means at that question
  flow      {"flow", "inputs"} → {"final", "answers", "asked", "codes"}: where these lines lead
  purity    {"text"} → {"soft_offer", "part", "rule"}: whether a final text asks or offers in prose

One line in, one line out; what cannot be read is answered with its "refusal". Blank lines are passed over.`,
  },
  schema: {
    usage: "schema interaction",
    does: "prints the JSON Schema of requests and responses",
    more: "",
  },
  demo: {
    usage: "demo",
    does: "lets a scripted model work with the real tools in a temporary folder",
    more: `${following}

It ends with 0 also when you say no.`,
  },
  help: { usage: "help", does: "this text (also --help, -h); assent <command> --help tells more" },
  version: { usage: "version", does: "the version (also --version, -v)" },
};

export const commandNames: readonly string[] = Object.keys(commands);

export function helpFor(command: string): string {
  const help = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (help === undefined || help.more === undefined) return overview;
  return `usage: assent ${help.usage}\n\n${help.does}\n${help.more}\n`;
}

const listed = Object.values(commands).map(({ usage, does }) => `  ${usage.padEnd(22)} ${does}\n`);

export const overview = `usage: assent <command>

${listed.join("")}
A session is named by its id, the beginning of its id, or its name.
Exit codes, the first that fits: 2 wrong usage; 4 parked, a question waits; 130 stopped (143, 129 by signal);
5 a limit was reached; 1 failed; 3 cancelled, or something was refused or unanswered; 0 done.
Sessions are kept in ASSENT_HOME, or in the folder for your data (~/.local/share/assent).
Commands of the model run in bash; ASSENT_SHELL names another shell for those that have one of their own.
`;
