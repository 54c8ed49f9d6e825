import { expect, test } from "vitest";
import { Lines } from "../../../src/integrations/mcp/lines.ts";

test("a line that comes byte by byte is whole, however many bytes it has", () => {
  const came: string[] = [];
  const onLine = (line: Buffer) => void came.push(line.toString());
  const lines = new Lines(10_000, onLine, () => void came.push("too long"));
  const text = Array.from({ length: 900 }, (_, index) => index).join(" ");
  for (const character of `${text}\n${"x".repeat(10_001)}\nz\n`) lines.take(Buffer.from(character));
  expect(came).toEqual([text, "too long", "z"]);
});
