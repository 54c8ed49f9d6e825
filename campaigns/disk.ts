/** What a disk holds when the power goes: all that was synced, and of the rest whatever it likes. */
import type { Act } from "./trace.ts";

const sector = 512;

type Change = Extract<Act, { type: "write" | "truncate" }>;
type FolderChange = Extract<Act, { type: "create" | "unlink" }>;
type File = { bytes: Buffer; size: number; pending: Change[] };

/** What becomes of the changes that were not synced. */
export type Fate = {
  readonly name: string;
  /** Which sectors of that change reach the disk. */
  readonly keeps: () => "all" | "none" | "some";
  /** How many of so many changes to the folder reach the disk: those come in their order. */
  readonly folder: (changes: number) => number;
  readonly random: () => number;
};

export type Disk = ReturnType<typeof newDisk>;

export function newDisk() {
  const files = new Map<number, File>();
  const folder = new Map<string, number>();
  let pendingInFolder: FolderChange[] = [];

  function fileOf(number: number): File {
    const file = files.get(number) ?? { bytes: Buffer.alloc(64 * 1024), size: 0, pending: [] };
    files.set(number, file);
    return file;
  }

  function syncFile(number: number): void {
    const file = fileOf(number);
    for (const change of file.pending) {
      if (change.type === "write") write(file, [change]);
      else cut(file, change);
    }
    file.pending = [];
  }

  function syncFolder(): void {
    for (const change of pendingInFolder) applyToFolder(folder, change);
    pendingInFolder = [];
  }

  function apply(act: Act): void {
    if (act.type === "create" || act.type === "unlink") pendingInFolder.push(act);
    else if (act.type === "write" || act.type === "truncate") fileOf(act.file).pending.push(act);
    else if (act.type === "sync") syncFile(act.file);
    else if (act.type === "sync-folder") syncFolder();
  }

  /** The files as they are found after a power cut at this moment. */
  function afterPowerCut(fate: Fate): Map<string, Buffer> {
    const names = new Map(folder);
    for (const change of pendingInFolder.slice(0, fate.folder(pendingInFolder.length))) applyToFolder(names, change);
    return new Map([...names].map(([name, number]) => [name, survivorOf(fileOf(number), fate)]));
  }

  return { apply, afterPowerCut };
}

function survivorOf(file: File, fate: Fate): Buffer {
  const copy: File = { bytes: Buffer.from(file.bytes.subarray(0, file.size)), size: file.size, pending: [] };
  for (const change of file.pending) {
    const keeps = fate.keeps();
    if (keeps === "none") continue;
    if (change.type === "truncate") cut(copy, change);
    else write(copy, keeps === "all" ? [change] : sectorsOf(change).filter(() => fate.random() < 0.5));
  }
  return copy.bytes.subarray(0, copy.size);
}

type Piece = { readonly offset: number; readonly data: Buffer };

/** The write in pieces that a disk writes as one: a power cut leaves each of them whole, the old or the new. */
function sectorsOf({ offset, data }: Piece): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < data.length; ) {
    const length = sector - ((offset + at) % sector);
    pieces.push({ offset: offset + at, data: data.subarray(at, at + length) });
    at += length;
  }
  return pieces;
}

function write(file: File, pieces: readonly Piece[]): void {
  for (const { offset, data } of pieces) {
    grow(file, offset + data.length);
    data.copy(file.bytes, offset);
  }
}

function grow(file: File, size: number): void {
  if (size > file.bytes.length) file.bytes = Buffer.concat([file.bytes, Buffer.alloc(size * 2 - file.bytes.length)]);
  file.size = Math.max(file.size, size);
}

function cut(file: File, { size }: { readonly size: number }): void {
  grow(file, size);
  file.bytes.fill(0, size);
  file.size = size;
}

function applyToFolder(names: Map<string, number>, change: FolderChange): void {
  if (change.type === "create") names.set(change.name, change.file);
  else names.delete(change.name);
}
