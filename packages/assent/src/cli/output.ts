import { openSink } from "../adapters/headless/index.ts";

/** Where commands say what they have to say: on a terminal nothing in it is obeyed. */
export const stdout = openSink(process.stdout);
export const stderr = openSink(process.stderr);
