// Plays a script as a model server, to try an agent by hand: npm run model-server -- script.jsonl [--port n].
import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { openModelServer, type RecordedRequest, readServerScript } from "../src/testing.ts";

const usage = "npm run model-server -- script.jsonl [--port n]";
const { values, positionals } = parseArgs({
  options: { port: { type: "string" } },
  allowPositionals: true,
  strict: false,
});
const [file] = positionals;
if (file === undefined || "help" in values) fail(`expected a script: ${usage}`);
if (!existsSync(file)) fail(`${file}: expected a script, found no such file`);
const script = readServerScript(readFileSync(file, "utf8"));
if (script.type === "broken") fail(`${file}:${script.line}: ${script.reason}`);
const port = Number(values.port ?? 0);
if (!Number.isInteger(port) || port < 0 || port > 65_535) fail(`--port: expected a port, found ${values.port}`);
const server = await openModelServer({ script: script.entries, port, onRequest: print });
process.stdout.write(`${server.url}\n`);

function print({ number, method, path, entry, problems }: RecordedRequest): void {
  const given = entry === null ? "" : ` entry ${entry}`;
  process.stdout.write(`${number} ${method} ${path}${given}${problems.map((problem) => `\n  ${problem}`).join("")}\n`);
}

function fail(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(2);
}
