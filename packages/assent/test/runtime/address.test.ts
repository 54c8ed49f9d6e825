import { expect } from "vitest";
import type { Provider, SessionHost } from "../../src/runtime/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { acting, Bench, prompt } from "./bench.ts";

/** A model that notes what the session knew of its address when it was asked. */
function modelAt(address: unknown, noted: string[], host: () => SessionHost): Provider {
  const answer = { type: "replied", text: "Yes.", calls: [], usage: { input: 1, output: 1, cached: 0 } } as const;
  const provider: Provider = {
    async ask() {
      noted.push(host().view("s").addresses.join(" "));
      return answer;
    },
  };
  // As a program without types would give it.
  return Object.assign(provider, { address });
}

/** One prompt with a model at that address, in a process of its own. */
async function asked(bench: Bench, pid: number, address: unknown): Promise<readonly string[]> {
  const noted: string[] = [];
  const host: SessionHost = bench.process(pid, { provider: modelAt(address, noted, () => host) });
  if (pid === 1) host.create({ cwd: "/project", limits: {} });
  host.hold("s");
  host.submit("s", prompt());
  await bench.pass(1_000);
  await host.close();
  bench.alive.delete(pid);
  return noted;
}

verifies(
  "CLI-5g",
  "an address is recorded before it is sent anything, without its path, its user and its query",
  async () => {
    const bench = new Bench();
    const first = { origin: "https://ada:pass@one.example:8443/deployments/7?key=k", named: false };
    expect(await asked(bench, 1, first)).toEqual(["https://one.example:8443"]);
    expect(await asked(bench, 2, { origin: "https://other.example", named: true })).toEqual([
      "https://one.example:8443 https://other.example",
    ]);
    const recorded = JSON.stringify(bench.process(9).events("s", { after: 0, most: 100 }));
    for (const secret of ["ada:", "pass", "deployments", "key=k"]) expect(recorded).not.toContain(secret);
  },
);

verifies("CLI-5h", "a model at an address that nobody named is not asked", async () => {
  const bench = new Bench();
  expect(await asked(bench, 1, { origin: "https://one.example", named: false })).toHaveLength(1);
  expect(await asked(bench, 2, { origin: "https://other.example", named: false })).toEqual([]);
  expect(await asked(bench, 3, { origin: "https://one.example", named: false })).toHaveLength(1);
});

verifies(
  "CLI-5h",
  "a model at an address that nobody named is not asked either where another process stops it just then",
  async () => {
    const bench = new Bench();
    await asked(bench, 1, { origin: "https://one.example", named: false });
    const noted: string[] = [];
    const other = bench.process(3);
    const host: SessionHost = bench.process(2, {
      provider: modelAt({ origin: "https://other.example", named: false }, noted, () => host),
      context: () => {
        other.submit("s", { type: "stop", mode: "graceful", ...acting });
        return "";
      },
    });
    host.hold("s");
    host.submit("s", prompt());
    await bench.pass(1_000);
    expect({ noted, addresses: host.view("s").addresses }).toEqual({ noted: [], addresses: ["https://one.example"] });
    expect(host.view("s").lastEnding).toMatchObject({ outcome: "stopped" });
  },
);

verifies("CLI-5g", "a model that has no address, or none that is one, is asked as ever", async () => {
  for (const address of [undefined, null, "https://one.example", { origin: 7 }, { origin: "nowhere" }]) {
    expect(await asked(new Bench(), 1, address)).toEqual([""]);
  }
});
