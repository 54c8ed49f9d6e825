import { randomBytes } from "node:crypto";
import { constants, promises } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOf } from "../../wire/index.ts";

export type Replacing = {
  readonly real: string;
  readonly content: string;
  /** Asked again at the last moment: a file that another has changed meanwhile stays as it is. */
  readonly isAsJudged: () => boolean;
};

/** Puts a whole new file in the place of the old one, in one step; whatever goes wrong, the old one stays. */
export async function replaceFile({ real, content, isAsJudged }: Replacing): Promise<"replaced" | "changed"> {
  const folder = dirname(real);
  await makeFolders(folder);
  // A short name of its own: one made from the file's might be too long.
  const temporary = join(folder, `.assent-${randomBytes(6).toString("hex")}`);
  try {
    await writeTemporary(temporary, real, content);
    if (!isAsJudged()) return "changed";
    await promises.rename(temporary, real);
  } finally {
    await promises.rm(temporary, { force: true });
  }
  await syncFolder(folder);
  return "replaced";
}

/** One by one: made in one go, a file system that only reads is said to lack the folder. */
async function makeFolders(folder: string): Promise<void> {
  if ((await promises.stat(folder).catch(ignoreAbsent)) !== undefined) return;
  await makeFolders(dirname(folder));
  await promises.mkdir(folder).catch((error: unknown) => {
    if (codeOf(error) !== "EEXIST") throw error;
  });
}

async function writeTemporary(temporary: string, real: string, content: string): Promise<void> {
  const old = await promises.lstat(real).catch(ignoreAbsent);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  // What will be closed to others must not be open to them while it is written.
  const file = await promises.open(temporary, flags, old === undefined ? 0o666 : 0o600);
  try {
    await file.writeFile(content);
    if (old !== undefined) await takeOver(file, old);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The owner only where this process may; then no bits that would lend somebody else's rights. */
async function takeOver(file: FileHandle, old: { uid: number; gid: number; mode: number }): Promise<void> {
  const owned = await file.chown(old.uid, old.gid).then(
    () => true,
    () => false,
  );
  await file.chmod(old.mode & (owned ? 0o7777 : 0o777));
}

function ignoreAbsent(error: unknown): undefined {
  if (codeOf(error) !== "ENOENT") throw error;
}

/** The file is in place by now; that its name outlives a power cut is more than some file systems offer. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const directory = await promises.open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
    await directory.sync().finally(() => directory.close());
  } catch {}
}
