/** What a flow is to do, told a second time (FLOW-1 to FLOW-4). */
import {
  type CheckedReply,
  type Flow,
  type FlowPlay,
  type FlowState,
  type FlowStep,
  flowResult,
  flowSummary,
  renderBlock,
  replyToFlow,
  startFlow,
  visibleLine,
} from "../../../src/core/index.ts";
import { equal, frozen, holds, meet, type Told } from "./check.ts";
import { readingOf } from "./reading.ts";
import type { Asked, Means, Typed } from "./typed.ts";

type Given = { readonly labels: readonly string[]; readonly many: boolean } | { readonly text: string } | "set";

/** The flow as the specification has it: a map of answers, and the question that follows from it. */
class Expected {
  readonly given = new Map<string, Given>();
  choosing = false;
  attempts = 0;
  final: FlowPlay["final"] = "open";
  /** How many questions were asked. */
  asked = 1;

  readonly flow: Flow;

  constructor(flow: Flow) {
    this.flow = flow;
  }

  get step(): FlowStep | undefined {
    return this.choosing ? undefined : this.flow.steps.find(({ key }) => !this.given.has(key));
  }

  get block(): string {
    const { step } = this;
    if (step !== undefined)
      return blockOf(
        step.question,
        step.options.map(({ label }) => label),
      );
    if (this.choosing)
      return blockOf(
        "Which step should change?",
        this.flow.steps.map(({ key }) => key),
      );
    return blockOf(this.summary, ["Confirm", "Restart", "Edit specific step"]);
  }

  get summary(): string {
    const values = this.entries.map(([key, given]) => `- ${key}: ${visibleLine(shownValue(given))}`);
    return ["Summary:", ...values].join("\n");
  }

  /** In the order of the steps. */
  get entries(): readonly (readonly [string, Given])[] {
    return this.flow.steps.flatMap(({ key }) => {
      const given = this.given.get(key);
      return given === undefined ? [] : [[key, given] as const];
    });
  }

  /** What the model gets, in no order. */
  get result(): unknown {
    const fields = this.entries.map(([key, given]) => {
      return [key, given !== "set" && "labels" in given && given.many ? given.labels : shownValue(given)] as const;
    });
    return inKeyOrder(fields);
  }

  take(reading: CheckedReply): void {
    if (this.final !== "open" || reading.type === "command") return;
    switch (reading.type) {
      case "stop":
        this.final = "stopped";
        return;
      case "flow-cancel":
        this.final = "cancelled";
        return;
      case "invalid":
        this.attempts += 1;
        if (this.attempts === 4) this.final = "step_abort";
        return;
      case "compact":
        for (const { key, options } of reading.applied) this.choose(key, options);
        this.choosing = false;
        break;
      default:
        this.answer(reading);
    }
    this.moveOn();
  }

  private answer(reading: CheckedReply): void {
    const { step } = this;
    if (step !== undefined) {
      if (step.sensitive) this.given.set(step.key, "set");
      else if (reading.type === "selected") this.choose(step.key, reading.options);
      else if (reading.type === "free-text") this.given.set(step.key, { text: reading.text });
      return;
    }
    const option = reading.type === "selected" ? reading.options[0] : undefined;
    if (this.choosing) {
      this.given.delete(option ?? "");
      this.choosing = false;
    } else if (reading.type === "confirmed") this.final = reading.confirmed ? "confirmed" : "cancelled";
    else if (option === "restart") this.given.clear();
    else if (option === "edit") this.choosing = true;
  }

  private choose(key: string, chosen: readonly string[]): void {
    const step = this.flow.steps.find((each) => each.key === key);
    const known = (step?.options ?? []).filter(({ id }) => chosen.includes(id)).map(({ label }) => label);
    this.given.set(key, { labels: known, many: step?.multi_select === true });
  }

  private moveOn(): void {
    if (this.final !== "open") return;
    const [only, ...more] = this.flow.steps;
    if (more.length === 0 && this.given.has(only?.key ?? "")) {
      this.final = "confirmed";
      return;
    }
    this.attempts = 0;
    this.asked += 1;
  }
}

export function inKeyOrder(fields: readonly (readonly [string, unknown])[]): unknown {
  return [...fields].sort(([one], [other]) => (one < other ? -1 : 1));
}

export function blockOf(question: string, options: readonly string[]): string {
  const lines = options.map((label, index) => `\n${index + 1}) ${label}`);
  return lines.length === 0 ? question : `${question}\n${lines.join("")}`;
}

function shownValue(given: Given): string {
  if (given === "set") return "set";
  return "text" in given ? given.text : given.labels.join(", ");
}

/** A flow played line by line beside what it is expected to do. */
export class Played {
  play: FlowPlay;
  readonly expected: Expected;
  private readonly told: Told;

  constructor(flow: Flow, told: Told, id?: string) {
    this.expected = new Expected(flow);
    this.play = frozen(id === undefined ? startFlow(flow) : startFlow(flow, id));
    this.told = told;
    this.check();
  }

  get asked(): Asked {
    return { request: this.play.request, flow: this.play.flow };
  }

  get open(): boolean {
    return this.play.final === "open";
  }

  type(typed: Typed): CheckedReply {
    this.told.lines.push(typed.line);
    const reading = readingOf(typed, this.asked);
    this.take(typed.line, reading);
    return reading;
  }

  /** A line that means this. */
  take(line: string, reading: CheckedReply): void {
    const { play, expected } = this;
    const next = frozen(replyToFlow(play, line));
    if (play.final !== "open") {
      equal("after the end nothing changes", next, play);
      return;
    }
    meet(this.told, `flow ${reading.type}`);
    expected.take(reading);
    this.play = next;
    if (reading.type === "invalid") {
      equal("after an invalid reply the request is the same", next.request, play.request);
      equal("an invalid reply changes no answer", next.state, play.state);
    }
    this.check();
  }

  /** Types a line that is known to be this. */
  must(line: string, means: Means | null = null): void {
    const reading = this.type({ line, means });
    holds(reading.type !== "invalid", `${JSON.stringify(line)} is an answer`);
  }

  private check(): void {
    const { play, expected } = this;
    equal("the flow is open, or ended in one way", play.final, expected.final);
    equal("attempts are counted anew for each question, and only invalid replies", play.attempts, expected.attempts);
    equal("as many questions were asked", play.asked.length, expected.asked);
    const codes = { cancelled: ["FLOW_CANCEL"], step_abort: ["STEP_ABORT"], open: [], confirmed: [], stopped: [] };
    equal("the codes", play.codes, codes[play.final]);
    if (play.codes.length > 0) equal("a code is emitted bare", play.notice, play.codes[0]);
    const answered = play.state.answers.map(({ key }) => key);
    equal(
      "exactly these steps are answered, in order",
      answered,
      expected.entries.map(([key]) => key),
    );
    const summary = flowSummary(play.flow, play.state);
    equal("the summary", summary, expected.summary);
    // Whatever was typed: no value can pass for another field, or hide one.
    equal("a line for each answer", summary.split(/[\n\r\v\f\u0085\u2028\u2029]/).length, 1 + answered.length);
    holds(!/[\p{Cc}\p{Cf}]/u.test(summary.replaceAll("\n", "")), "nothing hides in a summary");
    equal("the result", inKeyOrder(Object.entries(flowResult(play.flow, play.state))), expected.result);
    if (play.final === "open") equal("the block", renderBlock(play.request), expected.block);
    meet(this.told, `flow ${play.final}`);
  }
}

export function withoutSecrets({ answers, choosing }: FlowState): unknown {
  return { answers: answers.map(({ key, answer }) => [key, answer.type === "set" ? "set" : answer]), choosing };
}
