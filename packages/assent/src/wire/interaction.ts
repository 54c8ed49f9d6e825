import * as v from "valibot";
import type {
  Flow,
  FlowStep,
  InteractionOption,
  InteractionRequest,
  InteractionResponse,
  QuestionDraft,
} from "../core/index.ts";
import { amount, count, flag, json, list, optional, type Same, text } from "./schema.ts";

const option = v.object({ id: text, label: text, description: optional(text) });

const draftFields = {
  question: text,
  options: list(option),
  allow_free_text: flag,
  multi_select: optional(flag),
  min_selected: optional(count),
  max_selected: optional(count),
  timeout_ms: optional(amount),
  sensitive: optional(flag),
};
export const questionDraft = v.object(draftFields);

const shownFields = { ...draftFields, subject: optional(json), response_schema: optional(json) };
export const shownDraft = v.object(shownFields);
const flowStep = v.object({ key: text, ...shownFields });
export const flow = v.object({ steps: list(flowStep), timeout_ms: optional(amount) });

export const interactionRequest = v.object({
  interaction_id: text,
  kind: v.picklist(["question", "confirmation"]),
  question: text,
  options: list(option),
  allow_free_text: flag,
  allow_cancel: flag,
  default_option_id: optional(text),
  timeout_ms: optional(amount),
  continuation_id: optional(text),
  source_node: optional(text),
  metadata: optional(json),
  multi_select: optional(flag),
  min_selected: optional(count),
  max_selected: optional(count),
  subject: optional(json),
  subject_digest: optional(text),
  sensitive: optional(flag),
  response_schema: optional(json),
});

export const interactionResponse = v.object({
  interaction_id: text,
  selected_option_id: optional(text),
  selected_option_ids: optional(list(text)),
  free_text: optional(text),
  confirmed: optional(flag),
  cancelled: flag,
  answer_id: optional(text),
  metadata: optional(json),
});

true satisfies Same<v.InferOutput<typeof option>, InteractionOption>;
true satisfies Same<v.InferOutput<typeof questionDraft>, QuestionDraft>;
true satisfies Same<v.InferOutput<typeof flowStep>, FlowStep>;
true satisfies Same<v.InferOutput<typeof flow>, Flow>;
true satisfies Same<v.InferOutput<typeof interactionRequest>, InteractionRequest>;
true satisfies Same<v.InferOutput<typeof interactionResponse>, InteractionResponse>;
