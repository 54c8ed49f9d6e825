// Plays a script as a model server, to try an agent by hand: npm run model-server -- script.jsonl [--port n].
import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { openModelServer, type RecordedRequest, readServerScript } from "../src/testing.ts";
import { messageOf, suggestion } from "../src/wire/index.ts";

const usage = "npm run model-server -- script.jsonl [--port n]";
const flags = { port: { type: "string" }, help: { type: "boolean" } } as const;
const { values, positionals } = parseArgs({ options: flags, allowPositionals: true, strict: false });
if (values.help) {
  process.stdout.write(`${usage}\n`);
  process.exit(0);
}
const known = Object.keys(flags);
const unknown = Object.keys(values).find((name) => !known.includes(name));
if (unknown !== undefined)
  fail(
    `--${unknown}: no such flag${suggestion(
      `--${unknown}`,
      known.map((name) => `--${name}`),
    )} (${usage})`,
  );
const [file, more] = positionals;
if (file === undefined) fail(`expected a script: ${usage}`);
if (more !== undefined) fail(`expected one script, found ${JSON.stringify(more)} behind it: ${usage}`);
if (!existsSync(file)) fail(`${file}: expected a script, found no such file`);
const script = readServerScript(readFileSync(file, "utf8"));
if (script.type === "broken") fail(`${file}:${script.line}: ${script.reason}`);
const given = values.port ?? "0";
const port = typeof given === "string" && /^\d{1,5}$/.test(given) ? Number(given) : -1;
if (port < 0 || port > 65_535) fail(`--port: expected a port, found ${given === true ? "none" : given}`);
const server = await openModelServer({ script: script.entries, port, onRequest: print }).catch((error) =>
  fail(`--port: expected one that nobody listens at, found ${port}: ${messageOf(error)}`),
);
process.stdout.write(`${server.url}\n`);

function print({ number, method, path, entry, problems }: RecordedRequest): void {
  const played = entry === null ? "" : ` entry ${entry}`;
  process.stdout.write(`${number} ${method} ${path}${played}${problems.map((problem) => `\n  ${problem}`).join("")}\n`);
}

function fail(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(2);
}
