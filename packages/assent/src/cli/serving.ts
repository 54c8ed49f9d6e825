import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Serving } from "../adapters/http/index.ts";
import { enterLine } from "../adapters/shell/index.ts";
import type { Limits } from "../core/index.ts";
import type { Provider } from "../runtime/index.ts";
import { messageOf } from "../wire/index.ts";
import type { Surrounded } from "./around.ts";
import { UsageError } from "./flags.ts";
import { enteringFor } from "./lined.ts";
import { wholeName } from "./model.ts";
import { openModel, person } from "./open.ts";
import { stderr } from "./output.ts";

/** The models that sessions name, each opened once; `byFlag` is the one that the command line names. One that cannot be used says why as its answer. */
export function modelsOf(byFlag: string | null): (name: string) => Provider {
  const opened = new Map<string, Provider>();
  return (name) => {
    try {
      const known = opened.get(name) ?? openModel(name, name === byFlag);
      opened.set(name, known);
      return known;
    } catch (error) {
      return telling(error);
    }
  };
}

function telling(error: unknown): Provider {
  if (!(error instanceof UsageError)) throw error;
  const failure = { class: "no-model", detail: error.message, remedy: "name another model", partial: "" };
  return { ask: async () => ({ type: "failed", failure }) };
}

/** Makes a session as a request wants it: in a folder that there is, with a model that can be used. */
export function beginning({ host, around }: Surrounded): Serving["begin"] {
  const here = process.cwd();
  return async ({ cwd = here, model, limits = {} }) => {
    if (!isAbsolute(cwd) || statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
      return { status: 400, detail: "cwd: expected the absolute path of a folder that exists" };
    }
    const used = modelNamed(model) ?? around.model.name();
    if (typeof used === "object" && used !== null) return { status: 400, detail: used.problem };
    const given: Partial<Limits> = limits;
    const created = host.create({ cwd, limits: given, ...(used === null ? {} : { model: used }) });
    return "session" in created ? created : { status: 400, detail: created.refusal.detail };
  };
}

function modelNamed(name: string | undefined): string | { readonly problem: string } | null {
  if (name === undefined || name.trim() === "") return null;
  try {
    return wholeName({ name, by: "model" });
  } catch (error) {
    if (error instanceof UsageError) return { problem: error.message };
    throw error;
  }
}

/** What the model has prepared begins when its exchange has ended: there is no line in which it could wait (HAND-3). */
export function launching(assent: Surrounded): (session: string) => void {
  const { host } = assent;
  return (session) => {
    const [launch] = host.view(session).launches;
    if (launch === undefined) return;
    const by = person("serve");
    const { refusal } = host.submit(session, { type: "launch", call: launch.call, by, authority: "act" });
    if (refusal !== null) return;
    enterLine(launch.command, { session, open: null }, enteringFor(assent, "serve")).catch((error: unknown) =>
      stderr.write(`assent: session ${session}: ${messageOf(error)}\n`),
    );
  };
}
