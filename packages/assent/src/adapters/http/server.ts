import { chmodSync, rmSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { openApp, type Serving } from "./app.ts";
import type { Names } from "./guard.ts";

/** Where a server listens: a port of an address, or a socket of the file system. */
export type Listening =
  | { readonly type: "port"; readonly address: string; readonly port: number }
  | { readonly type: "socket"; readonly path: string };

export type ListeningAt = { readonly listening: Listening; readonly close: () => Promise<void> };

/** As slow as an honest sender on a bad line may be. */
const headersMs = 10_000;
const requestMs = 20_000;
const checkingMs = 1_000;
const keepAliveMs = 5_000;
const mostHeaderBytes = 16 * 1024;
/** More than that is no crowd of people: they are turned away before they cost anything. */
const mostConnections = 4_096;
/** How long who is being answered has to take it when the server goes. */
const mostClosingMs = 1_000;

/**
 * Opens the server. What it serves is made when it is known where that is, since its names follow from that. Fails with what
 * the system says, such as `EADDRINUSE`.
 */
export async function openServer(wanted: Listening, serve: (listening: Listening) => Serving): Promise<ListeningAt> {
  let listener: ReturnType<typeof getRequestListener> | null = null;
  const server = createServer(
    {
      ...{ headersTimeout: headersMs, requestTimeout: requestMs, keepAliveTimeout: keepAliveMs },
      ...{ maxHeaderSize: mostHeaderBytes, connectionsCheckingInterval: checkingMs },
    },
    (incoming, outgoing) => void listener?.(incoming, outgoing),
  );
  server.maxConnections = mostConnections;
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  const listening = await listen(server, wanted);
  const serving = serve(listening);
  const { app, streams } = openApp(serving);
  // Everything that fails is an answer by now; what is left is a connection that broke.
  listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  return {
    listening,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      streams.endAll();
      server.closeIdleConnections();
      const late = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, mostClosingMs);
      await closed;
      clearTimeout(late);
    },
  };
}

async function listen(server: Server, wanted: Listening): Promise<Listening> {
  if (wanted.type === "socket") {
    await removeDead(wanted.path);
    // Nobody else may connect, also not between the two.
    const mask = process.umask(0o177);
    try {
      await bound(server, () => server.listen(wanted.path));
    } finally {
      process.umask(mask);
    }
    chmodSync(wanted.path, 0o600);
    return wanted;
  }
  await bound(server, () => server.listen(wanted.port, wanted.address));
  const address = server.address();
  return { ...wanted, port: typeof address === "object" && address !== null ? address.port : wanted.port };
}

function bound(server: Server, begin: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("listening", () => {
      server.off("error", reject);
      resolve();
    });
    begin();
  });
}

/** A socket that a killed server left behind is in the way; one that somebody listens at is not touched. */
function removeDead(path: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve();
    });
    socket.once("error", (error) => {
      // Of a plain file the system says the same.
      const isDead = "code" in error && error.code === "ECONNREFUSED" && statSync(path).isSocket();
      if (isDead) rmSync(path, { force: true });
      resolve();
    });
  });
}

/** The names by which a server is spoken to, with those that somebody in front of it has. */
export function namesOf(listening: Listening, origins: readonly URL[]): Names {
  const own = listening.type === "socket" ? ["localhost"] : ownHosts(listening);
  return {
    hosts: new Set([...own, ...origins.map(({ host }) => host.toLowerCase())]),
    origins: new Set([...own.map((host) => `http://${host}`), ...origins.map(({ origin }) => origin.toLowerCase())]),
  };
}

function ownHosts({ address, port }: Extract<Listening, { type: "port" }>): readonly string[] {
  const own = hostOf(address);
  const names = isLoopback(address) ? ["localhost", "127.0.0.1", "[::1]", own] : [own];
  // A browser leaves out the port that it would take anyway.
  return [...new Set(names)].flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]));
}

/** Where a server is, for programs on the same machine. */
export function urlOf(listening: Listening): string {
  if (listening.type === "socket") return "http://localhost";
  return `http://${hostOf(listening.address)}:${listening.port}`;
}

/** An address as it stands in a URL. */
function hostOf(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}

export function isLoopback(address: string): boolean {
  return address === "localhost" || address === "::1" || /^127(\.\d{1,3}){3}$/.test(address);
}
