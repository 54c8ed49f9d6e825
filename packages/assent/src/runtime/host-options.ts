import { resolve } from "node:path";
import type { Policy } from "../policy/index.ts";
import { checkNames, checkOptions, checkPaths } from "./check-options.ts";
import { systemClock } from "./clock.ts";
import { openVolatileGrants } from "./grants.ts";
import type { OwnPlaces } from "./own-folders.ts";
import type { Clock, Place, Ports } from "./ports.ts";
import { isRunning, thisProcess } from "./process.ts";
import { openVolatileSecrets } from "./secrets.ts";
import { soundJournal } from "./sound-journal.ts";

/**
 * What a host is opened with: where sessions are kept, the model, what it can call, and who decides what needs a person. Every
 * other port has a usual value. Without a policy, commands and tools are judged by the policy of this machine, for which what the
 * host keeps is out of bounds: nothing is allowed by leaving something out.
 */
export type HostOptions = Pick<Ports, "journal" | "provider" | "tools"> & Partial<Ports>;

/**
 * Sensitive answers and grants are gone with the process, unless a place is given for them. What is there but `undefined`, as
 * programs without types may have it, is left out as well.
 */
export function portsOf(options: HostOptions): Ports {
  checkOptions(options);
  const journal = soundJournal(options.journal);
  const { clock = systemClock, secrets = openVolatileSecrets(), grants = openVolatileGrants() } = options;
  const { runs = isRunning, holder = thisProcess(), expiryMs = null, softOffers = "regenerate" } = options;
  const kept = [journal, secrets, grants].flatMap(({ places = [] }) => places);
  const own = [...(options.own ?? []), ...kept].map((place) => resolve(place));
  const { policy = () => openMachinePolicy({ own }), newId = usualId } = options;
  const { context = (place) => usualContext(place, clock).join("\n") } = options;
  return {
    ...options,
    ...{ journal, clock, secrets, grants, runs, holder, expiryMs, softOffers, own, policy, newId, context },
  };
}

const ownOptions: Readonly<Record<keyof OwnPlaces, true>> = { own: true, open: true };

/**
 * The policy for the person at this machine. What is in `own` is never touched without them, and neither is what the command line
 * keeps: there an agent could answer for them. It knows thousands of programs, and is loaded when it is first needed.
 */
export async function openMachinePolicy(given: OwnPlaces = {}): Promise<Policy> {
  checkNames("openMachinePolicy", given, Object.keys(ownOptions));
  const { own = [], open = [] } = given;
  checkPaths("openMachinePolicy", { own, open });
  const places = { own: own.map((place) => resolve(place)), open: open.map((place) => resolve(place)) };
  const { machinePolicy } = await import("./machine-policy.ts");
  return machinePolicy(places);
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
function usualId(): string {
  const letters = "0123456789abcdefghjkmnpqrstvwxyz";
  return Array.from({ length: 10 }, () => letters[Math.floor(Math.random() * letters.length)]).join("");
}
