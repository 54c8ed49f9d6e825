import type { Requirement } from "./requirement.ts";

/** One test naming one requirement; a test that names three gives three citations. */
export type Citation = {
  readonly id: string;
  readonly title: string;
  readonly passed: boolean;
  readonly skipped: boolean;
};

const idShape = /^[A-Z]+-\d+[a-z]?$/;

const baseOf = (id: string): string => id.replace(/[a-z]$/, "");

/** Compares what the data claims with what the tests of one full run showed. */
export function checkRequirements(run: {
  readonly requirements: readonly Requirement[];
  readonly citations: readonly Citation[];
}): { problems: string[]; summary: string } {
  const { requirements, citations } = run;
  const verified = requirements.filter(({ status }) => status === "verified").length;
  const unseen = requirements.filter((requirement) => isUnseen(requirement, citations));
  return {
    problems: [
      ...idProblems(requirements),
      ...unknownCitations(requirements, citations),
      ...requirements.flatMap((requirement) => statusProblems(requirement, citations)),
      ...requirements.flatMap((requirement) => followProblems(requirement, requirements)),
    ],
    summary: `requirements: ${verified} verified of ${requirements.length}${unseenNote(unseen)}`,
  };
}

/** What it needs is not on this machine, and so all its tests were skipped. */
function isUnseen({ id, status, needs }: Requirement, citations: readonly Citation[]): boolean {
  const citing = citations.filter((citation) => citation.id === id);
  return status === "verified" && needs !== undefined && citing.length > 0 && citing.every(({ skipped }) => skipped);
}

function unseenNote(unseen: readonly Requirement[]): string {
  if (unseen.length === 0) return "";
  const needs = [...new Set(unseen.map((requirement) => requirement.needs))].join(", ");
  return `; not seen here, for want of ${needs}: ${unseen.map(({ id }) => id).join(", ")}`;
}

/** The last line of a full run. What was skipped is named only when there is something to name. */
export function testsLine(counts: { passed: number; failed: number; skipped: number }): string {
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
  return `tests: ${counts.passed} passed, ${counts.failed} failed${skipped}`;
}

function idProblems(requirements: readonly Requirement[]): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const { id } of requirements) {
    if (!idShape.test(id)) problems.push(`malformed id: expected ABC-1 or ABC-1a, came ${JSON.stringify(id)}`);
    if (seen.has(id)) problems.push(`duplicate id: expected ${id} once, came again`);
    seen.add(id);
  }
  for (const id of seen) {
    const clauses = clausesOf(id, [...seen]);
    if (clauses.length > 0) {
      problems.push(`${id} is split: expected either it or its clauses, came ${[id, ...clauses].join(", ")}`);
    }
  }
  return problems;
}

function unknownCitations(requirements: readonly Requirement[], citations: readonly Citation[]): string[] {
  const ids = requirements.map(({ id }) => id);
  return citations
    .filter(({ id }) => !ids.includes(id))
    .map(({ id, title }) => {
      const clauses = clausesOf(id, ids);
      // Citing a split id whole would let one test stand for all its clauses.
      const expected = clauses.length > 0 ? `one of ${clauses.join(", ")}` : "an id of the requirements";
      return `unknown id cited: expected ${expected}, came ${JSON.stringify(id)} in ${quote(title)}`;
    });
}

function statusProblems(requirement: Requirement, citations: readonly Citation[]): string[] {
  const { id, status, follows } = requirement;
  const citing = citations.filter((citation) => citation.id === id);
  if (status === "planned") {
    // Also a skipped or failing test: a claim somebody has begun to test is no longer merely planned.
    return citing.map(({ title }) => `${id} is planned: expected no test, came ${quote(title)}`);
  }
  if (isUnseen(requirement, citations)) return [];
  if (follows !== undefined || citing.some(({ passed, skipped }) => passed && !skipped)) return [];
  const came = citing.map((citation) => `${quote(citation.title)} ${citation.skipped ? "skipped" : "failed"}`);
  return [`${id} is verified: expected a passed test, came ${came.join(", ") || "none"}`];
}

function followProblems({ id, status, follows }: Requirement, requirements: readonly Requirement[]): string[] {
  if (follows === undefined) return [];
  // Of nothing everything is true, so a row that follows nothing would count as verified.
  if (follows.length === 0) return [`${id} follows other ids: expected at least one, came none`];
  const named = follows.map((name) => ({ name, found: requirementsNamed(name, requirements) }));
  const unknown = named.filter(({ found }) => found.length === 0);
  if (unknown.length > 0) {
    return unknown.map(({ name }) => `${id} follows an unknown id: expected one of the requirements, came ${name}`);
  }
  const open = named.flatMap(({ found }) => found).filter((followed) => followed.status === "planned");
  const expected = open.length === 0 ? "verified" : "planned";
  if (status === expected) return [];
  const because = open.length === 0 ? "all it follows is verified" : `planned: ${open.map((o) => o.id).join(", ")}`;
  return [`${id} follows ${follows.join(", ")}: expected ${expected} (${because}), came ${status}`];
}

const clausesOf = (id: string, ids: readonly string[]): string[] =>
  ids.filter((other) => other !== id && baseOf(other) === id);

const requirementsNamed = (name: string, requirements: readonly Requirement[]): Requirement[] =>
  requirements.filter(({ id }) => id === name || baseOf(id) === name);

const quote = (title: string): string => `"${title}"`;
