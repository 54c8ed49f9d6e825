import type { Requirement } from "../requirement.ts";

/** What runs and what must be allowed first: the terminal tool, the approval policy. */
export const execution: readonly Requirement[] = [
  {
    id: "TERM-1",
    line: "terminal runs one-off commands or keeps one bash with its cwd, environment and functions; closing when none is open just says so.",
    status: "verified",
  },
  {
    id: "TERM-2",
    line: "One persistent shell at most; an ephemeral call beside it, command with close, or an empty call is an explained error.",
    status: "verified",
  },
  {
    id: "TERM-3a",
    line: "Results hold streams, exit, signal, time, cwd and truncation; head and tail stay, the rest spills to a capped 0600 file, memory bounded.",
    status: "verified",
  },
  {
    id: "TERM-3b",
    line: "What was spilled is removed 7 days after its session was closed.",
    status: "verified",
  },
  {
    id: "TERM-3c",
    line: "assent sessions delete removes it at once.",
    status: "verified",
  },
  {
    id: "TERM-4",
    line: "Time-out 120 s unless set within 1 to 300; it kills the whole tree and says so, and the persistent shell is there afterwards.",
    status: "verified",
  },
  {
    id: "TERM-5",
    line: "A call returns when its command ends though a child holds the pipe; process lists, reads, waits for and kills such children.",
    status: "verified",
  },
  {
    id: "TERM-6",
    line: "A command reading its tty is detected and becomes a question, secret without echo, or fails clearly when nobody can answer.",
    status: "verified",
  },
  {
    id: "TERM-7",
    line: "Commands run unsandboxed in the person's environment, secrets out, run marker in; after exit, exec or a lost cwd the next call works.",
    status: "verified",
  },
  {
    id: "TERM-8a",
    line: "read_file, write_file, edit_file by exact replacement, list_files and search_files do what they say, within bounds.",
    status: "verified",
  },
  {
    id: "TERM-8b",
    line: "They are under the same policy: a plan names where links really lead, writing and what is outside or hidden asks.",
    status: "verified",
  },
  {
    id: "TERM-8c",
    line: "A change of a file is planned, shown and recorded as a diff.",
    status: "verified",
  },
  {
    id: "TERM-8d",
    line: "A file that changed since it was read, or since it was judged, is left alone and the model is told.",
    status: "verified",
  },
  {
    id: "TERM-9",
    line: "Nothing is rolled back or backed up by itself, and README and SECURITY tell people.",
    status: "verified",
  },
  {
    id: "APPR-1",
    line: "The verdict with rule, reason and matched part is a pure function of call, facts and grants; facts are fetched on request and journalled.",
    status: "planned",
  },
  {
    id: "APPR-2",
    line: "Recursive deletion, escalation, external network, system modification and writes over system paths ask; localhost passes.",
    status: "planned",
  },
  {
    id: "APPR-3",
    line: "The parsed program decides, through chains, wrappers, quoting and redirects; anything unresolved asks.",
    status: "planned",
  },
  {
    id: "APPR-4",
    line: "Commands that merely look dangerous, such as echoing one, run without asking.",
    status: "planned",
  },
  {
    id: "APPR-5",
    line: "An approval pauses on `Approve command: <c>? (yes/no)`, uncut and escaped, and its result or refusal reaches the agent.",
    status: "planned",
  },
  {
    id: "APPR-6a",
    line: "An approval binds command, cwd, shell and policy by digest, works once, and is checked again before the spawn.",
    status: "verified",
  },
  {
    id: "APPR-6b",
    line: "Hidden, bidi and control characters of what is approved are shown as escapes.",
    status: "planned",
  },
  {
    id: "APPR-7",
    line: "Approvals offer the five fixed options, or two where no grant is possible; a saved rule needs its own yes and matches exactly.",
    status: "planned",
  },
  {
    id: "APPR-8",
    line: "policy explain and policy check report verdicts with rule and reason, and each rule's own examples run as tests.",
    status: "planned",
  },
  {
    id: "APPR-9a",
    line: "With nobody to ask and `deny`, also by default, the call is refused and the model is told.",
    status: "verified",
  },
  {
    id: "APPR-9b",
    line: "With `park` the exit code is its own and the interaction is printed as JSON; answer and resume finish it.",
    status: "verified",
  },
  {
    id: "APPR-9c",
    line: "With `abort` the exchange fails and the session is aborted.",
    status: "verified",
  },
  {
    id: "APPR-9d",
    line: "A foreground terminal is asked on though stdin is a pipe; an explicit --unattended wins over it.",
    status: "verified",
  },
  {
    id: "APPR-10",
    line: "Touching Assent's home, policy, grants or a listening Assent asks ungrantably; answering commands refuse inside a run.",
    status: "planned",
  },
  {
    id: "APPR-11",
    line: "Reading a likely secret file asks before its content can reach the model.",
    status: "planned",
  },
];
