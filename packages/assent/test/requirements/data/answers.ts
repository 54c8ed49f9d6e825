import type { Requirement } from "../requirement.ts";

/** How replies are read and what follows from them: the reply grammar, flows. */
export const answers: readonly Requirement[] = [
  {
    id: "ANS-0",
    line: "A typed line is routed in fixed order: sensitive question, slash command, bang command, stop, open question, prompt.",
    status: "planned",
  },
  {
    id: "ANS-1",
    line: "Reply grammar in order: exact abort/cancel, option numbers, compact pairs in a flow, yes/no at confirmations, free text, invalid.",
    status: "planned",
  },
  {
    id: "ANS-2",
    line: "Blank lines, altered control words and, beside options, spaced lists, foreign numbers and near misses are never valid.",
    status: "planned",
  },
  {
    id: "ANS-3",
    line: "Free text arrives untouched; on for questions, a reasoned no at approvals, off at limit and flow confirmations.",
    status: "planned",
  },
  {
    id: "ANS-4",
    line: "Consecutive invalid replies get error, error with format, short hint, then STEP_ABORT; block bytes and rules stay the same.",
    status: "planned",
  },
  {
    id: "ANS-5",
    line: "STEP_ABORT and FLOW_CANCEL appear alone, as the bare code.",
    status: "planned",
  },
  {
    id: "ANS-6",
    line: "Input typed or pasted ahead, end of input, hang-up or a closed stdin cannot approve anything.",
    status: "planned",
  },
  {
    id: "ANS-8",
    line: "Only one final line end is stripped; ASCII digits alone number options; edge punctuation is ignored when near misses are sought.",
    status: "planned",
  },
  {
    id: "ANS-9",
    line: "A reply that normalises to a control word without being it exactly is invalid, except that a variant of stop stops.",
    status: "planned",
  },
  {
    id: "ANS-10",
    line: "With a question open, an unregistered / or ! line is a plain reply, and a blank /text shows usage at no cost.",
    status: "planned",
  },
  {
    id: "ANS-11",
    line: "Numbers and yes/no fill both fields of a confirmation; selection counts are enforced; allow_free_text is written always.",
    status: "planned",
  },
  {
    id: "ANS-7a",
    line: "FLOW_CANCEL: exchange `cancelled` with no model call; an approval's call is refused as well; at the turn limit the session aborts.",
    status: "verified",
  },
  {
    id: "ANS-7b",
    line: "STEP_ABORT: the model gets an error result; an approval's call is refused; at the turn limit the session aborts.",
    status: "verified",
  },
  {
    id: "ANS-7c",
    line: "Expiry: the model is told `expired`; an approval's call is refused; at the turn limit the session aborts.",
    status: "verified",
  },
  {
    id: "ANS-7d",
    line: "Stop: withdrawn and `stopped`; an approval's call is refused too; at the turn limit the session aborts as `turn-limit`.",
    status: "verified",
  },
  {
    id: "ANS-7e",
    line: "Dismissal or end of input leaves the interaction open, whatever it is about.",
    status: "verified",
  },
  {
    id: "ANS-7f",
    line: "Nobody with deny: the model is told `nobody-to-answer`; an approval's call is refused; at the turn limit the session aborts.",
    status: "verified",
  },
  {
    id: "ANS-7g",
    line: "Nobody with park: question, approval and turn limit stay open and the session is parked.",
    status: "verified",
  },
  {
    id: "ANS-7h",
    line: "Nobody with abort: exchange `failed` and session aborted; at the turn limit the session aborts.",
    status: "verified",
  },
  {
    id: "ANS-7i",
    line: "Under deny and abort the unanswerable request is recorded, then withdrawn at once for reason `nobody`.",
    status: "verified",
  },
  {
    id: "ANS-7j",
    line: "The process exits 3, 4 or 1 for deny, park, abort, and 5 when a turn limit is denied or aborted.",
    status: "planned",
  },
  {
    id: "ANS-7k",
    line: "Terminal input: cancel, abort, expiry, stop kill the real command; nobody is an error result, with abort a failed exchange.",
    status: "planned",
  },
  {
    id: "FLOW-1",
    line: "A flow is data of 1 to 7 steps, asked singly and in order; only a valid reply finishes a step; secrets show as `set`.",
    status: "planned",
  },
  {
    id: "FLOW-2",
    line: "Flow, earlier answers and reply alone decide what is next; continuation_id is a name without state.",
    status: "planned",
  },
  {
    id: "FLOW-3",
    line: "From two steps on, a flow closes with a summary and Confirm, Restart, Edit specific step; a wire confirmed:false cancels it.",
    status: "planned",
  },
  {
    id: "FLOW-4",
    line: "Compact pairs apply valid fields and skip their steps, turn down bad fields singly, and count as invalid if none fits.",
    status: "planned",
  },
  {
    id: "FLOW-5",
    line: "A tool, library code and slash commands can each start a flow, and integration set-up is one, whatever the adapter.",
    status: "planned",
  },
  {
    id: "FLOW-6",
    line: "Keys, token spacing, multi-select pairs, kept answers, fresh attempts, summary fields and a typed no follow the detailed rules.",
    status: "planned",
  },
];
