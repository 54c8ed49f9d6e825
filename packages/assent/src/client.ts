/** The HTTP API of `assent serve` for programs and pages; it needs nothing of Node. */
export * from "./client/index.ts";
export type { AuditAnswer, AuditMoment, AuditRecord } from "./core/index.ts";
export type {
  ApiAccepted,
  ApiAnswered,
  ApiAudit,
  ApiChain,
  ApiCreated,
  ApiCreation,
  ApiError,
  ApiGrants,
  ApiInteraction,
  ApiInteractions,
  ApiLogin,
  ApiMe,
  ApiPrompt,
  ApiReply,
  ApiResolution,
  ApiSession,
  ApiSessionDetail,
  ApiSessions,
  ApiSignedIn,
  ApiStop,
  Role,
} from "./wire/api-types.ts";
