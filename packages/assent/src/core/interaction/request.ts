import type { Json } from "../json.ts";
import { visibleLine } from "./visible.ts";

/**
 * One question to a person (INT-1). Spelled as on the wire, here and everywhere: the stored request is what every
 * adapter shows, byte for byte (INT-5).
 */
export type InteractionRequest = {
  readonly interaction_id: string;
  readonly kind: "question" | "confirmation";
  readonly question: string;
  readonly options: readonly InteractionOption[];
  readonly allow_free_text: boolean;
  readonly allow_cancel: boolean;
  readonly default_option_id?: string;
  readonly timeout_ms?: number;
  readonly continuation_id?: string;
  readonly source_node?: string;
  readonly metadata?: Json;
  readonly multi_select?: boolean;
  readonly min_selected?: number;
  readonly max_selected?: number;
  readonly subject?: Json;
  readonly subject_digest?: string;
  readonly sensitive?: boolean;
  readonly response_schema?: Json;
};

/** One option of a question. */
export type InteractionOption = { readonly id: string; readonly label: string; readonly description?: string };

/** What a model or a running command asks, before it becomes a request with an id. */
export type QuestionDraft = {
  readonly question: string;
  readonly options: readonly InteractionOption[];
  readonly allow_free_text: boolean;
  readonly multi_select?: boolean;
  readonly min_selected?: number;
  readonly max_selected?: number;
  readonly timeout_ms?: number;
  readonly sensitive?: boolean;
};

/**
 * A question with something to show before it, such as what a command has printed or what a server says (INT-2).
 * `response_schema` says what a text must be: that it may be empty, or match a pattern.
 */
export type ShownDraft = QuestionDraft & { readonly subject?: Json; readonly response_schema?: Json };

/** What a policy puts to a person about one call. */
export type ApprovalDraft = {
  readonly question: string;
  readonly subject: Json;
  readonly timeout_ms?: number;
  /** Such as why it is asked. */
  readonly metadata?: Json;
};

/** The question in one line, never cut; the command as its own lines is the subject (APPR-5). */
export function approvalDraft(call: {
  readonly tool: string;
  readonly cwd: string;
  readonly command?: string;
  readonly more?: Json;
  readonly change?: { readonly path: string; readonly diff: string };
  readonly outside?: Outside;
}): ApprovalDraft {
  const { tool, cwd, command, more = null, change, outside } = call;
  if (change !== undefined) {
    const { path, diff } = change;
    const subject = { tool, path, cwd, diff: diff.replace(/\n$/, "").split("\n") };
    return { question: `Approve command: ${visibleLine(`${tool} ${path}`)}? (yes/no)`, subject };
  }
  if (command === undefined) {
    const line = visibleLine(`${tool} ${JSON.stringify(more)}`);
    return {
      question: `Approve command: ${line}? (yes/no)`,
      subject: { tool, arguments: more, cwd, ...told(outside) },
    };
  }
  return {
    question: `Approve command: ${visibleLine(command)}? (yes/no)`,
    subject: { command: command.split("\n"), cwd },
  };
}

/** What an outside server says of itself, for the question about a call of its tool. */
export type Outside = {
  readonly server: string;
  readonly claims: readonly string[];
  readonly changed?: { readonly was: readonly string[]; readonly now: readonly string[] };
};

/** Whose tool it is, and what that one says of it: as a claim, for nobody has checked it. */
function told(outside: Outside | undefined): { readonly [key: string]: Json } {
  if (outside === undefined) return {};
  const { server, claims, changed } = outside;
  return {
    server,
    ...(claims.length === 0 ? {} : { "says of itself": claims.join(", ") }),
    ...(changed === undefined ? {} : { "it was": [...changed.was], "it is now": [...changed.now] }),
  };
}

const yesNo: readonly InteractionOption[] = [
  { id: "yes", label: "Yes" },
  { id: "no", label: "No" },
];

const yesNoOrLonger: readonly InteractionOption[] = [
  ...yesNo,
  { id: "session", label: "Yes for this session" },
  { id: "project", label: "Always in this project" },
  { id: "user", label: "Always for me" },
];

const yesOrOnce: readonly InteractionOption[] = [
  { id: "yes", label: "Yes" },
  { id: "no", label: "No", description: "it runs this once, and nothing is saved" },
];

/** The request for a question that a model or a program asks. */
export function questionRequest(id: string, draft: QuestionDraft): InteractionRequest {
  return { ...draft, interaction_id: id, kind: "question", allow_cancel: true };
}

/** Free text at an approval means no, with the text as the reason (ANS-3). */
export function approvalRequest(id: string, draft: ApprovalDraft, digest: string): InteractionRequest {
  return {
    interaction_id: id,
    kind: "confirmation",
    question: draft.question,
    options: yesNo,
    allow_free_text: true,
    allow_cancel: true,
    subject: draft.subject,
    subject_digest: digest,
    ...(draft.timeout_ms === undefined ? {} : { timeout_ms: draft.timeout_ms }),
    ...(draft.metadata === undefined ? {} : { metadata: draft.metadata }),
  };
}

/** What the policy put to a person, read from the request that it became. */
export function approvalOf({ question, subject = null, timeout_ms, metadata }: InteractionRequest): ApprovalDraft {
  return {
    question,
    subject,
    ...(timeout_ms === undefined ? {} : { timeout_ms }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

/** An approval of what can also be granted for longer (APPR-7). */
export function grantableRequest(id: string, draft: ApprovalDraft, digest: string): InteractionRequest {
  return { ...approvalRequest(id, draft, digest), options: yesNoOrLonger };
}

/** Whether a rule is saved, as it is shown: nothing but yes or no. */
export function ruleRequest(id: string, draft: ApprovalDraft, digest: string): InteractionRequest {
  return { ...approvalRequest(id, draft, digest), options: yesOrOnce, allow_free_text: false };
}

/** Constant data: the same bytes in every session (INT-5). */
export function turnLimitRequest(id: string): InteractionRequest {
  return {
    interaction_id: id,
    kind: "confirmation",
    question: "The turn limit (--max-turns) is reached; continue for another round?",
    options: yesNo,
    allow_free_text: false,
    allow_cancel: true,
  };
}
