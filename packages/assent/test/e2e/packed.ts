import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import manifest from "../../package.json" with { type: "json" };

const source = join(import.meta.dirname, "..", "..");
export const repository = join(source, "..", "..");
const modules = join(repository, "node_modules");

/** The package as it would be published, made from the source of now, and a project that has it installed. Nothing is fetched. */
export class Packed {
  readonly top = mkdtempSync(join(tmpdir(), "assent-packed-"));
  readonly tarball: string;
  /** Where the package is in the project. */
  readonly installed: string;
  readonly project = join(this.top, "project");

  constructor() {
    const folder = join(this.top, "package");
    for (const name of ["package.json", "README.md", "LICENSE", ...manifest.files.filter((file) => file !== "dist")]) {
      cpSync(join(source, name), join(folder, name), { recursive: true });
    }
    const build = [join(source, "scripts", "build.mjs"), "--out", join(folder, "dist")];
    execFileSync(process.execPath, build, { stdio: ["ignore", "ignore", "inherit"] });
    const packing = ["pack", "--offline", "--ignore-scripts", "--loglevel=error", "--pack-destination", this.top];
    execFileSync("npm", packing, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
    this.tarball = join(this.top, `${manifest.name}-${manifest.version}.tgz`);
    this.installed = join(this.project, "node_modules", manifest.name);
    this.#install();
  }

  /** As npm would: the package, beside it what it depends on, and nothing else. */
  #install(): void {
    mkdirSync(this.installed, { recursive: true });
    execFileSync("tar", ["-xzf", this.tarball, "-C", this.installed, "--strip-components=1"]);
    writeFileSync(join(this.project, "package.json"), JSON.stringify({ name: "project", type: "module" }));
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) this.link(name);
  }

  /** A package of this repository, in the project too. */
  link(name: string): void {
    const place = join(this.project, "node_modules", name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(modules, name), place);
  }

  /** Runs a program in the project, which knows nothing of the source. */
  run(argv: readonly string[], options: { readonly input?: string; readonly node?: string } = {}) {
    const { ASSENT_RUN: _marker, NODE_OPTIONS: _options, ...inherited } = process.env;
    const { input = "", node = process.execPath } = options;
    const env = { ...inherited, ASSENT_HOME: join(this.top, "home"), HOME: join(this.top, "user") };
    const { status, stdout, stderr } = spawnSync(node, argv, { cwd: this.project, env, input, encoding: "utf8" });
    return { status, stdout, stderr };
  }

  /** What a tool that comes with the repository says. */
  tool(name: string, argv: readonly string[]) {
    const { status, stdout, stderr } = spawnSync(join(modules, ".bin", name), argv, {
      cwd: this.top,
      encoding: "utf8",
    });
    return { status, said: `${stdout}${stderr}` };
  }

  get files(): readonly string[] {
    return readdirSync(this.installed, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(this.installed.length + 1))
      .sort();
  }

  remove(): void {
    rmSync(this.top, { recursive: true, force: true });
  }
}
