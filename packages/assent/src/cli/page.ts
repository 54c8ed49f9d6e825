import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page, PageFile } from "../adapters/http/index.ts";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
};

/** The files of the page, all of them: what is not read here is not served. */
export function loadPage(root: string): Page {
  const folder = pageFolder(root);
  return folder === null
    ? missing()
    : new Map(filesBelow(folder, "").map((path) => [served(path), read(folder, path)]));
}

/** Beside the command where it is installed; in a checkout it is made when it is first served. */
function pageFolder(root: string): string | null {
  const installed = join(root, "dist", "web");
  if (existsSync(join(installed, "index.html"))) return installed;
  const checkout = join(root, "..", "web");
  const built = join(checkout, "dist");
  const build = join(checkout, "scripts", "build.mjs");
  if (!existsSync(build)) return null;
  const sources = [join(checkout, "index.html"), join(checkout, "src"), join(root, "src")];
  const isBuilt = () => isNewer(join(built, "index.html"), sources);
  if (!isBuilt()) {
    // Apart from what others read now, or make at the same time: the first is as good as the next.
    const own = mkdtempSync(join(checkout, "dist-"));
    try {
      execFileSync(process.execPath, [build, "--out", own], { stdio: ["ignore", "ignore", "inherit"] });
      if (!isBuilt()) replace(built, own);
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
  }
  return built;
}

function replace(folder: string, next: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
    renameSync(next, folder);
  } catch (error) {
    // Another was faster.
    if (!existsSync(join(folder, "index.html"))) throw error;
  }
}

/** Whether a file was made after all of these were changed. */
function isNewer(file: string, sources: readonly string[]): boolean {
  const made = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return sources.every((source) => {
    if (!statSync(source).isDirectory()) return statSync(source).mtimeMs < made;
    return filesBelow(source, "").every((path) => statSync(join(source, path)).mtimeMs < made);
  });
}

function filesBelow(folder: string, path: string): readonly string[] {
  return readdirSync(join(folder, path), { withFileTypes: true }).flatMap((entry) => {
    const below = path === "" ? entry.name : `${path}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(folder, below) : [below];
  });
}

function served(path: string): string {
  return path === "index.html" ? "/" : `/${path}`;
}

function read(folder: string, path: string): PageFile {
  const bytes = new Uint8Array(readFileSync(join(folder, path)));
  const type = types[extname(path)] ?? "application/octet-stream";
  return { type, bytes, gzip: new Uint8Array(gzipSync(bytes)), lasting: path.startsWith("assets/") };
}

function missing(): Page {
  const bytes = new TextEncoder().encode(
    "The page is not built: npm run build makes it. The API is there all the same.\n",
  );
  return new Map([
    ["/", { type: "text/plain; charset=utf-8", bytes, gzip: new Uint8Array(gzipSync(bytes)), lasting: false }],
  ]);
}
