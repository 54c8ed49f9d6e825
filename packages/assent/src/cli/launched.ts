import { exitCodes } from "../adapters/headless/index.ts";
import type { Surrounded } from "./around.ts";
import { type Followed, followExchange } from "./follow.ts";
import { stderr } from "./output.ts";

/**
 * Follows an exchange, then what the model has prepared in it (HAND-3). What did not go well in either says so by the exit
 * code. How lines are entered is loaded only where there is one.
 */
export async function followAll(assent: Surrounded, followed: Followed): Promise<number> {
  const { host } = assent;
  const { session, given } = followed;
  const code = await followExchange(host, followed);
  const isLeft = code >= 128 || code === exitCodes.parked;
  if (isLeft || host.view(session).launches.length === 0) return code;
  const { doLaunched, enteringFor, worse } = await import("./lined.ts");
  // What goes to stdout is the result, or events.
  const tell = (text: string) => void stderr.write(text);
  return worse(code, await doLaunched({ session, given, entering: enteringFor(assent, "run"), tell }));
}
