import { describe, expect, it } from "vitest";
import { editors } from "./editors.ts";
import { deeds } from "./given.fixture.ts";

const cases: Readonly<Record<string, readonly string[]>> = {
  "vim --version": [],
  "vim +12 a.txt": ["write a.txt"],
  "vim -c ':!/bin/sh'": ["vim: :!/bin/sh"],
  "vim '+!rm -rf x' a": ["vim: !rm -rf x", "write a"],
  "vim -es -c wq /etc/x": ["vim: wq", "write /etc/x", "vim from input"],
  "vim -s keys a": ["write keys", "write a", "exec-option"],
  "vim -u NONE -S x.vim": ["vim script x.vim"],
  "vim -u ./evil.vim a": ["write a", "vim script ./evil.vim"],
  "view /etc/hosts": ["show /etc/hosts"],
  "nvim --headless -l x.lua": ["lua script x.lua"],
  "ed -s /etc/motd": ["write /etc/motd", "vim from input"],
  "ed '!id'": ["shell id", "vim from input"],
  "emacs -batch --eval '(shell)' a.el": ["emacs: (shell)", "write a.el"],
  "emacs --batch -f batch-byte-compile a.el": ["write a.el"],
  "emacs -f term": ["exec-option"],
  "emacsclient -e '(x)'": ["emacs: (x)"],
  "nano -s ./evil a": ["program ./evil", "write a"],
  "code .": [],
  "code tunnel": ["network-tunnel"],
  "code --remote ssh-remote+host.example /x": ["connect host.example"],
};

describe("the deeds of editors", () => {
  it.each(Object.entries(cases))("are known for: %s", (line, expected) => {
    expect(deeds(editors, line)).toEqual(expected);
  });
});
