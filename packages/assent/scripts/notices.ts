// What the packages that are bundled want to be told with them: their licences.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The text for all packages among these files, which are relative to `root`. */
export function noticesOf(files: readonly string[], root: string): string {
  const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  const notices = [...new Set(folders)].map((folder) => noticeIn(join(root, folder)));
  return `This package contains parts of the following packages.\n\n${notices.sort().join("\n")}`;
}

function noticeIn(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const [file] = globSync("{LICENSE,LICENCE,license,licence}{,.md,.txt}", { cwd: folder });
  const text = file === undefined ? "" : `\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
  return `=== ${name} ${version} (${license})\n${text}`;
}
