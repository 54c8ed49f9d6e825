import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { orUndo, removeFiles } from "./channel.ts";

/** A text that a shell reads, of any length: an argument has room for 128 KiB only. It is there as long as this is open. */
export class CommandFile {
  readonly path: string;
  readonly #file: number;
  readonly #folder: string | null;

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), "assent-"));
    const name = join(folder, "command");
    this.#file = orUndo(
      () => openSync(name, "wx+", 0o600),
      () => removeFiles({ folder, paths: [name] }),
    );
    // Under this name it can be read while this process lives, and no other is needed.
    const unnamed = process.platform === "linux";
    if (unnamed) removeFiles({ folder, paths: [name] });
    this.path = unnamed ? `/proc/${process.pid}/fd/${this.#file}` : name;
    this.#folder = unnamed ? null : folder;
  }

  /** From its beginning, in place of what was there; a rest of that stays. */
  write(text: string): void {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done, bytes.length - done, done);
  }

  close(): void {
    closeSync(this.#file);
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true });
  }
}
