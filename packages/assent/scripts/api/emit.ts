// The declarations of the library: for the build, and in a folder of their own for whoever reads them.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..", "..");
const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");

/** As tsc writes them, all of them. */
export function emitDeclarations(folder: string): void {
  const options = ["--project", join(root, "tsconfig.build.json"), "--emitDeclarationOnly", "--outDir", folder];
  execFileSync(process.execPath, [tsc, ...options], { stdio: ["ignore", "inherit", "inherit"] });
}

export function withDeclarations<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "assent-api-"));
  try {
    emitDeclarations(folder);
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
