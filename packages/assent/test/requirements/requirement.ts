/** One claim that tests can prove: an id of the specification, or one lettered clause of it. */
export type Requirement = {
  readonly id: string;
  /** The claim in one line, so that a report can be read without the specification at hand. */
  readonly line: string;
  readonly status: "planned" | "verified";
  /** A resolution claims nothing of its own: it stands as soon as these do. A base id means all its clauses. */
  readonly follows?: readonly string[];
  /** What its tests need that a machine may lack: where they are all skipped for want of it, that is told, and is no fault. */
  readonly needs?: string;
};
