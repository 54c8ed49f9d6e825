import type { Clock } from "../../runtime/ports.ts";
import type { Sample } from "../types.ts";

/** How long an outside server may take, and how much of what it says is taken: times in ms, sizes in bytes. */
export type McpLimits = {
  /** To start and greet: a command may have to be fetched and installed first. */
  readonly connectMs: number;
  /** To see which era of the protocol a server speaks, before the older one is tried. */
  readonly probeMs: number;
  /** For all pages of everything that it lists. */
  readonly listMs: number;
  /** A call, since it began or last told of progress, and in all. */
  readonly callMs: number;
  readonly callInAllMs: number;
  /** To show that it lives, after a call that took too long. */
  readonly greetMs: number;
  /** From the close of its input to SIGTERM, and from there to SIGKILL. */
  readonly closeMs: number;
  readonly killMs: number;
  /** The wait before a server that died is started again: this, then twice as long each time, up to the most. */
  readonly backOffMs: number;
  readonly backOffMostMs: number;
  /** Listings anew, when it says that something changed, come at least so far apart. */
  readonly relistMs: number;
  /** One message, by whichever way it comes. */
  readonly messageBytes: number;
  /** Notifications and requests of its own; what is more in one second is dropped. */
  readonly noticesPerSecond: number;
  /** Questions to a person that one call may lead to; what is more is cancelled unseen. */
  readonly questionsPerCall: number;
};

export type McpOptions = {
  /** Where what servers say on the side goes, a line each, under the server's name. */
  readonly log: (name: string, text: string) => void;
  readonly clock: Clock;
  /** Assent's own version, which servers are told. */
  readonly version: string;
  /** The folder in which servers are started: the person's home. */
  readonly cwd: string;
  /** Answers for servers that may have the person's model do so; without it none may. */
  readonly sample?: Sample;
  /** What differs from the usual. */
  readonly limits?: Partial<McpLimits>;
};

export const usualLimits: McpLimits = {
  connectMs: 30_000,
  probeMs: 5_000,
  listMs: 15_000,
  callMs: 60_000,
  callInAllMs: 15 * 60_000,
  greetMs: 3_000,
  closeMs: 1_000,
  killMs: 2_000,
  backOffMs: 1_000,
  backOffMostMs: 60_000,
  relistMs: 1_000,
  messageBytes: 8 * 1024 * 1024,
  noticesPerSecond: 100,
  questionsPerCall: 20,
};
