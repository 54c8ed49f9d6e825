// What is left of a command that has left its session (setsid) when its agent is interrupted: one line a run in results.jsonl.
import { appendFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";

const [harness = "", ...wanted] = process.argv.slice(2);
const from = (path: string) => import(resolve(harness, path));
const { run } = await from("lib/runner.mjs");
const scenario = {
  ...{ name: "interrupt-setsid", capMs: 75_000, interrupt: "group" },
  script: (mark: string) => [{ sh: `setsid -w bash -c "echo start; sleep 60.${mark}; true"` }, { text: "done" }],
};
for (const file of readdirSync(resolve(harness, "peers"))) {
  const { default: peer } = await from(`peers/${file}`);
  if (peer.kind === "framework" || (wanted.length > 0 && !wanted.includes(peer.name))) continue;
  const result = await run(peer, scenario);
  appendFileSync(join(String(process.env["BENCH_OUT"]), "results.jsonl"), `${JSON.stringify(result)}\n`);
  const { peerGoneMs, left } = result.interrupt ?? {};
  process.stdout.write(`${scenario.name} ${peer.name}: gone after ${Math.round(peerGoneMs)} ms, left: ${left}\n`);
}
process.exit(0);
