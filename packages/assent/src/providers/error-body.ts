import { type Loose, looseList, looseRecord, looseText, parseJson } from "../wire/index.ts";
import type { ServerError } from "./format.ts";

/** What an answer that is no stream says went wrong, in whichever shape; its own words where it has no shape. */
export function readErrorBody(status: number, body: string): ServerError {
  return errorInBody(status, body) ?? { status, code: "", message: plainText(body) };
}

/** `null` where the text is not JSON with an error in it. */
export function errorInBody(status: number, body: string): ServerError | null {
  const parsed = parseJson(body);
  if (parsed.type === "broken") return null;
  const [only] = looseList(parsed.value);
  const whole = looseRecord(only ?? parsed.value);
  const { error, detail } = whole;
  if (typeof error === "string")
    return { status: statusOf(status, whole), code: looseText(whole["code"]), message: error };
  const inner = looseRecord(error);
  if (Object.keys(inner).length > 0) return fromRecord(status, inner);
  if (detail !== undefined) return { status: statusOf(status, whole), code: "", message: detailText(detail) };
  return status >= 400 || whole["object"] === "error" ? fromRecord(status, whole) : null;
}

function fromRecord(status: number, error: Loose): ServerError {
  const code = [error["code"], error["type"], error["status"]].map(looseText).find((each) => each !== "") ?? "";
  const message = looseText(error["message"]) || (Object.keys(error).length === 0 ? "" : JSON.stringify(error));
  // A service that passes on to others has the other's own words one level deeper.
  const raw = looseText(looseRecord(error["metadata"])["raw"]);
  return { status: statusOf(status, error), code, message: raw === "" ? message : `${message}: ${raw}` };
}

/** An answer that says 200 may name the real status inside; where it does not, there is none. */
function statusOf(status: number, error: Loose): number | null {
  if (status >= 400) return status;
  const inner = [error["code"], error["status"]].find((each) => typeof each === "number" && each >= 400 && each < 600);
  return typeof inner === "number" ? inner : null;
}

function detailText(detail: unknown): string {
  return looseText(detail) || JSON.stringify(detail) || "";
}

/** A page for people says it in its title. */
function plainText(body: string): string {
  const title = /<title[^>]{0,200}>([^<]{1,300})</i.exec(body)?.[1];
  return title ?? body.replace(/<[^>]{0,1000}>/g, " ").trim();
}
