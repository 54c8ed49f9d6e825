import { expect, test } from "vitest";
import { programNamed } from "./index.ts";

const others = [
  ["python3.12", "python"],
  ["python-3", "python"],
  ["gcc-15", "gcc"],
  ["clang-20.1.2", "clang"],
  ["uu_rm", "rm"],
  ["rm.exe", "rm"],
  ["RM.EXE", undefined],
  ["git.EXE", "git"],
  ["mkfs.ext4", "mkfs"],
  ["fsck.vfat", "fsck"],
  ["ld-linux-x86-64.so.2", "ld.so"],
  ["ld.so.1", "ld.so"],
  ["ld-musl.so", "ld.so"],
  ["rm", "rm"],
  ["uu_", undefined],
  ["xuu_rm", undefined],
  ["rm.exes", undefined],
  ["rm.exe.x", undefined],
  ["rmxexe", undefined],
  ["python3x", undefined],
  ["python3.12-dbg", undefined],
  ["xmkfs.ext4", undefined],
  ["mkfsxext4", undefined],
  ["xld-linux.so", undefined],
  ["xld.so.1", undefined],
  ["ld-linux-so", undefined],
  ["nothing", undefined],
  ["", undefined],
] as const;

test.each(others)("a program is known by other forms of its name: %s", (name, plain) => {
  expect(programNamed(name)).toBe(plain === undefined ? undefined : programNamed(plain));
  expect(programNamed(name) === undefined).toBe(plain === undefined);
});
