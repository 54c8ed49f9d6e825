import { describe, expect, test } from "vitest";
import { route } from "../../../src/adapters/shell/router.ts";
import { wantsTerminal } from "../../../src/adapters/shell/wants-terminal.ts";
import { verifies } from "../../requirements/verifies.ts";

const isCommand = (name: string) => ["help", "text", "stop"].includes(name);
const idle = { open: null, isCommand };
const asked = { open: {}, isCommand };
const secret = { open: { sensitive: true }, isCommand };

describe("where a typed line goes", () => {
  verifies("ANS-0c", "with no question a line is a command of the shell, one of the system, or a prompt", () => {
    expect(route("/help me", idle)).toEqual({ type: "slash", line: "/help me" });
    expect(route("!ls -la", idle)).toEqual({ type: "command", command: "ls -la", tty: false });
    expect(route("!!vim a", idle)).toEqual({ type: "command", command: "vim a", tty: true });
    expect(route("stop", idle)).toEqual({ type: "prompt", text: "stop" });
    expect(route("cancel", idle)).toEqual({ type: "prompt", text: "cancel" });
    expect(route("clean /tmp\nand more", idle)).toEqual({ type: "prompt", text: "clean /tmp\nand more" });
    expect(route(" /help", idle)).toEqual({ type: "prompt", text: " /help" });
    expect(route("/etc/hosts is wrong", idle)).toEqual({ type: "prompt", text: "/etc/hosts is wrong" });
  });

  verifies("SEL-5e", "what looks like a command and is none is told, not sent", () => {
    expect(route("/hlep", idle)).toEqual({ type: "unknown", name: "hlep" });
  });

  test("a prompt of a server is a command by its whole name", () => {
    const offers = { open: null, isCommand: (name: string) => name === "files:find" };
    expect(route("/files:find name=a", offers)).toEqual({ type: "slash", line: "/files:find name=a" });
    expect(route("/files:fnd", offers)).toEqual({ type: "unknown", name: "files:fnd" });
    expect(route("/https://example.com", offers)).toEqual({ type: "prompt", text: "/https://example.com" });
  });

  test("a blank line, and an exclamation mark alone, is nothing", () => {
    for (const line of ["", "  ", "\n", "!", "!! "]) expect(route(line, idle)).toEqual({ type: "nothing" });
  });

  verifies("ANS-0b", "at a question a command of the shell is none of its answers, and all else is one", () => {
    expect(route("/help", asked)).toEqual({ type: "slash", line: "/help" });
    expect(route("/nothing", asked)).toEqual({ type: "reply", line: "/nothing" });
    expect(route("!ls", asked)).toEqual({ type: "reply", line: "!ls" });
    expect(route("", asked)).toEqual({ type: "reply", line: "" });
    expect(route("/text /help 1", asked)).toEqual({ type: "reply", line: "/text /help 1" });
    expect(route("/text  ", asked)).toEqual({ type: "slash", line: "/text  " });
  });

  verifies("ANS-0a", "a sensitive question takes every line as it is", () => {
    for (const line of ["/help", "!x", "stop", "", "/text x"]) {
      expect(route(line, secret)).toEqual({ type: "reply", line });
    }
  });
});

test.each([
  "vim a.txt",
  "sudo nano /etc/hosts",
  "EDITOR=vi less log",
  "/usr/bin/top",
  "python3",
  "git rebase -i HEAD~3",
  "git commit",
  "git add -p",
  "ssh host",
  "docker run -it debian",
])("%s wants the terminal for itself", (command) => expect(wantsTerminal(command)).toBe(true));

test.each([
  "ls",
  "vim --version",
  "python3 a.py",
  "git commit -m x",
  "git commit -am x",
  "git log",
  "man ls | head",
  "echo vim",
  "bash -c true",
  "docker run debian",
  "cat a > b",
])("%s is for what it prints", (command) => expect(wantsTerminal(command)).toBe(false));
