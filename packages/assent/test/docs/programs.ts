import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const repository = join(import.meta.dirname, "..", "..", "..", "..");

/** A program that stands in a document, and what stands under it as what it prints. */
export type Program = {
  /** Such as `docs/guide/library.md 2`. */
  readonly name: string;
  readonly text: string;
  /** `null`: the program asserts what it shows. */
  readonly printed: string | null;
};

/** Every program in every document that people read. What is marked in another way (`ts file`, `ts declaration`) is none. */
export function programsInDocs(): readonly Program[] {
  const documents = globSync(["*.md", "docs/**/*.md", "packages/*/README.md"], { cwd: repository }).sort();
  return documents.flatMap((document) => {
    const text = readFileSync(join(repository, document), "utf8");
    const found = [...text.matchAll(/```ts\n([\s\S]*?)```(?:\n\n```text\n([\s\S]*?)```)?/g)];
    return found.map(([, program = "", printed = null], index) => ({
      name: `${document} ${index + 1}`,
      text: program,
      printed,
    }));
  });
}

/** An example, what is typed to it, and what it prints, whole or in part. */
export type Example = { readonly name: string; readonly input: string; readonly prints: RegExp };

export const examples: readonly Example[] = [
  { name: "answer-over-http", input: "", prints: /^Approve command: rm -rf build\? \(yes\/no\)\nI left it alone\.\n$/ },
  {
    name: "ask-anywhere",
    input: "",
    prints: /\n> I think 2\nNot an answer: a number alone is expected\.\n[\s\S]*> 2\n$/,
  },
  { name: "embed-host", input: "", prints: /^stock said 3\nThere are three teapots\.\n$/ },
  {
    name: "flow",
    input: "option 2\n2\nregion=2\n3\n1\n1\nyes\n",
    prints: /Summary:\n- env: Production\n- region: US\n\n1\) Confirm[\s\S]*\nconfirmed \{"env":1,"region":2\}\n$/,
  },
  { name: "own-model", input: "", prints: /^wc: 3\nI was shown 3 messages\.\n$/ },
  { name: "own-rule", input: "", prints: /\nCI=1 npm run deploy, at 9: deny \(no-deploy\)\n/ },
  {
    name: "own-surface",
    input: "clean up\noption 2\n2\n",
    prints:
      /\nNot an answer: a number alone is expected\.\nApprove command: [\s\S]*\n\(not done\)\nIt is as it was\.\n$/,
  },
  {
    name: "policy-alone",
    input: "",
    prints: /ask {3}OUT=build; ls src && rm -r \$OUT\n[\s\S]*\ngranted: rm -rf dist, and nothing more than that\n$/,
  },
];
