import type { Hands, Plan } from "../../runtime/ports.ts";
import { readArguments } from "../../wire/index.ts";
import { writeSchema } from "./arguments.ts";
import { planChange, runChange } from "./change.ts";
import { mostWhole } from "./content.ts";

export const writeHands: Hands = {
  plan(given, place): Plan {
    const read = readArguments(writeSchema, given);
    if (read.type === "invalid") return { tool: "write_file", cwd: place.cwd, fails: read.reason };
    const { path, content } = read.value;
    const make = (_current: unknown, { name }: { readonly name: string }) => {
      const size = Buffer.byteLength(content);
      if (size <= mostWhole) return { type: "made", content, done: `wrote ${name} (${sayLines(content)})` } as const;
      const text = `cannot write ${name}: expected at most ${mostWhole} bytes, came ${size}`;
      return { type: "trouble", text } as const;
    };
    return planChange({ tool: "write_file", path, make }, place);
  },
  run: runChange,
};

function sayLines(content: string): string {
  const count = content.split("\n").length - (content.endsWith("\n") || content === "" ? 1 : 0);
  return count === 1 ? "1 line" : `${count} lines`;
}
