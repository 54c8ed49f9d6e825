// An own surface in thirty lines: starts a server with a scripted model, begins a session, and answers whatever it asks, as a
// bot in a chat would. Ends with an error when the story does not end as expected.
import assert from "node:assert";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { apiClient } from "assent/client";

const folder = mkdtempSync(join(tmpdir(), "assent-example-"));
const script = join(folder, "script.jsonl");
const removes = { tool: "terminal", arguments: { command: "rm -rf build" } };
writeFileSync(script, `${JSON.stringify({ calls: [removes] })}\n${JSON.stringify({ text: "I left it alone." })}\n`);

const env = { ...process.env, ASSENT_HOME: join(folder, "home"), ASSENT_MODEL: `scripted:${script}` };
const manifest = createRequire(import.meta.url).resolve("assent/package.json");
const assent = join(dirname(manifest), "bin", "assent.cjs");
const server = spawn(process.execPath, [assent, "serve", "--listen", "0"], {
  cwd: folder,
  env,
  stdio: ["ignore", "ignore", "pipe"],
});
try {
  for await (const line of server.stderr) if (String(line).includes("programs of yours")) break;
  const { url, token } = JSON.parse(readFileSync(join(folder, "home", "client.json"), "utf8"));
  const client = apiClient({ url, token });

  const begun = await client.create({ prompt: "clean the build" });
  assert(begun.type === "ok");
  for await (const watched of client.watch(begun.value.session)) {
    if (watched.type !== "event") continue;
    const { event } = watched;
    if (event.type === "interaction.requested") {
      process.stdout.write(`${event.request.question}\n`);
      const answered = await client.respond(event.request.interaction_id, { free_text: "not while I am away" });
      assert(answered.type === "ok");
    }
    if (event.type === "exchange.ended") {
      process.stdout.write(`${event.text}\n`);
      assert.equal(event.text, "I left it alone.");
      break;
    }
  }
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
