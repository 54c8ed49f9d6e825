/** Dangerous commands in as many forms as people write them, a line each: judged as they are. */
import { readFileSync } from "node:fs";

export function dangerousForms(): readonly string[] {
  return ["forms-1", "forms-2"].flatMap((name) =>
    readFileSync(`${import.meta.dirname}/${name}.txt`, "utf8")
      .split("\n")
      .filter((line) => line !== ""),
  );
}
