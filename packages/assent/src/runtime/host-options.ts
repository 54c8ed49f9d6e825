import { homedir } from "node:os";
import type { Policy } from "../policy/index.ts";
import { systemClock } from "./clock.ts";
import { openVolatileGrants } from "./grants.ts";
import type { Clock, Place, Ports } from "./ports.ts";
import { isRunning, thisProcess } from "./process.ts";
import { openVolatileSecrets } from "./secrets.ts";

/**
 * What a host is opened with: where sessions are kept, the model, what it can call, and who decides what needs a person. Every
 * other port has a usual value. Without a policy, commands and tools are judged by the policy of this machine: nothing is allowed
 * by leaving something out.
 */
export type HostOptions = Pick<Ports, "journal" | "provider" | "tools"> & Partial<Ports>;

/** Sensitive answers and grants are gone with the process, unless a place is given for them. */
export function portsOf(options: HostOptions): Ports {
  const { clock = systemClock } = options;
  return {
    secrets: openVolatileSecrets(),
    grants: openVolatileGrants(),
    runs: isRunning,
    policy: () => openMachinePolicy(),
    clock,
    holder: thisProcess(),
    newId,
    expiryMs: null,
    softOffers: "regenerate",
    context: (place) => usualContext(place, clock).join("\n"),
    ...options,
  };
}

/** What is the program's own on this machine; `open` are folders in it that an agent may read all the same. */
export type OwnPlaces = { readonly own?: readonly string[]; readonly open?: readonly string[] };

/**
 * The policy for the person at this machine. What is in `own` is never touched without them. It knows thousands of programs, and
 * is loaded when it is first needed.
 */
export async function openMachinePolicy({ own = [], open = [] }: OwnPlaces = {}): Promise<Policy> {
  const { openPolicy } = await import("../policy/index.ts");
  return openPolicy({ platform: process.platform === "darwin" ? "darwin" : "linux", home: homedir(), own, open });
}

/** What every model is told of where it works, so that it need not ask or look (SEL-6). */
export function usualContext({ cwd }: Pick<Place, "cwd">, clock: Clock): readonly string[] {
  const date = new Date(clock.now()).toISOString().slice(0, 10);
  return [`cwd: ${cwd}`, `platform: ${process.platform}`, `date: ${date}`];
}

/**
 * Ten characters that cannot be taken for one another: 50 random bits. They need not be hard to guess, for they open nothing,
 * and the journal refuses one that is taken; what makes better ones would take a start ten milliseconds to load.
 */
function newId(): string {
  const letters = "0123456789abcdefghjkmnpqrstvwxyz";
  return Array.from({ length: 10 }, () => letters[Math.floor(Math.random() * letters.length)]).join("");
}
