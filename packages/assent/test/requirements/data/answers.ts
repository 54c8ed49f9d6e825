import type { Requirement } from "../requirement.ts";

/** How replies are read and what follows from them: the reply grammar, flows. */
export const answers: readonly Requirement[] = [
  {
    id: "ANS-0a",
    line: "An open sensitive question takes every line that is not blank, but exact abort and cancel.",
    status: "verified",
  },
  {
    id: "ANS-0b",
    line: "At a question a registered command is never an answer; /text passes the rest as free text.",
    status: "verified",
  },
  {
    id: "ANS-0c",
    line: "Without a question: bang commands, stop and prompts, in that order.",
    status: "verified",
  },
  {
    id: "ANS-1",
    line: "Reply grammar in order: exact abort/cancel, option numbers, compact pairs in a flow, yes/no at confirmations, free text, invalid.",
    status: "verified",
  },
  {
    id: "ANS-2",
    line: "Blank lines, altered control words and, beside options, spaced lists, foreign numbers and near misses are never valid.",
    status: "verified",
  },
  {
    id: "ANS-3a",
    line: "Free text arrives untouched.",
    status: "verified",
  },
  {
    id: "ANS-3b",
    line: "Free text is on for questions, a no with its reason at approvals, off at limit and flow confirmations.",
    status: "verified",
  },
  {
    id: "ANS-4a",
    line: "Consecutive invalid replies get error, error with format, short hint, then STEP_ABORT; the block's bytes stay the same.",
    status: "verified",
  },
  {
    id: "ANS-4b",
    line: "The ladder is one per interaction, whatever adapters the replies come from.",
    status: "verified",
  },
  {
    id: "ANS-5a",
    line: "The model reads the bare code.",
    status: "verified",
  },
  {
    id: "ANS-5b",
    line: "A person sees the bare code, and nothing more about it.",
    status: "verified",
  },
  {
    id: "ANS-6",
    line: "Input typed or pasted ahead, end of input, hang-up or a closed stdin cannot approve anything.",
    status: "verified",
  },
  {
    id: "ANS-8",
    line: "Only one final line end is stripped; ASCII digits alone number options; edge punctuation is ignored when near misses are sought.",
    status: "verified",
  },
  {
    id: "ANS-9",
    line: "A reply that normalises to a control word without being it exactly is invalid, except that a variant of stop stops.",
    status: "verified",
  },
  {
    id: "ANS-10",
    line: "With a question open, an unregistered / or ! line is a plain reply, and a blank /text shows usage at no cost.",
    status: "verified",
  },
  {
    id: "ANS-11",
    line: "Numbers and yes/no fill both fields of a confirmation; selection counts are enforced; allow_free_text is written always.",
    status: "verified",
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
    status: "verified",
  },
  {
    id: "ANS-7k",
    line: "Terminal input: cancel, abort, expiry, stop kill the real command; without anybody it has no terminal and an empty input.",
    status: "verified",
  },
  {
    id: "FLOW-1a",
    line: "A flow is 1 to 7 steps, asked singly and in order; only a valid reply finishes a step.",
    status: "verified",
  },
  {
    id: "FLOW-1b",
    line: "A sensitive value shows as `set`.",
    status: "verified",
  },
  {
    id: "FLOW-2",
    line: "Flow, earlier answers and reply alone decide what is next; continuation_id is a name without state.",
    status: "verified",
  },
  {
    id: "FLOW-3a",
    line: "From two steps on, a flow closes with a summary and Confirm, Restart, Edit specific step.",
    status: "verified",
  },
  {
    id: "FLOW-3b",
    line: "Restart clears all answers; edit asks one step again; both lead back to the confirmation.",
    status: "verified",
  },
  {
    id: "FLOW-3c",
    line: "confirmed:false on the wire, and a typed no, cancel the flow.",
    status: "verified",
  },
  {
    id: "FLOW-4",
    line: "Compact pairs apply valid fields and skip their steps, turn down bad fields singly, and count as invalid if none fits.",
    status: "verified",
  },
  {
    id: "FLOW-5a",
    line: "The agent can run a flow by a tool.",
    status: "verified",
  },
  {
    id: "FLOW-5b",
    line: "The library and a file can run a flow, without a model.",
    status: "verified",
  },
  {
    id: "FLOW-5c",
    line: "Slash commands can run a flow, and set-up is one.",
    status: "verified",
  },
  {
    id: "FLOW-6a",
    line: "Compact lines: token spacing, bad numbers, multi-select pairs, unknown and repeated keys.",
    status: "verified",
  },
  {
    id: "FLOW-6b",
    line: "Keys, kept answers, one-step flows and the summary's fields follow the detailed rules.",
    status: "verified",
  },
  {
    id: "FLOW-6c",
    line: "Each time a step is asked it is a new interaction with no attempt spent.",
    status: "verified",
  },
];
