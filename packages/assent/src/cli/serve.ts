import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import {
  isLoopback,
  type Listening,
  namesOf,
  openServer,
  type Serving,
  Tickets,
  urlOf,
} from "../adapters/http/index.ts";
import type { Session } from "../core/index.ts";
import { type ChainBreak, type Dispatch, type HoldOptions, openDispatch, systemClock } from "../runtime/index.ts";
import { openSignIns } from "../runtime/sign-ins.ts";
import { openTokens, type Tokens } from "../runtime/tokens.ts";
import { describeBreaks, failureFor } from "../show/index.ts";
import { messageOf } from "../wire/index.ts";
import { openSurrounded, type Surrounded } from "./around.ts";
import { type Given, readFlags, UsageError } from "./flags.ts";
import { waysOf } from "./follow.ts";
import { refuseInsideRun } from "./inside.ts";
import { stderr } from "./output.ts";
import { loadPage } from "./page.ts";
import { clientFile, signInFile, tokenFolder } from "./places.ts";
import { readClientFile, tellServed } from "./served.ts";
import { beginning, launching, modelsOf } from "./serving.ts";
import { serveSpec } from "./specs/serving.ts";
import { startModel } from "./starting.ts";

const defaultAddress = "127.0.0.1";
const defaultPort = 4815;
/** So long what runs may take to come to its end when the server is told to end. */
const patienceMs = 5_000;

/** `assent serve`: all sessions over HTTP, until it is told to end (SRV-1). */
export async function serve(argv: readonly string[], root: string): Promise<number> {
  const given = readFlags(argv, serveSpec);
  const refused = refuseInsideRun("serve sessions");
  if (refused !== null) return refused;
  const wanted = listeningOf(given);
  const origins = originsOf(given.text("origin"));
  const assent = openSurrounded(waysOf(given));
  try {
    const model = await startModel(assent, given.text("model"), null);
    say(
      "name" in model
        ? `the model is ${model.name}`
        : `no model yet${model.problem && ` (${model.problem})`}: sessions name theirs`,
    );
    const byFlag = given.has("model") ? assent.around.model.name() : null;
    return await run(assent, { wanted, origins, root, byFlag });
  } finally {
    await assent.host.close();
  }
}

type Running = {
  readonly wanted: Listening;
  readonly origins: readonly URL[];
  readonly root: string;
  readonly byFlag: string | null;
};

async function run(assent: Surrounded, { wanted, origins, root, byFlag }: Running): Promise<number> {
  const tokens = openTokens(tokenFolder());
  const tickets = new Tickets();
  // Nothing is taken up, and no token made, before it is known that this can serve.
  let dispatch: Dispatch | null = null;
  let own: string | null = null;
  const parts = { ...partsOf(assent, root), tokens, held: () => dispatch?.held() ?? 0 };
  const server = await openServer(wanted, (listening) => ({
    ...parts,
    names: namesOf(listening, origins),
    cookie: `assent_${listening.type === "port" ? listening.port : "socket"}`,
    redeem: (ticket) => (tickets.take(ticket) ? own : null),
  })).catch((error: unknown) => {
    throw cannotListen(wanted, error);
  });
  own = ownToken(tokens);
  dispatch = dispatched(assent, byFlag);
  const url = urlOf(server.listening);
  const socket = server.listening.type === "socket" ? { socket: server.listening.path } : {};
  const leave = tellServed({ url, ...socket, pid: process.pid }, own);
  greet(server.listening, { url: origins[0]?.origin ?? url, ticket: tickets.make() });
  await ended();
  say("ending: nothing is cancelled, and what runs has a moment to come to its end");
  await server.close();
  await dispatch.close(patienceMs);
  leave();
  return 0;
}

function partsOf(assent: Surrounded, root: string) {
  const { host, grants } = assent;
  return {
    ...{ host, grants, clock: systemClock, signIns: openSignIns(signInFile()) },
    ...{ page: loadPage(root), documents: documentsOf(root), begin: beginning(assent) },
    onError: (error: unknown) =>
      say(`a request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
  };
}

function dispatched(assent: Surrounded, byFlag: string | null): Dispatch {
  const models = modelsOf(byFlag);
  return openDispatch({
    ...{ host: assent.host, clock: systemClock },
    options: (session) => holding(session, models),
    onTakenUp: (session) => say(`session ${session} goes on`),
    onRest: launching(assent),
    onFailure: (session, error) => say(`session ${session}: ${failureFor(error)}`),
  });
}

/** A question that the server asks is there for everybody who can reach it, now or later: nobody need be waiting. */
function holding(session: Session, models: ReturnType<typeof modelsOf>): HoldOptions {
  const provider = session.model === null ? null : models(session.model);
  const onBreaks = (breaks: readonly ChainBreak[]) => say(describeBreaks(session.id, breaks));
  return { unattended: () => null, attended: () => true, onBreaks, ...(provider === null ? {} : { provider }) };
}

/** The token of this person's own programs: made when there is none that counts (SRV-1). */
function ownToken(tokens: Tokens): string {
  const known = readClientFile()?.token ?? null;
  if (known !== null && tokens.bearer(known) !== null) return known;
  const names = new Set(tokens.list().map(({ name }) => name));
  const name = ["owner", ...Array.from({ length: 1_000 }, (_, index) => `owner ${index + 2}`)].find(
    (each) => !names.has(each),
  );
  return tokens.create({ name: name ?? "owner", role: "admin" }).token;
}

function documentsOf(root: string): Serving["documents"] {
  const document = (name: string) => () => readFileSync(join(root, "schema", name), "utf8");
  return { schema: document("interaction.json"), openapi: document("openapi.json") };
}

function listeningOf(given: Given): Listening {
  const path = given.text("socket");
  if (path === "") throw new UsageError("--socket needs a value");
  if (path !== undefined && !existsSync(dirname(resolve(path)))) {
    throw new UsageError(`--socket: there is no folder ${dirname(resolve(path))}`);
  }
  if (path !== undefined && statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`--socket: expected the path of a socket, found the folder ${resolve(path)}`);
  }
  const listen = given.text("listen");
  if (path !== undefined && listen !== undefined) throw new UsageError("--listen and --socket exclude each other");
  if (path !== undefined) return { type: "socket", path: resolve(path) };
  if (listen === undefined) return { type: "port", address: defaultAddress, port: defaultPort };
  const [, address = defaultAddress, port = ""] = /^(?:(.+):)?(\d{1,5})$/.exec(listen) ?? [];
  if (port === "" || Number(port) > 65_535) {
    throw new UsageError(`--listen: expected <port> or <address>:<port>, found ${JSON.stringify(listen)}`);
  }
  return { type: "port", address: address.replace(/^\[(.*)\]$/, "$1"), port: Number(port) };
}

function originsOf(given: string | undefined): readonly URL[] {
  if (given === undefined) return [];
  return given.split(",").map((each) => {
    const url = URL.parse(each.trim());
    if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== "/" || url.search + url.hash !== "") {
      throw new UsageError(
        `--origin: expected an address such as https://assent.example, found ${JSON.stringify(each)}`,
      );
    }
    return url;
  });
}

function greet(listening: Listening, { url, ticket }: { readonly url: string; readonly ticket: string }): void {
  if (listening.type === "socket") say(`listening at ${listening.path}`);
  else {
    say(`listening on ${urlOf(listening)}`);
    say(`the page, signed in once within ten minutes: ${url}/#ticket=${ticket}`);
    if (!isLoopback(listening.address))
      say("others can reach this, and nothing is encrypted: put something in front of it that does");
  }
  say(`programs of yours find the address and a token in ${clientFile()}; assent token create makes one for others`);
}

function cannotListen(wanted: Listening, error: unknown): UsageError {
  const where = wanted.type === "socket" ? wanted.path : `${wanted.address}:${wanted.port}`;
  const code = error instanceof Error && "code" in error ? error.code : "";
  const more = code === "EADDRINUSE" ? "; something listens there already, --listen names another place" : "";
  return new UsageError(`cannot listen at ${where}: ${messageOf(error)}${more}`);
}

/** Until somebody says so; who says it twice does not want to wait. */
function ended(): Promise<void> {
  return new Promise((resolve) => {
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
    const onSignal = (signal: NodeJS.Signals) => {
      resolve();
      for (const each of signals) process.off(each, onSignal);
      process.on(signal, () => process.exit(1));
    };
    for (const each of signals) process.on(each, onSignal);
  });
}

function say(text: string): void {
  stderr.write(`assent: ${text}\n`);
}
