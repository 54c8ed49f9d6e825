import type { ModelAnswer, ModelQuestion, Provider } from "../runtime/index.ts";
import { adviceIn } from "../show/index.ts";
import { looseRecord, parseJson } from "../wire/index.ts";

export type Outcome = {
  readonly verdict: "pass" | "fail" | "skip";
  readonly detail: string;
  /** No other step can do better. */
  readonly hopeless?: true;
};

const hopeless: readonly string[] = ["refused", "unauthorised", "no-credit", "not-found", "redirected"];

/** What the steps have of the model, and of one another. */
export type Examined = {
  readonly provider: Provider;
  readonly window: number | null;
  /** The reply that called the tool, for the step that sends the result back. */
  called: Replied | null;
  requests: number;
};

export type Step = {
  readonly name: string;
  readonly limitMs: number;
  perform(examined: Examined, signal: AbortSignal): Promise<Outcome>;
};

type Replied = Extract<ModelAnswer, { type: "replied" }>;
type Messages = ModelQuestion["request"]["messages"];
type Asked = {
  readonly prompt: string;
  readonly messages?: Messages;
  readonly signal: AbortSignal;
  readonly onText?: (text: string) => void;
};

/** A request that is given up ends within this time. */
const mostStopMs = 2_000;
const wantedLines = 320;
const leastLines = 300;
const largestWindow = 300_000;

const lookup = {
  name: "lookup",
  description: "Looks up the value of a key. It can be called several times in one reply.",
  parameters: {
    type: "object",
    properties: { key: { type: "string", description: "the key" } },
    required: ["key"],
    additionalProperties: false,
  },
};

const callPrompt = 'Call the tool lookup with the key "violet".';
const linesPrompt = `Write ${wantedLines} lines, numbered: "line 1", then "line 2", up to "line ${wantedLines}". Leave none out, and write nothing else.`;

/** Together no more than ten minutes. */
export const steps: readonly Step[] = [
  { name: "text", limitMs: 60_000, perform: text },
  { name: "tool call", limitMs: 60_000, perform: toolCall },
  { name: "parallel calls", limitMs: 60_000, perform: parallelCalls },
  { name: "tool result back", limitMs: 60_000, perform: resultBack },
  { name: "long output", limitMs: 180_000, perform: longOutput },
  { name: "stop", limitMs: 90_000, perform: stopping },
  { name: "overflow", limitMs: 90_000, perform: overflow },
];

async function text(examined: Examined, signal: AbortSignal): Promise<Outcome> {
  let parts = 0;
  const onText = () => {
    parts += 1;
  };
  const answer = await ask(examined, { prompt: "Answer with the one word ready and nothing else.", signal, onText });
  if (answer.type !== "replied") return failed(answer);
  const { input, output } = answer.usage;
  if (!/ready/i.test(answer.text)) return fail(`expected the word ready, found ${JSON.stringify(answer.text)}`);
  if (parts === 0) return fail("the text came, but was not streamed");
  if (input === 0 || output === 0) return fail(`usage is not told: input ${input}, output ${output}`);
  return pass(`${parts} ${parts === 1 ? "part" : "parts"}, ${input} tokens in, ${output} out`);
}

async function toolCall(examined: Examined, signal: AbortSignal): Promise<Outcome> {
  const answer = await ask(examined, { prompt: callPrompt, signal });
  if (answer.type !== "replied") return failed(answer);
  const [call] = answer.calls;
  if (call === undefined) return fail(`expected a call of lookup, found the text ${JSON.stringify(answer.text)}`);
  const right = keysOf(answer)[0] === "violet";
  if (!right) return fail(`expected lookup {"key":"violet"}, found ${call.tool} ${call.flaw ?? call.arguments}`);
  examined.called = answer;
  return pass(`${call.tool} ${call.arguments}`);
}

async function parallelCalls(examined: Examined, signal: AbortSignal): Promise<Outcome> {
  const prompt = 'Call the tool lookup twice, both calls in one reply: with the key "red" and with the key "blue".';
  const answer = await ask(examined, { prompt, signal });
  if (answer.type !== "replied") return failed(answer);
  const found = keysOf(answer);
  if (found.length === 0) return fail(`expected two calls, found the text ${JSON.stringify(answer.text)}`);
  if (found.length === 1) return skip("the model gives its calls one after another");
  const right = [...found].sort().join() === "blue,red";
  return right ? pass("two calls in one reply") : fail(`expected the keys red and blue, found ${found.join(", ")}`);
}

async function resultBack(examined: Examined, signal: AbortSignal): Promise<Outcome> {
  const { called } = examined;
  if (called === null) return skip("there was no call to answer");
  const calls = called.calls.map((call, index) => ({ ...call, id: `doctor-${index + 1}`, original: call.id }));
  const messages: Messages = [
    { role: "user", text: callPrompt },
    {
      ...{ role: "assistant", text: called.text },
      calls: calls.map(({ id, original, tool, arguments: given }) => ({ id, original, tool, arguments: given })),
      ...(called.reasoning === undefined ? {} : { reasoning: called.reasoning }),
    },
    ...calls.map(({ id, original }) => ({ role: "tool", call: id, original, text: "7316", failed: false }) as const),
  ];
  const answer = await ask(examined, { prompt: "Answer with the value that was found.", messages, signal });
  if (answer.type !== "replied") return failed(answer);
  return /7316/.test(answer.text)
    ? pass("the result was read")
    : fail(`expected 7316, found ${JSON.stringify(answer.text)}`);
}

async function longOutput(examined: Examined, signal: AbortSignal): Promise<Outcome> {
  const answer = await ask(examined, { prompt: linesPrompt, signal });
  if (answer.type !== "replied") return failed(answer);
  const lines = new Set(answer.text.match(/line \d+/gi)?.map((line) => line.toLowerCase()));
  if (answer.cut)
    return fail(`the reply was cut after ${lines.size} lines; ASSENT_MODEL_MAX_OUTPUT allows longer ones`);
  if (lines.size < leastLines) return fail(`expected ${wantedLines} lines, found ${lines.size}`);
  return lines.has(`line ${wantedLines}`) ? pass(`${lines.size} lines`) : fail("the last line is missing");
}

async function stopping(examined: Examined, signal: AbortSignal): Promise<Outcome> {
  const stop = new AbortController();
  let stopped = 0;
  const onText = () => {
    stopped ||= performance.now();
    stop.abort();
  };
  const answer = await ask(examined, { prompt: linesPrompt, signal: AbortSignal.any([signal, stop.signal]), onText });
  const took = Math.round(performance.now() - stopped);
  if (stopped === 0) return answer.type === "replied" ? fail("no text came that could be stopped") : failed(answer);
  if (answer.type === "replied") return fail("the reply came whole, though it was stopped");
  if (took > mostStopMs) return fail(`it ended ${took} ms after it was stopped`);
  const next = await ask(examined, { prompt: "Answer with the one word ready and nothing else.", signal });
  return next.type === "replied" ? pass(`ended after ${took} ms, and the next request works`) : failed(next);
}

async function overflow(examined: Examined, signal: AbortSignal): Promise<Outcome> {
  const { window } = examined;
  if (window === null) return skip("the window is not known; ASSENT_MODEL_CONTEXT tells it");
  if (window > largestWindow) return skip(`the window of ${window} tokens is too large to be filled`);
  const answer = await ask(examined, { prompt: filling(window), signal });
  if (answer.type === "overflow") return pass(answer.detail);
  if (answer.type !== "replied") return failed(answer);
  return fail(
    `expected it to be too long for ${window} tokens, but it was answered: the server may cut what it is sent`,
  );
}

/** Each number is a token at least, and the space before it often another. */
function filling(window: number): string {
  const numbers = Array.from({ length: window + 1_000 }, (_, index) => 100 + ((index * 7_919) % 900));
  return `How many numbers are these? ${numbers.join(" ")}`;
}

/** Whoever does not end when it is told to is not waited for. */
async function ask(
  examined: Examined,
  { prompt, messages = [], signal, onText = () => {} }: Asked,
): Promise<ModelAnswer> {
  examined.requests += 1;
  const question: ModelQuestion = {
    ...{ session: "doctor", number: examined.requests, wanted: "reply", tools: [lookup] },
    system: "You are being tested. Do exactly what is asked, and nothing else.",
    request: { messages, closing: prompt, tools: "offered", regeneration: 0 },
  };
  const late = new Promise<ModelAnswer>((resolve) => {
    signal.addEventListener("abort", () => {
      setTimeout(() => resolve({ type: "abandoned" }), mostStopMs + 500).unref();
    });
  });
  return Promise.race([examined.provider.ask(question, { signal, onText, onRetry: () => {} }), late]);
}

/** The keys that the tool was called with, of calls that came whole. */
function keysOf({ calls }: Replied): readonly string[] {
  return calls.flatMap((call) => {
    const parsed = call.tool === lookup.name && call.flaw === undefined ? parseJson(call.arguments) : null;
    const key = parsed?.type === "parsed" ? looseRecord(parsed.value)["key"] : undefined;
    return typeof key === "string" ? [key] : [];
  });
}

function failed(answer: Exclude<ModelAnswer, Replied>): Outcome {
  switch (answer.type) {
    case "failed": {
      const { class: kind, detail, remedy } = answer.failure;
      const advice = adviceIn(remedy);
      const told = fail(`${kind}: ${detail}${advice === "" ? "" : `; ${advice}`}`);
      return hopeless.includes(kind) ? { ...told, hopeless: true } : told;
    }
    case "overflow":
      return fail(`overflow: ${answer.detail}`);
    case "abandoned":
      return fail("there was no reply in time");
    default:
      return answer satisfies never;
  }
}

function pass(detail: string): Outcome {
  return { verdict: "pass", detail };
}

function fail(detail: string): Outcome {
  return { verdict: "fail", detail };
}

function skip(detail: string): Outcome {
  return { verdict: "skip", detail };
}
