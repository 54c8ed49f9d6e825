import type { Requirement } from "../requirement.ts";

/** Which reading stands where the sources disagree; each follows the requirements that carry it. */
export const resolutions: readonly Requirement[] = [
  {
    id: "RES-1",
    line: "Exchange and turn are two words for two things, and the limit counts model responses.",
    status: "verified",
    follows: ["LIM-1"],
  },
  {
    id: "RES-2",
    line: "An approval is one confirmation: its line, then numbered options; numbers and yes/no both answer it.",
    status: "verified",
    follows: ["APPR-5", "APPR-7"],
  },
  {
    id: "RES-3",
    line: "Whether free text is taken depends on the kind of interaction.",
    status: "verified",
    follows: ["ANS-3"],
  },
  {
    id: "RES-4",
    line: "Typed abort and cancel work everywhere; allow_cancel binds typed adapters only.",
    status: "verified",
    follows: ["ANS-1", "INT-4e"],
  },
  {
    id: "RES-5",
    line: "A default option is a mark on the screen and never an implicit answer.",
    status: "planned",
    follows: ["INT-9"],
  },
  {
    id: "RES-6",
    line: "Silence after an answer concerns the agent's commentary, not the other channels.",
    status: "verified",
    follows: ["TXT-6"],
  },
  {
    id: "RES-7",
    line: "Error lines on retry are system lines in front of an unchanged block.",
    status: "verified",
    follows: ["ANS-4"],
  },
  {
    id: "RES-8",
    line: "A closing confirmation is required from two steps on.",
    status: "verified",
    follows: ["FLOW-3"],
  },
  {
    id: "RES-9",
    line: "Selection denies nothing; the execution policy may refuse a single call.",
    status: "verified",
    follows: ["SEL-4"],
  },
  {
    id: "RES-10",
    line: 'How "stop" is matched depends on whether free text is being taken.',
    status: "verified",
    follows: ["STOP-1", "STOP-2"],
  },
  {
    id: "RES-11",
    line: "The state block goes last, behind a prefix that stays stable.",
    status: "verified",
    follows: ["STATE-1"],
  },
  {
    id: "RES-12",
    line: "Standard mode ends without a call, a run ends with complete.",
    status: "verified",
    follows: ["LOOP-1", "LOOP-2"],
  },
  {
    id: "RES-13",
    line: "The default time-out keeps to the wide range, and callers may choose less.",
    status: "verified",
    follows: ["TERM-4"],
  },
  {
    id: "RES-14",
    line: "Set-up is a flow; a child process serves only where nothing else can.",
    status: "verified",
    follows: ["FLOW-5", "HAND-2b"],
  },
];
