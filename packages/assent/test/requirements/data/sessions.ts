import type { Requirement } from "../requirement.ts";

/** How work is bounded, stopped, shown, kept and replayed. */
export const sessions: readonly Requirement[] = [
  {
    id: "LIM-1a",
    line: "max_turns belongs to the session and is a positive integer or `unlimited`, 25 unless set.",
    status: "verified",
  },
  {
    id: "LIM-1b",
    line: "A turn adds one when it closes, under `unlimited` too; discarded, failed, compaction and run-opening responses add none.",
    status: "verified",
  },
  {
    id: "LIM-1c",
    line: "With the counter at or over the limit, a single confirmation stands before the next model call.",
    status: "verified",
  },
  {
    id: "LIM-1d",
    line: "Confirming sets the counter to 0 and work continues.",
    status: "verified",
  },
  {
    id: "LIM-1e",
    line: "Anything but confirming aborts the session for good: exchange `turn-limit`, interactions withdrawn, waiting prompts kept and not run.",
    status: "verified",
  },
  {
    id: "LIM-1f",
    line: "The abort ends the persistent shell and all background processes.",
    status: "verified",
  },
  {
    id: "LIM-1g",
    line: "An aborted session resumes for reading only, and a fork of it carries on.",
    status: "verified",
  },
  {
    id: "LIM-1h",
    line: "The confirmation's message mentions `--max-turns`.",
    status: "verified",
  },
  {
    id: "LIM-2a",
    line: "Going from unlimited to N zeroes the counter; going from N to M keeps it.",
    status: "verified",
  },
  {
    id: "LIM-2b",
    line: "0, a negative, a fraction or a word is refused with an error that says what is valid.",
    status: "verified",
  },
  {
    id: "LIM-2c",
    line: "/turn-limit beats the flag, the flag the environment, the environment the config.",
    status: "planned",
  },
  {
    id: "LIM-2d",
    line: "One confirmation serves once: reaching the limit again asks again.",
    status: "verified",
  },
  {
    id: "LIM-3a",
    line: "Where iteration limit and turn limit meet, as with both defaults in a new session, the run ends `iteration-limit` first.",
    status: "verified",
  },
  {
    id: "LIM-3b",
    line: "Folding the journal gives both counters again.",
    status: "verified",
  },
  {
    id: "LIM-3c",
    line: "A process that was killed and started again counts on from where it was.",
    status: "verified",
  },
  {
    id: "LIM-3d",
    line: "A run that goes on after the model failed keeps its counters; a new prompt begins new ones.",
    status: "verified",
  },
  {
    id: "STOP-1a",
    line: 'Typed input with "stop" anywhere in it, in any case, interrupts the exchange that executes.',
    status: "verified",
  },
  {
    id: "STOP-1b",
    line: "After the interrupt the call in progress finishes and the others of its turn are skipped.",
    status: "verified",
  },
  {
    id: "STOP-1c",
    line: "A response still streaming is received to its end, and none of its calls runs.",
    status: "verified",
  },
  {
    id: "STOP-1d",
    line: "The exchange ends `stopped` and keeps what it had.",
    status: "verified",
  },
  {
    id: "STOP-1e",
    line: "The interrupt is looked at before each iteration, so no model call comes after it.",
    status: "verified",
  },
  {
    id: "STOP-1f",
    line: "The screen acknowledges the stop at once.",
    status: "verified",
  },
  {
    id: "STOP-2a",
    line: 'At an approval, input with "stop" in it refuses the call and interrupts.',
    status: "verified",
  },
  {
    id: "STOP-2b",
    line: 'At any other interaction without free text, input with "stop" in it withdraws and interrupts.',
    status: "verified",
  },
  {
    id: "STOP-2c",
    line: "At a question with free text on, only the bare word stops and a longer text is an answer; approvals are not such questions.",
    status: "verified",
  },
  {
    id: "STOP-2d",
    line: 'Typed adapters stop by an explicit input, and "stop" inside their texts means nothing.',
    status: "verified",
  },
  {
    id: "STOP-3a",
    line: "Outside the shell a first SIGINT, SIGTERM or SIGHUP kills the tool's tree, records it, and the exit code is 130, 143 or 129.",
    status: "verified",
  },
  {
    id: "STOP-3b",
    line: "After a kill nothing is left that carries the marker or was seen as a descendant; what was killed and what survived is told.",
    status: "verified",
  },
  {
    id: "STOP-3c",
    line: "In the shell Ctrl-C once is stop, twice kills what runs, a third time leaves.",
    status: "verified",
  },
  {
    id: "PROG-1",
    line: "Agent, tool, system and prompt lines look different, with iteration numbers, actions before tools and results after.",
    status: "verified",
  },
  {
    id: "PROG-2",
    line: "Output is right in colour, under NO_COLOR, piped and as JSON lines; only a TTY gets a timed spinner.",
    status: "verified",
  },
  {
    id: "PROG-3",
    line: "Tokens are totalled by exchange and by session, with cost where prices are known.",
    status: "verified",
  },
  {
    id: "SESS-1a",
    line: "The store only appends: recorded events are neither altered nor removed.",
    status: "verified",
  },
  {
    id: "SESS-1b",
    line: "An event is on disk before its effect happens or is displayed; live deltas alone are exempt.",
    status: "verified",
  },
  {
    id: "SESS-1c",
    line: "The same events fold to the same state, every time and in any process.",
    status: "verified",
  },
  {
    id: "SESS-1d",
    line: "The journal alone is enough to resume and to know the work that is due.",
    status: "verified",
  },
  {
    id: "SESS-2a",
    line: "A call once recorded as started is never handed out as work again.",
    status: "verified",
  },
  {
    id: "SESS-2b",
    line: "`call.started` is on disk before the process is spawned.",
    status: "verified",
  },
  {
    id: "SESS-2c",
    line: "A call left unfinished by a crash is recorded `outcome unknown`; model and person each hear of it one time.",
    status: "verified",
  },
  {
    id: "SESS-2d",
    line: "Killed at any moment and resumed, a real command has run at most once.",
    status: "verified",
  },
  {
    id: "SESS-3a",
    line: "A fork is a new session with the history, folder, limits and model of another, also of one that is aborted or at work.",
    status: "verified",
  },
  {
    id: "SESS-3b",
    line: "Sessions can be listed, resumed, begun, forked, exported and renamed by commands of the shell.",
    status: "verified",
  },
  {
    id: "SESS-3c",
    line: "Resuming displays a failed exchange.",
    status: "verified",
  },
  {
    id: "SESS-4a",
    line: "Any process appends with the expected sequence and decides again when that is stale.",
    status: "verified",
  },
  {
    id: "SESS-4b",
    line: "Only the holder of the lease works; a lease names process id and start time, and passes on when that process is dead.",
    status: "verified",
  },
  {
    id: "SESS-4c",
    line: "The holder notices what another process recorded within 200 ms.",
    status: "verified",
  },
  {
    id: "SESS-4d",
    line: "A second resume watches, submits like any process, and takes the lease over when it is freed.",
    status: "verified",
  },
  {
    id: "SESS-4e",
    line: "run and resume hold the lease from opening to closing.",
    status: "verified",
  },
  {
    id: "SESS-4g",
    line: "Of a damaged store what is readable is kept, and what is not is named.",
    status: "verified",
  },
  {
    id: "SESS-4f",
    line: "The shell holds the lease from opening to closing, as run does.",
    status: "verified",
  },
  {
    id: "SESS-4h",
    line: "serve takes a lease only for work that nobody holds, and gives it back when the session rests.",
    status: "verified",
  },
  {
    id: "SESS-5a",
    line: "Every event's hash covers its bytes, its place and all before it; processes, kills and large appends leave one whole chain.",
    status: "verified",
  },
  {
    id: "SESS-5b",
    line: "A changed byte is found at exactly its event, which is named with its type and call; so are removed, exchanged and misplaced events.",
    status: "verified",
  },
  {
    id: "SESS-5c",
    line: "What is cut off at the end of a session is missed as far as it had been left in order.",
    status: "verified",
  },
  {
    id: "SESS-5d",
    line: "A head that was written down elsewhere is found again, or it is told that what it stood for was changed.",
    status: "verified",
  },
  {
    id: "SESS-5e",
    line: "Events of before there were hashes are told as such, in a store that is otherwise whole and goes on.",
    status: "verified",
  },
  {
    id: "SESS-5f",
    line: "The audit has each decision, by a rule or by a person with their adapter and what they were shown, and each execution with its exit.",
    status: "verified",
  },
  {
    id: "SESS-5g",
    line: "assent audit lists all calls, why tells everything about one, verify names what was changed; each also as JSON, in the shell and over HTTP.",
    status: "verified",
  },
  {
    id: "SESS-5h",
    line: "An exported audit stands for itself: any line that was changed, removed or exchanged is found without the store, and no secret is in it.",
    status: "verified",
  },
  {
    id: "SESS-5i",
    line: "What others recorded is verified, each event once, before it is acted upon; an exchange that does not verify is only stopped.",
    status: "verified",
  },
  {
    id: "SESS-5j",
    line: "A break before the exchange that is worked on is told once and work goes on; a fork tells of every one that it takes along.",
    status: "verified",
  },
  {
    id: "SESS-6a",
    line: "replay decides a recorded session again from the inputs that its events tell of; events, questions and requests come out bytewise.",
    status: "verified",
  },
  {
    id: "SESS-6b",
    line: "Where something else comes out, replay names the first event that differs, with what is recorded and what follows, and its own exit code.",
    status: "verified",
  },
  {
    id: "SESS-6c",
    line: "policy replay judges recorded calls by the facts of then and lists exactly those that another policy would judge otherwise.",
    status: "verified",
  },
  {
    id: "SESS-6d",
    line: "A call of which not all is recorded is listed as one that cannot be judged again, with the reason, and counted.",
    status: "verified",
  },
  {
    id: "SCEN-1",
    line: "Text fixtures of whole exchanges run against a scripted model, cover every class and assert typed events and tool execution.",
    status: "verified",
  },
  {
    id: "SCEN-2",
    line: "With a key the same fixtures run against a real provider; the test suite never requires it.",
    status: "verified",
  },
  {
    id: "SCEN-3",
    line: "A single command makes a fixture out of a recorded session.",
    status: "verified",
  },
];
