/** What a process did to the files of a store, read from the output of strace. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

/** A file is known by a number, as a name may come to mean another file. */
export type Act =
  | { readonly type: "create"; readonly name: string; readonly file: number }
  | { readonly type: "unlink"; readonly name: string }
  | { readonly type: "write"; readonly file: number; readonly offset: number; readonly data: Buffer }
  | { readonly type: "truncate"; readonly file: number; readonly size: number }
  | { readonly type: "sync"; readonly file: number }
  | { readonly type: "sync-folder" }
  /** The process said that it had done so many steps. */
  | { readonly type: "acknowledged"; readonly steps: number };

type Call = {
  readonly name: string;
  readonly given: string;
  readonly result: number;
};

/** The calls to be traced. Those that `actOf` does not know must not touch the store: it says so if they do. */
const tracedCalls =
  "openat,close,pwrite64,write,writev,pwritev,pwritev2,ftruncate,truncate,fallocate,fsync,fdatasync,unlink,unlinkat,rename,renameat,renameat2";

/** The options that make strace write what is read here: whole buffers, as hexadecimal digits. */
export const traceOptions = ["-f", "-xx", "-s", "1000000", "-e", `trace=${tracedCalls}`, "-e", "signal=none"];

export async function readTrace(file: string, store: { readonly folder: string }): Promise<Act[]> {
  const reader = newReader(store.folder);
  const acts: Act[] = [];
  for await (const line of createInterface({ input: createReadStream(file, "latin1") })) {
    const call = reader.callOf(line);
    const act = call === null || call.result < 0 ? null : reader.actOf(call);
    if (act !== null) acts.push(act);
  }
  return acts;
}

type Opened = { readonly type: "file"; readonly file: number } | { readonly type: "folder" };

function newReader(folder: string) {
  const unfinished = new Map<string, string>();
  const handles = new Map<string, Opened>();
  const names = new Map<string, number>();
  let files = 0;

  /** A call that another thread interrupted is told in two lines. */
  function callOf(line: string): Call | null {
    const [, thread = "", said = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const begun = /^(.*) <unfinished \.\.\.>$/.exec(said);
    if (begun !== null) unfinished.set(thread, begun[1] ?? "");
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(said);
    const whole = resumed === null ? said : (unfinished.get(thread) ?? "") + (resumed[1] ?? "");
    const [, name, given, result] = /^(\w+)\((.*)\) += (-?\d+)/.exec(whole) ?? [];
    return name === undefined || given === undefined ? null : { name, given, result: Number(result) };
  }

  /** The name inside the store's folder; `null` for what is elsewhere or is rebuilt when the store is opened. */
  function nameOf(path: string): string | null {
    if (!path.startsWith(`${folder}/`) || path.endsWith("-shm")) return null;
    return path.slice(folder.length + 1);
  }

  function opened({ given, result }: Call): Act | null {
    const path = textOf(given);
    if (path === folder) handles.set(String(result), { type: "folder" });
    const name = nameOf(path);
    if (name === null) return null;
    if (given.includes("O_TRUNC")) throw new Error(`${name}: opened to be emptied, which is not modelled`);
    const known = names.get(name);
    const file = known ?? ++files;
    names.set(name, file);
    handles.set(String(result), { type: "file", file });
    return known === undefined ? { type: "create", name, file } : null;
  }

  function unlinked({ given }: Call): Act | null {
    const name = nameOf(textOf(given));
    if (name === null || !names.delete(name)) return null;
    return { type: "unlink", name };
  }

  function onHandle(call: Call, handle: string, at: Opened): Act | null {
    const last = Number(call.given.slice(call.given.lastIndexOf(",") + 1));
    if (call.name === "close") {
      handles.delete(handle);
      return null;
    }
    if (call.name === "fsync" || call.name === "fdatasync") {
      return at.type === "folder" ? { type: "sync-folder" } : { type: "sync", file: at.file };
    }
    if (at.type === "file" && call.name === "pwrite64") {
      const data = bytesOf(call.given).subarray(0, call.result);
      return { type: "write", file: at.file, offset: last, data };
    }
    if (at.type === "file" && call.name === "ftruncate") return { type: "truncate", file: at.file, size: last };
    throw new Error(`${call.name} on the store, which is not modelled`);
  }

  function actOf(call: Call): Act | null {
    if (call.name === "openat") return opened(call);
    if (call.name === "unlink") return unlinked(call);
    const handle = /^\d+/.exec(call.given)?.[0] ?? "";
    const at = handles.get(handle);
    if (at !== undefined) return onHandle(call, handle, at);
    if (call.name !== "write" || handle !== "1") return null;
    const said = textOf(call.given).trimEnd();
    return /^\d+$/.test(said) ? { type: "acknowledged", steps: Number(said) + 1 } : null;
  }

  return { callOf, actOf };
}

function bytesOf(given: string): Buffer {
  const start = given.indexOf('"');
  const end = given.lastIndexOf('"');
  if (given.startsWith("...", end + 1)) throw new Error("strace cut a buffer short");
  return Buffer.from(given.slice(start + 1, end).replaceAll("\\x", ""), "hex");
}

function textOf(given: string): string {
  return bytesOf(given).toString("utf8");
}
