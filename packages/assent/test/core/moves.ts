import fc from "fast-check";
import type {
  Flow,
  InputBody,
  InteractionResponse,
  QuestionDraft,
  ReceivedCall,
  SoftOffers,
  ToolResult,
  Work,
} from "../../src/core/index.ts";
import { nextWork, openInteraction, type Session } from "../../src/core/index.ts";
import { judged, type Word } from "./grants.ts";
import { unnamedAddress } from "./oracle.ts";
import { agentic, ask, broken, complete, flowCall, looksUp, person, read, terminal, usage } from "./story.ts";

/** One move of a random walk: time passes, then an input is made for the session as it then is. */
export type Move = { readonly after: number; readonly make: (session: Session) => InputBody; readonly name: string };

const acted = fc
  .constantFrom("act", "act", "act", "act", "act", "view")
  .map((authority) => ({ by: person, authority }) as const);
const words = fc.constantFrom(
  "go on",
  "please STOP now",
  "stop",
  "yes",
  "1",
  "1,2",
  "2",
  "9",
  "",
  " ",
  "cancel",
  "abort",
  "no",
  "option 1",
  "why?",
  "1, 2",
  "Stop.",
  "3",
  "4",
  "5",
  "a=1 b=2",
  "a=1  b=2",
  "b=9 a=1",
);

/** Steps of all kinds; of the last one the value is a secret. */
const steps: Flow["steps"] = [
  { key: "a", question: "Which first?", options: labelled("One", "Two"), allow_free_text: true },
  { key: "b", question: "Which second?", options: labelled("Red", "Blue"), allow_free_text: false, timeout_ms: 900 },
  { key: "c", question: "What is the key?", options: [], allow_free_text: true, sensitive: true },
];
const flow: fc.Arbitrary<Flow> = fc.constantFrom(1, 2, 3).map((count) => ({ steps: steps.slice(0, count) }));

/** What a running call puts to a person: also what is no flow at all, and texts that no model could ask with. */
const formFlow: fc.Arbitrary<Flow> = fc.oneof(
  { weight: 4, arbitrary: flow },
  fc.constant({
    steps: [
      {
        key: "t",
        question: "One two. ".repeat(12),
        options: [],
        allow_free_text: true,
        response_schema: { pattern: "[1-9]" },
      },
    ],
    timeout_ms: 900,
  }),
  fc.constant({ steps: [] }),
);

const call: fc.Arbitrary<ReceivedCall> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("ls", "make", "rm -rf build").map((command) => terminal(command)) },
  { weight: 3, arbitrary: fc.constantFrom("a.txt", "b.txt").map((path) => read(path)) },
  { weight: 2, arbitrary: fc.constant(null).map(() => agentic()) },
  { weight: 1, arbitrary: fc.constantFrom("success", "failure", "partial").map((status) => complete(status)) },
  { weight: 2, arbitrary: fc.constantFrom("/status", "/tools").map((command) => looksUp(command)) },
  {
    weight: 2,
    arbitrary: fc.record({ allow_free_text: fc.boolean(), multi_select: fc.boolean() }).map((draft) => ask(draft)),
  },
  { weight: 1, arbitrary: fc.constant(null).map(() => ask({ timeout_ms: 500 })) },
  { weight: 1, arbitrary: fc.constant(null).map(() => ask({ question: "one two three ".repeat(8) })) },
  { weight: 1, arbitrary: fc.constant(null).map(() => broken()) },
  { weight: 2, arbitrary: flow.map((asked) => flowCall(asked)) },
);

const text = fc.constantFrom(
  "",
  "text",
  "text",
  "text",
  "Fixed. Let me know if you want me to push.",
  "Push it now?\n\n1) Yes\n2) No",
  "Push it now?\n\n1) Yes\n2) Other",
);

const result: fc.Arbitrary<ToolResult> = fc.record(
  {
    type: fc.constantFrom("output", "output", "output", "error"),
    text: fc.constantFrom("ok", "", "changed", "x".repeat(700), "y".repeat(3_000), "z".repeat(9_000)),
    exit: fc.constantFrom(0, 1),
    files: fc.constant(["/project/a.txt"]),
    launch: fc.constant("/mcp connect one"),
  },
  { requiredKeys: ["type", "text"] },
);

const response: fc.Arbitrary<Omit<InteractionResponse, "interaction_id">> = fc.record(
  {
    cancelled: fc.constantFrom(false, false, false, true),
    selected_option_id: fc.constantFrom(
      "red",
      "yes",
      "no",
      "session",
      "project",
      "user",
      "nothing",
      "1",
      "confirm",
      "restart",
      "edit",
      "a",
    ),
    selected_option_ids: fc.constantFrom([], ["red", "blue"], ["blue"]),
    free_text: fc.constantFrom("because", "", "stop it"),
    confirmed: fc.boolean(),
    answer_id: fc.constantFrom("a1", "a2"),
  },
  { requiredKeys: ["cancelled"] },
);

/** What people do without the model. */
const ownInput: fc.Arbitrary<(session: Session) => InputBody> = fc.oneof(
  fc
    .record({ entered: fc.oneof(call, fc.constant(terminal("ls"))), text: fc.constantFrom("!ls", "!make", " "), acted })
    .map(({ entered: { id: _id, ...rest }, text: typed, acted: who }) =>
      always({ type: "command", text: typed, ...rest, ...who }),
    ),
  acted.map((who) => always({ type: "compaction", ...who })),
  fc
    .record({ command: fc.constantFrom("/status", "/help", ""), acted })
    .map(({ command, acted: who }) => always({ type: "entry", command, ...who })),
  // There are few processes.
  {
    weight: 6,
    arbitrary: fc
      .record({ process: fc.constantFrom("p7", "p7", "7", "8"), acted })
      .map(({ process, acted: who }) => always({ type: "keeping", process, ...who })),
  },
  fc.record({ known: fc.constantFrom(true, true, false), acted }).map(
    ({ known, acted: who }) =>
      (session: Session): InputBody => ({
        type: "launch",
        call: (known ? session.launches[0]?.call : undefined) ?? "unheard-of",
        ...who,
      }),
  ),
);

/** Everything that any adapter, process or clock could bring, fitting or not. */
const anyInput: fc.Arbitrary<(session: Session) => InputBody> = fc.oneof(
  fc
    .record({
      text: words,
      delivery: fc.constantFrom("now", "next"),
      entry: fc.constantFrom("typed", "submitted"),
      acted,
    })
    .map(({ acted: who, ...prompt }) => always({ type: "prompt", ...prompt, ...who })),
  fc.record({ line: words, which: fc.nat(3), acted }).map(
    ({ line, which, acted: who }) =>
      (session: Session): InputBody => ({
        type: "reply",
        interaction: someInteraction(session, which),
        line,
        shown: null,
        ...who,
      }),
  ),
  fc.record({ answer: response, which: fc.nat(3), acted }).map(
    ({ answer, which, acted: who }) =>
      (session: Session): InputBody => ({
        type: "response",
        response: { interaction_id: someInteraction(session, which), ...answer },
        shown: "d",
        ...who,
      }),
  ),
  fc
    .record({ mode: fc.constantFrom("graceful", "kill"), acted })
    .map(({ mode, acted: who }) => always({ type: "stop", mode, ...who })),
  fc.constantFrom("deny", "deny", "park", "park", "park", "abort").map(
    (unattended) =>
      (session: Session): InputBody => ({ type: "nobody", interaction: someInteraction(session, 0), unattended }),
  ),
  fc
    .record({ turns: fc.constantFrom(1, 2, 25, "unlimited", 0, -1, 2.5, "x", "3"), acted })
    .map(({ turns, acted: who }) => always({ type: "limit", turns, ...who })),
  acted.map((who) => always({ type: "resumption", ...who })),
  fc
    .record({ known: fc.constantFrom(true, true, false), type: fc.constantFrom("withdrawal", "release"), acted })
    .map(({ known, type, acted: who }) => (session: Session): InputBody => {
      const waiting = known ? session.waiting.at(-1)?.id : undefined;
      return { type, waiting: waiting ?? "unheard-of", ...who };
    }),
  fc.record({ known: fc.boolean(), acted }).map(({ known, acted: who }) => (session: Session): InputBody => {
    const grant = known ? session.grants.at(-1)?.id : undefined;
    return { type: "grant-revocation", grant: grant ?? "unheard-of", ...who };
  }),
  fc
    .record({ asked: flow, tool: fc.constantFrom({}, { tool: "integrations" }), acted })
    .map(({ asked, tool, acted: who }) =>
      always({ type: "flow", flow: asked, name: "flow", arguments: "{}", ...tool, ...who }),
    ),
  { weight: 2, arbitrary: ownInput },
  fc.record({ skew: fc.integer({ min: -1, max: 1 }), calls: fc.array(call, { maxLength: 3 }) }).map(
    ({ skew, calls }) =>
      (session: Session): InputBody => ({
        type: "model-result",
        request: session.counted.requests + 1 + skew,
        result: { type: "replied", text: "t", calls, usage },
      }),
  ),
  fc
    .constantFrom("t1c1", "t2c1", "t3c2", "zz")
    .chain((id) =>
      fc.constantFrom<InputBody>(
        { type: "tool-start", call: id, digest: "digest of ls" },
        { type: "tool-result", call: id, result: { type: "output", text: "late" } },
        { type: "grant-result", call: id },
        { type: "form-request", call: id, flow: { steps } },
        { type: "form-withdrawal", call: id },
        {
          type: "verdicts",
          verdicts: [{ call: id, verdict: "allow", rule: "r", reason: "r", digest: "d", facts: null }],
        },
      ),
    )
    .map(always),
  fc
    .constantFrom<InputBody>(
      { type: "clock" },
      { type: "recovery", alive: [] },
      { type: "context", text: "cwd: /project" },
      { type: "context", text: "" },
      { type: "context", text: "", window: 40 },
      { type: "context", text: "cwd: /project", window: null },
      { type: "context", text: "", address: { origin: "https://one.example", named: true } },
      { type: "context", text: "", address: { origin: "https://other.example", named: true } },
      { type: "context", text: "", address: { origin: unnamedAddress, named: false } },
      { type: "creation", session: "again", cwd: "/", limits: {} },
      {
        type: "creation",
        session: "again",
        cwd: "/",
        limits: {},
        forks: { session: "walk", seq: 1, name: null, history: [{ role: "user", text: "hello" }] },
      },
      { type: "name", name: "n", by: person, authority: "act" },
      { type: "terminal", state: "opened", cwd: "/project" },
      { type: "terminal", state: "closed", cwd: "/tmp" },
      { type: "process", state: "started", process: "p7", pid: 7, since: 1, command: "serve" },
      { type: "process", state: "ended", process: "p7" },
    )
    .map(always),
);

/** A second question while one is open: it must wait. */
const questionOfRunning: fc.Arbitrary<(session: Session) => InputBody> = fc
  .record({ pick: fc.nat(3), timed: fc.boolean(), takes: fc.boolean(), form: fc.oneof(fc.constant(null), formFlow) })
  .map(({ pick, timed, takes, form }) => (session: Session): InputBody => {
    const calls = startedCalls(session);
    const call = calls[pick % Math.max(1, calls.length)]?.id ?? "none";
    if (takes && session.flow?.call === call) return { type: "form-withdrawal", call };
    if (form !== null) return { type: "form-request", call, flow: form };
    const draft = { question: "Password?", options: [], allow_free_text: true, ...(timed ? { timeout_ms: 500 } : {}) };
    return { type: "input-request", call, draft };
  });

/** What a working driver, a person and a model would do next. */
const fittingInput: fc.Arbitrary<(session: Session) => InputBody> = fc
  .record({
    reply: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom("1", "1", "yes", "2", "3", "4") },
      { weight: 1, arbitrary: words },
    ),
    calls: fc.array(call, { maxLength: 4 }),
    text,
    softOffers: fc.constantFrom("regenerate", "regenerate", "warn", "off"),
    begins: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: flow }),
    own: fc.constantFrom(null, null, null, null, "command", "compaction", "tool"),
    outcome: fc.oneof(
      { weight: 12, arbitrary: fc.constant("replied") },
      fc.constantFrom("failed", "overflow", "abandoned"),
    ),
    verdicts: fc.array(fc.constantFrom("allow", "allow", "granted", "ask", "grantable", "deny"), {
      minLength: 4,
      maxLength: 4,
    }),
    result,
    pick: fc.nat(3),
    digest: fc.constantFrom("same", "same", "same", "same", "other"),
    asksInput: fc.constantFrom(false, false, false, true),
    form: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, formFlow),
  })
  .map((choice) => (session: Session) => fit(session, nextWork(session), choice));

type Choice = {
  readonly reply: string;
  readonly calls: readonly ReceivedCall[];
  readonly text: string;
  readonly softOffers: SoftOffers;
  /** A person begins this instead of a prompt. */
  readonly begins: Flow | null;
  /** What else a person begins: a command, a summary, or that flow for a tool. */
  readonly own: "command" | "compaction" | "tool" | null;
  readonly outcome: string;
  readonly verdicts: readonly Word[];
  readonly result: ToolResult;
  readonly pick: number;
  readonly digest: string;
  readonly asksInput: boolean;
  /** What a running call puts to a person instead. */
  readonly form: Flow | null;
};

export function fit(session: Session, work: Work, choice: Choice): InputBody {
  switch (work.type) {
    case "call-model":
      return {
        type: "model-result",
        request: work.number,
        result: modelResult(choice),
        soft_offers: choice.softOffers,
        timeout_ms: 2_000,
      };
    case "compact-history":
      return { type: "model-result", request: work.number, result: summaryResult(choice) };
    case "stop-model":
      return {
        type: "model-result",
        request: work.number,
        result: choice.pick > 1 ? { type: "abandoned" } : modelResult(choice),
      };
    case "judge-calls":
      return {
        type: "verdicts",
        verdicts: work.calls.map((call, index) => judged(session, call, choice.verdicts[index % 4] ?? "allow")),
      };
    case "save-grant": {
      const failure = choice.digest === "same" ? {} : { failure: "the disk is full" };
      return { type: "grant-result", call: work.call, ...failure };
    }
    case "run-tools": {
      const call = work.calls[choice.pick % work.calls.length];
      return {
        type: "tool-start",
        call: call?.id ?? "",
        digest: choice.digest === "same" ? `digest of ${call?.arguments}` : "tampered",
      };
    }
    case "kill-tools":
      return { type: "tool-result", call: work.calls[0]?.call.id ?? "", result: { type: "error", text: "killed" } };
    case "ask-person":
      return {
        type: "reply",
        interaction: work.request.interaction_id,
        line: choice.reply,
        shown: "d",
        by: person,
        authority: "act",
      };
    case "end-processes":
      return session.terminal.state === "open"
        ? { type: "terminal", state: "closed", cwd: session.terminal.cwd }
        : { type: "process", state: "ended", process: session.processes.find(({ kept }) => !kept)?.process ?? "none" };
    case "rest":
      return resting(session, choice);
    default:
      return work satisfies never;
  }
}

export const move: fc.Arbitrary<Move> = fc
  .record({
    after: fc.constantFrom(0, 1, 10, 600),
    source: fc.oneof(
      { weight: 7, arbitrary: fc.record({ name: fc.constant("fitting"), make: fittingInput }) },
      { weight: 1, arbitrary: fc.record({ name: fc.constant("any"), make: anyInput }) },
      { weight: 1, arbitrary: fc.record({ name: fc.constant("question"), make: questionOfRunning }) },
      {
        weight: 1,
        arbitrary: fc.record({
          name: fc.constant("crash"),
          make: fc.constant(always({ type: "recovery", alive: ["p7"] })),
        }),
      },
    ),
  })
  .map(({ after, source }) => ({ after, ...source }));

function startedCalls(session: Session) {
  if (session.exchange?.phase.type !== "turn") return [];
  return session.exchange.phase.calls.filter((call) => call.status.type === "started");
}

function resting(session: Session, choice: Choice): InputBody {
  const running = startedCalls(session);
  const call = running[choice.pick % Math.max(1, running.length)];
  const acting = { by: person, authority: "act" } as const;
  if (session.exchange === null && session.failed !== null && choice.pick > 1) return { type: "resumption", ...acting };
  if (call === undefined && choice.begins !== null && session.exchange === null) {
    const tool = choice.own === "tool" ? { tool: "integrations" } : {};
    return { type: "flow", flow: choice.begins, name: "flow", arguments: "{}", ...tool, ...acting };
  }
  if (session.exchange === null && choice.own === "compaction") return { type: "compaction", ...acting };
  if (choice.own === "command" && (call === undefined || choice.pick === 0)) {
    const { id: _id, ...entered } = terminal("make");
    return { type: "command", text: "!make", ...entered, ...acting };
  }
  if (call === undefined)
    return { type: "prompt", text: "do it", delivery: "now", entry: "typed", by: person, authority: "act" };
  if (choice.asksInput)
    return {
      type: "input-request",
      call: call.id,
      draft: { question: "Password?", options: [], allow_free_text: true, sensitive: true },
    };
  if (choice.form !== null) return { type: "form-request", call: call.id, flow: choice.form };
  return { type: "tool-result", call: call.id, result: choice.result };
}

function summaryResult({ outcome, pick }: Choice) {
  if (outcome === "overflow") return { type: "overflow", detail: "long" } as const;
  return { type: "summarised", summary: pick === 0 ? " " : "s", usage } as const;
}

function modelResult(choice: Choice) {
  if (choice.outcome === "failed")
    return {
      type: "failed",
      failure: { class: "server-error", detail: "500", remedy: "wait", partial: "so far" },
    } as const;
  if (choice.outcome === "overflow") return { type: "overflow", detail: "long" } as const;
  if (choice.outcome === "abandoned") return { type: "abandoned", partial: choice.text } as const;
  return { type: "replied", text: choice.text, calls: choice.calls, usage } as const;
}

function someInteraction(session: Session, which: number): string {
  const waiting = session.interactions[1]?.request.interaction_id;
  const open = openInteraction(session)?.request.interaction_id ?? "none";
  return [open, waiting ?? open, `${session.id}-1`, "unheard-of"][which] ?? open;
}

function labelled(...labels: readonly string[]): QuestionDraft["options"] {
  return labels.map((label, index) => ({ id: String(index + 1), label }));
}

function always(input: InputBody): () => InputBody {
  return () => input;
}
