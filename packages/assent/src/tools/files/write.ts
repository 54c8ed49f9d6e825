import * as v from "valibot";
import type { Plan, Tool } from "../../runtime/ports.ts";
import { readArguments } from "../../wire/index.ts";
import { planChange, runChange } from "./change.ts";
import { mostWhole } from "./content.ts";
import { pathSchema } from "./paths.ts";
import { textSchema } from "./text.ts";

const schema = v.strictObject({ path: pathSchema, content: textSchema });

/** Writes a whole file. */
export const writeFile: Tool = {
  name: "write_file",
  description:
    "Write a whole file, new or in place of the old one; folders on the way are made. content is exactly what will be " +
    "in it. Prefer edit_file to change a part of a file.",
  read(given) {
    const read = readArguments(schema, given);
    return read.type === "read" ? { type: "tool", parallel: false } : read;
  },
  hands: {
    plan(given, place): Plan {
      const read = readArguments(schema, given);
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
  },
};

function sayLines(content: string): string {
  const count = content.split("\n").length - (content.endsWith("\n") || content === "" ? 1 : 0);
  return count === 1 ? "1 line" : `${count} lines`;
}
