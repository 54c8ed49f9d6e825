import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished } from "vitest";
import { openModelServer, type ScriptEntry } from "../../src/testing/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { needsTerminal, noTerminal } from "./product.ts";
import { ctrlD, ShellPlace, type ShellWindow } from "./shell-window.ts";
import { filesUnder } from "./terminal-product.ts";

const ctrlU = "\u0015";
/** With all that is written otherwise in JSON, in URLs and for shells. */
const planted = "Pl4nt&d/s3cr\"t+k'y=0123456789~abcdef";

/** The value as programs write it, each form as far as it does not depend on what stands around it. */
const forms: Readonly<Record<string, string>> = {
  plain: planted,
  json: JSON.stringify(planted).slice(1, -1),
  url: encodeURIComponent(planted),
  hex: Buffer.from(planted).toString("hex"),
  ...Object.fromEntries(
    [0, 1, 2].map((shift) => {
      const text = Buffer.from(`${" ".repeat(shift)}${planted}`).toString("base64");
      return [`base64-${shift}`, text.slice(shift === 0 ? 0 : 4, -4)];
    }),
  ),
};

function formsIn(bytes: Buffer | string): readonly string[] {
  return Object.keys(forms).filter((name) => bytes.includes(forms[name] ?? ""));
}

/** A service that tells whoever asks what they have sent. */
async function openVendor() {
  const asked: IncomingMessage[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    asked.push(request);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ ok: true, sent: request.headers, url: request.url }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return {
    ...{ asked, url: `http://127.0.0.1:${port}` },
    refuse: () => {
      status = 401;
    },
  };
}

const entry = {
  ...{ name: "acme", title: "Acme", about: "Anvils." },
  fields: [
    { key: "token", question: "What is its API token?", secret: true },
    { key: "url", question: "At which address is it?" },
  ],
  verify: { url: "{url}/check", headers: { authorization: "Bearer {token}" } },
  tools: {
    ...{ type: "http", headers: { authorization: "Bearer {token}" } },
    tools: [{ name: "anvils", description: "Finds anvils.", url: "{url}/anvils", parameters: {} }],
  },
};

/** Each writes the value in its own way; they read it where the test has put it beside Assent. */
const scripts = {
  forms: `
    echo "echo $V"
    printf %s "$V" | base64
    printf 'user:%s' "$V" | base64
    printf ':%s' "$V" | base64 -w 20
    printf '%q\\n' "$V"
    { set -x; : "$V"; set +x; }
    node -e 'const v = process.argv[1]; console.log(encodeURIComponent(v), JSON.stringify({ v }), new URLSearchParams({ v }) + "")' "$V"
    node -e 'console.error(Buffer.from(process.argv[1]).toString("hex"), JSON.stringify(JSON.stringify(process.argv[1])))' "$V"
    printf '%s' "\${V:0:9}"; sleep 0.3; printf '%s\\n' "\${V:9}"
    touch "made of $(printf %s "$V" | base64 -w 0 | tr / _)"
    env | sort`,
  long: `
    for part in 1 2 3 4 5 6 7 8 9 10; do
      yes "a line of $V, $(printf %s "$V" | base64 -w 0)" | head -c 100003
    done`,
  left: `
    { sleep 0.4; echo "late $V"; printf %s "$V" | base64; sleep 300; } &
    echo left`,
};

const run = (name: keyof typeof scripts, more: object = {}): ScriptEntry => ({
  calls: [{ tool: "terminal", arguments: { command: `. ./${name}.sh`, ...more }, id: `call_${name}` }],
});

async function open() {
  const vendor = await openVendor();
  const script: ScriptEntry[] = [
    ...[run("forms"), run("long"), run("left", { persistent: true })],
    { calls: [{ tool: "acme__anvils", arguments: {}, id: "call_anvils" }] },
    { text: "All is printed." },
  ];
  const model = await openModelServer({ script });
  onTestFinished(() => model.close());
  const place = new ShellPlace([], {
    ...{ ASSENT_MODEL: "openai-chat:m", OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: `${model.url}/v1` },
  });
  for (const name of ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"]) place.env[name] = place.file(name);
  const beside = mkdtempSync(join(tmpdir(), "assent-planted-"));
  onTestFinished(() => rmSync(beside, { recursive: true, force: true }));
  writeFileSync(join(beside, "value"), planted);
  for (const [name, text] of Object.entries(scripts)) {
    writeFileSync(place.file(`${name}.sh`), `V=$(cat ${join(beside, "value")})\n${text}\n`);
  }
  mkdirSync(join(place.home, "catalogue"), { recursive: true, mode: 0o700 });
  writeFileSync(join(place.home, "catalogue", "acme.json"), JSON.stringify(entry));
  return { vendor, script, model, place, window: place.window() };
}

async function setUp(window: ShellWindow, address: string): Promise<void> {
  await window.idle();
  window.enter("/integrations setup acme");
  const answers = [
    ["What is its API token?", planted],
    ["At which address is it?", address],
    ["Summary:", "1"],
  ] as const;
  for (const [question, answer] of answers) {
    await window.until(question);
    await window.armed();
    window.enter(answer);
  }
  await window.until("acme is set up: passed");
  await window.idle();
}

describe.skipIf(noTerminal)(`a secret that was set up${needsTerminal}`, () => {
  verifies(
    ["INTG-4b", "INTG-4d", "SESS-5h"],
    "is found in its own file and nowhere else, whatever prints it",
    async () => {
      const { vendor, script, model, place, window } = await open();
      await setUp(window, vendor.url);
      window.enter("print it in all ways");
      await window.until("All is printed.");
      await window.idle();
      // What was left running has a log of its own, which is read by its pid.
      const [left] = place.eventsOf("process.started");
      const reading = {
        tool: "process",
        arguments: { operation: "read", process: left?.process ?? "" },
        id: "call_read",
      };
      script.push({ calls: [reading] }, { text: "All is read." }, { text: `It was ${planted}.` });
      await window.until("late [secret]");
      window.enter("read what it wrote");
      await window.until("All is read.");
      await window.idle();
      const running = place.marked().map((line) => line.split(" ")[0]);
      const environments = [window.pid, ...running].map((pid) => readFileSync(`/proc/${pid}/environ`));
      window.enter("! . ./forms.sh");
      await window.until(/\/history e\d+ shows all/);
      await window.idle();
      const seen = [window.bytes, window.text()];
      // Who types it sees it; it goes no further.
      window.enter(`is ${planted} right?`);
      await window.until("It was [secret].");
      await window.idle();
      // What is run is never changed: it is refused, and the line is there to be changed.
      window.enter(`!touch ${planted}`);
      await window.until("not run, nor recorded: a value in it is one that Assent keeps hidden.");
      window.type(`${ctrlU}${ctrlD}`);
      expect(await window.ended).toBe(0);

      vendor.refuse();
      const verifying = place.start(["integrations", "verify", "acme"]);
      expect(await verifying.ended).toBe(1);

      const audits = [["audit"], ["audit", "--json"], ["audit", "why", "t2c1"], ["audit", "export"]].map((argv) => {
        const { status, stdout } = place.assent(argv);
        expect([status, stdout.length > 100]).toEqual([0, true]);
        return stdout;
      });

      const own = join(place.home, "integrations", "secrets", "acme.token");
      expect([readFileSync(own, "utf8"), statSync(own).mode & 0o777]).toEqual([planted, 0o600]);
      const files = filesUnder(place.folder).filter((file) => file !== own);
      expect(files.flatMap((file) => formsIn(readFileSync(file)).map((form) => `${form} in ${file}`))).toEqual([]);
      expect(model.requests.flatMap(({ body }) => formsIn(body))).toEqual([]);
      expect([...seen, verifying.raw, ...audits, ...environments].flatMap(formsIn)).toEqual([]);
      expect(running.length).toBeGreaterThan(0);

      // All of it was there to be found.
      const results = place.results().map(({ text }) => text);
      expect(results.map((text) => text.includes("[secret]"))).toEqual([false, true, true, false, true, true, true]);
      expect(results[1]?.split("\n").slice(0, 7)).toEqual([
        ...["echo [secret]", "[secret]", "dXNlcjp[secret]Y=", "Ol[secret]g==", "[secret]"],
        ...['[secret] {"v":"[secret]"} v=[secret]', "[secret]"],
      ]);
      expect(files.some((file) => /output\/.*\.stdout\.txt$/.test(file) && statSync(file).size > 200_000)).toBe(true);
      expect(vendor.asked.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill(`Bearer ${planted}`));
      expect(verifying.output).toContain("acme  failed  401");
    },
  );
});
