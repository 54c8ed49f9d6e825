import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import type { Scripted } from "./product.ts";
import { ctrlC, ShellPlace, type ShellWindow } from "./shell-window.ts";

const require = createRequire(import.meta.url);
const everything = require.resolve("@modelcontextprotocol/server-everything/package.json");
const server = `${process.execPath} ${everything.replace("package.json", "dist/index.js")} stdio`;

function calls(tool: string, given: object = {}): Scripted {
  return { calls: [{ tool: `everything__${tool}`, arguments: given }] };
}

function childrenOf(pid: number): readonly string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
}

/** Answers the question that is shown next. */
async function answer(window: ShellWindow, question: string, line: string): Promise<void> {
  await window.until(question);
  await window.armed();
  window.enter(line);
}

const page = "https://example.com/sign-in";
const firstHalf = "check=1 firstLine=1 email=1 homepage=1";
const secondHalf =
  "untitledSingleSelectEnum=2 untitledMultipleSelectEnum=1,2 titledSingleSelectEnum=1 " +
  "titledMultipleSelectEnum=1 legacyTitledEnum=1";

verifies(
  ["BRG-1c", "INTG-5a", "INTG-5e", "SEL-6b"],
  "a real server in the shell: connected by typing, its tools called, what it asks answered, a long call stopped",
  async () => {
    const place = new ShellPlace([
      calls("echo", { message: "hello" }),
      { text: "It says hello." },
      calls("trigger-elicitation-request"),
      { text: "It knows you." },
      calls("trigger-url-elicitation", { url: page }),
      { text: "It is open." },
      calls("trigger-long-running-operation", { duration: 60, steps: 600 }),
      { text: "Never said." },
    ]);
    const window = place.window();
    await window.idle();

    window.enter(`/mcp connect everything ${server}`);
    await answer(window, "Should the tools of everything be used?", "2");
    await window.until(/everything is connected: \d+ tools \(\d+ of them without being asked about\), 4 prompts/);
    await window.idle();

    // It claims to only read, and the person trusts that.
    window.enter("echo hello");
    await window.until("● It says hello.");
    expect(place.eventsOf("call.judged").at(-1)).toMatchObject({ verdict: "allow", rule: "marked-tool" });
    await window.idle();

    window.enter("let it ask me");
    await answer(window, "Approve command: everything__trigger-elicitation-request {}?", "1");
    await answer(window, "Do you answer what everything asks?", "1");
    await answer(window, "What does everything get as String?", "Ada");
    await answer(window, "What does everything get as Boolean?", firstHalf);
    await answer(window, "What does everything get as String with date format?", "2026-01-31");
    await answer(window, "What does everything get as Integer, usually 42?", "7");
    await answer(window, "- integer: 7", "1");
    await answer(window, "What does everything get as Number", "3.5");
    await answer(window, "What does everything get as Untitled Single", secondHalf);
    await answer(window, "- legacyTitledEnum:", "1");
    await window.until("● It knows you.");
    expect(place.results().at(-1)?.text).toContain("- Name: Ada");
    await window.idle();

    window.enter("let it send me somewhere");
    await answer(window, `Approve command: everything__trigger-url-elicitation {"url":"${page}"}?`, "1");
    await answer(window, "Open the page of everything at example.com?", "1");
    await window.until("● It is open.");
    await window.idle();

    window.enter("take long");
    await window.until(/[1-9]\d* of 600/);
    window.type(ctrlC);
    await window.until("Ctrl-C again kills");
    window.type(ctrlC);
    await window.idle();
    expect(place.results().at(-1)).toMatchObject({ type: "error" });
    expect(window.text()).not.toContain("Never said.");
    const [running = ""] = childrenOf(window.pid);
    expect(readFileSync(`/proc/${running}/cmdline`, "utf8")).toContain("server-everything");
    window.enter("/exit");
    expect(await window.ended).toBe(0);
    expect(existsSync(`/proc/${running}`)).toBe(false);
    const later = place.window();
    await later.until(/integrations: everything \(mcp, \d+ tools\)/);
  },
);
