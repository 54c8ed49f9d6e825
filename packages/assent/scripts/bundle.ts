// How the command is bundled, for the build and for the tests that try what is built.
import type { BuildOptions } from "esbuild";

/**
 * The first finds its native file by its own place. The second is a third as much code as all the rest, and is loaded when an
 * outside server is first connected to: inside, it cost every start 5 ms to be skipped over.
 */
const leftOut = ["@lydell/node-pty", "@modelcontextprotocol/client"];

/**
 * The whole command as one CommonJS file. What the source imports only when needed is in it too, and is run only when needed:
 * measured, one file costs a start less than the several that it would take otherwise, and CommonJS less than modules.
 */
export const command = {
  entryPoints: { cli: "src/cli/main.ts" },
  outExtension: { ".js": ".cjs" },
  bundle: true,
  format: "cjs",
  platform: "node",
  target: "node24",
  external: leftOut,
  // It is compiled as a script (bin/program.cjs), which has nothing that could import; what is imported when needed is required then.
  supported: { "dynamic-import": false },
} satisfies BuildOptions;

/**
 * The command is as small as it can be, and in ASCII, of which Node keeps a byte for a character: every command that is started
 * costs the time to copy what this process has for itself (ADR 19).
 */
export const smallest = {
  minify: true,
  legalComments: "none",
  charset: "ascii",
} satisfies BuildOptions;

/**
 * What `smallest` leaves as it is: patterns, and texts by `String.raw`, which are all patterns. There an escape means the same, but
 * not behind a backslash, which would take that of the escape for itself: so the build fails on one, also on one that is itself escaped.
 */
export function inAscii(bundle: string): string {
  const [escaped] = /.{0,40}\\[^\0-\x7f].{0,40}/.exec(bundle) ?? [];
  if (escaped !== undefined)
    throw new Error(`expected no character beyond ASCII right behind a backslash, came: ${escaped}`);
  return bundle.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The library in few files, of which most are loaded when they are needed: a program loads it in a third of the time. */
export const library = {
  entryPoints: { index: "src/index.ts", client: "src/client.ts", testing: "src/testing.ts" },
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node24",
  external: leftOut,
} satisfies BuildOptions;
