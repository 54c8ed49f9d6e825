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
    id: "APPR-1a",
    line: "The verdict, with rule, reason and matched part, is a pure function of call, facts and grants; no model decides.",
    status: "verified",
  },
  {
    id: "APPR-1b",
    line: "The analysis says which facts it wants; they are fetched before it judges, and journalled with the verdict.",
    status: "verified",
  },
  {
    id: "APPR-2",
    line: "Recursive deletion, escalation, external network, system modification and writes over system paths ask; localhost passes.",
    status: "verified",
  },
  {
    id: "APPR-3",
    line: "The parsed program decides, through chains, wrappers, quoting and redirects; anything unresolved asks.",
    status: "verified",
  },
  {
    id: "APPR-4",
    line: "Commands that merely look dangerous, such as echoing one, run without asking.",
    status: "verified",
  },
  {
    id: "APPR-5a",
    line: "An approval pauses; yes runs the command, no tells the agent why not, and input containing stop interrupts.",
    status: "verified",
  },
  {
    id: "APPR-5b",
    line: "The question is `Approve command: <c>? (yes/no)` in one line, uncut and escaped; the subject has the command as lines.",
    status: "verified",
  },
  {
    id: "APPR-5c",
    line: "A file change is asked about as `write_file <path>` with its diff, any other tool with its arguments as compact JSON.",
    status: "verified",
  },
  {
    id: "APPR-6a",
    line: "An approval binds command, cwd, shell and policy by digest, works once, and is checked again before the spawn.",
    status: "verified",
  },
  {
    id: "APPR-6b",
    line: "Hidden, bidi and control characters of what is approved are shown as escapes.",
    status: "verified",
  },
  {
    id: "APPR-7a",
    line: "An approval of what can be granted has the five fixed options with their ids, any other only Yes and No.",
    status: "verified",
  },
  {
    id: "APPR-7b",
    line: "confirmed is true for yes, session, project, user and confirm, false for no, and absent for restart and edit.",
    status: "verified",
  },
  {
    id: "APPR-7c",
    line: "A grant for the session is part of it, is lost with it, and can be taken back.",
    status: "verified",
  },
  {
    id: "APPR-7d",
    line: "After project or user the call waits for a second confirmation whose subject is the exact rule; yes saves it, then it runs.",
    status: "verified",
  },
  {
    id: "APPR-7e",
    line: "Without that yes, by no, expiry or STEP_ABORT, it runs once; cancel and stop end it as at an approval.",
    status: "verified",
  },
  {
    id: "APPR-7f",
    line: "Whatever moment a process dies at, a confirmed rule is saved once and asked about once.",
    status: "verified",
  },
  {
    id: "APPR-7g",
    line: "A grant allows what it matches and the journal names it; one that is expired, used up or unreadable does not count.",
    status: "verified",
  },
  {
    id: "APPR-7h",
    line: "For `/`, `~`, devices, hidden characters, what is not known and Assent's own affairs nothing can be granted.",
    status: "verified",
  },
  {
    id: "APPR-7i",
    line: "A saved grant matches the identical command in its scope with the same findings, never one with anything more.",
    status: "verified",
  },
  {
    id: "APPR-7j",
    line: "Prefix grants and limits in time and count are made by the grants command alone; a prefix covers one plain command.",
    status: "verified",
  },
  {
    id: "APPR-8a",
    line: "policy explain prints the verdict, the rule, the reason and the part of the command that matched.",
    status: "verified",
  },
  {
    id: "APPR-8b",
    line: "policy check answers each JSON line with needs_approval, verdict, rule and reason before the next, also a broken one.",
    status: "verified",
  },
  {
    id: "APPR-8c",
    line: "Every rule carries commands that it asks about and look-alikes that it does not, and both are tests.",
    status: "verified",
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
    id: "APPR-10a",
    line: "Inside a run, commands that answer or act on sessions refuse, by environment or ancestry, and no terminal is asked on.",
    status: "verified",
  },
  {
    id: "APPR-10b",
    line: "Touching Assent's home, policy, grants or a listening Assent, or running such a command, asks and cannot be granted.",
    status: "verified",
  },
  {
    id: "APPR-10c",
    line: "The file tools know what is Assent's own and ask; what the session's own commands wrote at length is read without asking.",
    status: "verified",
  },
  {
    id: "APPR-11",
    line: "Reading a likely secret file asks before its content can reach the model.",
    status: "verified",
  },
];
