import type { Candidate } from "./complete.ts";
import { openMachineIntegrations } from "./integrating.ts";

/** What is set up, by its name; of a `service` also what can be. */
export function integrationCandidates(what: "service" | "integration"): readonly Candidate[] {
  const all = openMachineIntegrations();
  const own = all.configured().map(({ name, service }) => ({ word: name, about: service }));
  if (what === "integration") return own;
  const services = all.catalogue.entries().map(({ name, about }) => ({ word: name, about }));
  return [...own.filter(({ word }) => !services.some((service) => service.word === word)), ...services];
}
