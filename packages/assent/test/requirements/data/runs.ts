import type { Requirement } from "../requirement.ts";

/** How a run proceeds: the agentic loop and the state block. */
export const runs: readonly Requirement[] = [
  {
    id: "LOOP-1a",
    line: "Outside a run, a response that holds no call ends the exchange as `answered`.",
    status: "verified",
  },
  {
    id: "LOOP-1b",
    line: "agentic opens a run with its objective and is answered `run opened` without delay.",
    status: "verified",
  },
  {
    id: "LOOP-1c",
    line: "The prompt on record is what the person wrote, whatever user_prompt the model passed.",
    status: "verified",
  },
  {
    id: "LOOP-1d",
    line: "In the response that opens a run, earlier calls execute and later ones are recorded as skipped.",
    status: "verified",
  },
  {
    id: "LOOP-1e",
    line: "When a run ends its exchange ends with it, both with one outcome.",
    status: "verified",
  },
  {
    id: "LOOP-1f",
    line: "agentic inside a run, and complete outside one, give error results and change nothing else.",
    status: "verified",
  },
  {
    id: "LOOP-2a",
    line: "A response of text only leaves the run open and leads to another model call.",
    status: "verified",
  },
  {
    id: "LOOP-2b",
    line: "complete closes the run as `completed`, carrying its result and one of success, failure, partial.",
    status: "verified",
  },
  {
    id: "LOOP-2c",
    line: "The complete tool tells the model that failure is the status for an objective it cannot reach.",
    status: "verified",
  },
  {
    id: "LOOP-3a",
    line: "An iteration goes: interrupt check, model, calls in order, state, interrupt check, counter, bounds.",
    status: "verified",
  },
  {
    id: "LOOP-3b",
    line: "Calls that follow a complete in the same response are recorded as skipped.",
    status: "verified",
  },
  {
    id: "LOOP-3c",
    line: "If a call before complete failed in that response, complete is answered with an error and the run stays open.",
    status: "verified",
  },
  {
    id: "LOOP-3d",
    line: "An accepted complete outranks each bound or stop that falls in its iteration.",
    status: "verified",
  },
  {
    id: "LOOP-3e",
    line: "Closing turns all count, including those that complete, stop or cancel closed.",
    status: "verified",
  },
  {
    id: "LOOP-3f",
    line: "Error result, refusal, time-out and unknown outcome make a call failed; an exit code other than zero does not.",
    status: "verified",
  },
  {
    id: "LOOP-4a",
    line: "At the iteration limit, 25 unless set, the run ends `iteration-limit` with no question and no further model call.",
    status: "verified",
  },
  {
    id: "LOOP-4b",
    line: "A run ended by its limit returns its last response.",
    status: "verified",
  },
  {
    id: "LOOP-4c",
    line: "The printed output states that the iteration limit was reached.",
    status: "verified",
  },
  {
    id: "LOOP-5a",
    line: "Wall clock, tokens (iteration, run) and tool calls, if set, each end a run as `budget` with that `bound`.",
    status: "verified",
  },
  {
    id: "LOOP-5b",
    line: "A cost bound ends a run as `budget` when prices are known and is inert when they are not.",
    status: "verified",
  },
  {
    id: "LOOP-5c",
    line: "With nothing configured no budget bound ever ends a run.",
    status: "verified",
  },
  {
    id: "LOOP-5d",
    line: "Failed calls in a row, 5 unless set, end the run as `failed` naming the bound; one success starts the count over.",
    status: "verified",
  },
  {
    id: "LOOP-5e",
    line: "Text-only responses in a row, 3 unless set, end the run as `stalled` naming the bound; a call starts the count over.",
    status: "verified",
  },
  {
    id: "LOOP-5f",
    line: "An identical call with an identical result is pointed out to the model at the 3rd and ends the run `stalled` at the 6th.",
    status: "verified",
  },
  {
    id: "LOOP-5g",
    line: "Outside a run none of these bounds applies; max_turns is the only one.",
    status: "verified",
  },
  {
    id: "LOOP-6a",
    line: "An exchange ends with one of the ten named outcomes, and `completed` tells success, failure or partial.",
    status: "verified",
  },
  {
    id: "LOOP-6b",
    line: "The ending event carries what was produced so far, whichever the outcome.",
    status: "verified",
  },
  {
    id: "LOOP-6c",
    line: "Callers and screens receive outcome and partial result together.",
    status: "verified",
  },
  {
    id: "LOOP-7",
    line: "Nothing makes the model plan before it acts.",
    status: "verified",
  },
  {
    id: "STATE-1a",
    line: "A run's request closes with one user part behind the tool results: context, state block, constant continuation line.",
    status: "verified",
  },
  {
    id: "STATE-1b",
    line: "Without a run that part holds the context only and precedes the prompt's text.",
    status: "verified",
  },
  {
    id: "STATE-1c",
    line: "The part is built anew per request and is found neither in history nor in the journal.",
    status: "verified",
  },
  {
    id: "STATE-1d",
    line: "Ahead of that part a request only adds to what the one before it sent; no earlier byte differs.",
    status: "verified",
  },
  {
    id: "STATE-1e",
    line: "Only a recorded `history.compacted` starts a different prefix.",
    status: "verified",
  },
  {
    id: "STATE-2a",
    line: "The block says that a run is active and gives original prompt, objective and iteration n of max.",
    status: "verified",
  },
  {
    id: "STATE-2b",
    line: "After a first command it shows the latest one with about 500 characters of output and marks the cut.",
    status: "verified",
  },
  {
    id: "STATE-2c",
    line: "With the persistent terminal open it gives cwd and exit code; without it, one line says so.",
    status: "verified",
  },
  {
    id: "STATE-2d",
    line: "It lists files modified in this session, background processes and what is waiting.",
    status: "verified",
  },
  {
    id: "STATE-3a",
    line: "The block never exceeds 2 KB: a long prompt and a long file list are shortened until it fits.",
    status: "verified",
  },
  {
    id: "STATE-3b",
    line: "What the block says is not said again in the history.",
    status: "verified",
  },
  {
    id: "STATE-4a",
    line: "Changed files are known exactly for file tools.",
    status: "verified",
  },
  {
    id: "STATE-4b",
    line: "For commands they are found by a bounded scan, which admits that there may be more.",
    status: "verified",
  },
];
