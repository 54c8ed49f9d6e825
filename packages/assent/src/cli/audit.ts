import manifest from "../../package.json" with { type: "json" };
import { exitCodes } from "../adapters/headless/index.ts";
import {
  type AuditFileCheck,
  auditLines,
  type ChainCheck,
  checkAuditFile,
  describeDamage,
  type SessionHost,
} from "../runtime/index.ts";
import { chainLines, chainMark } from "../show/index.ts";
import { auditTable, callNamed, whyLines } from "../slash/index.ts";
import { readHeads } from "../wire/index.ts";
import { readBytes, readText, writeNew } from "./files.ts";
import { readFlags, suggestion, UsageError } from "./flags.ts";
import { allEvents, findSession, newestHere, openAssent } from "./open.ts";
import { stderr, stdout } from "./output.ts";
import { auditSpec } from "./specs/audit.ts";

/** `assent audit`: the calls of a session with who or what decided on them; or `why`, `verify` and `export` (SESS-5). */
export async function audit(argv: readonly string[]): Promise<number> {
  const [part, ...rest] = argv;
  if (part === "verify") return verify(rest);
  const { host } = openAssent();
  try {
    if (part === "why") return why(host, rest);
    if (part === "export") return exportAudit(host, rest);
    return list(host, argv);
  } finally {
    await host.close();
  }
}

function list(host: SessionHost, argv: readonly string[]): number {
  const given = readFlags(argv, auditSpec);
  const session = sessionMeant(host, given.arguments[0]);
  const records = host.audit(session);
  if (given.has("json")) for (const record of records) stdout.write(`${JSON.stringify(record)}\n`);
  else if (records.length > 0) stdout.write(`${auditTable(records).join("\n")}\n`);
  else stderr.write(`assent: no call was made in session ${session}\n`);
  return tellChain(host, session, { check: host.verify(session)[0], quiet: given.has("json") });
}

function why(host: SessionHost, argv: readonly string[]): number {
  const given = readFlags(argv, auditSpec.parts.why);
  const [typed = ""] = given.arguments;
  // As the run marker of a call says it.
  const [, named, inner] = /^(.+)\/([^/]+)$/.exec(typed) ?? [];
  if (named !== undefined && given.has("session")) throw new UsageError(`${typed} names a session already`);
  const session = sessionMeant(host, given.text("session") ?? named);
  const found = callNamed(host.audit(session), inner ?? typed);
  if ("problem" in found) throw new UsageError(`session ${session}: ${found.problem}`);
  const events = allEvents(host, session);
  const own = events.filter(({ seq }) => found.events.includes(seq)).map(({ seq, event }) => ({ seq, ...event }));
  const [check] = host.verify(session);
  const told = given.has("json")
    ? JSON.stringify({ session, ...found, events: own, check })
    : whyLines(session, found, { events, check }).join("\n");
  stdout.write(`${told}\n`);
  return tellChain(host, session, { check, quiet: given.has("json") });
}

function exportAudit(host: SessionHost, argv: readonly string[]): number {
  const given = readFlags(argv, auditSpec.parts.export);
  const output = given.text("output");
  const session = sessionMeant(host, given.arguments[0]);
  const exported = exportedAudit(host, session);
  if (exported === null) throw new UsageError(`session ${session} has no events`);
  const text = exported.lines.map((line) => `${line}\n`).join("");
  if (output === undefined) stdout.write(text);
  else writeNew("--output", output, text);
  const { head, records } = checkAuditFile(Buffer.from(text));
  const which = output === undefined ? "" : `${output}: `;
  stderr.write(`assent: ${which}${records} records; head of the export sha256:${head}\n`);
  return tellChain(host, session, { check: exported.check, named: "the journal" });
}

type Exported = { readonly check: ChainCheck; readonly lines: readonly string[] };

/** What a live session records meanwhile is in none of its parts: the head stands for all that is listed. */
export function exportedAudit(host: Pick<SessionHost, "audit" | "verify" | "view">, session: string): Exported | null {
  const [check] = host.verify(session);
  if (check === undefined) return null;
  const { cwd } = host.view(session);
  const records = host.audit(session, check.events);
  return { check, lines: auditLines({ session, cwd, version: manifest.version, at: Date.now(), records, check }) };
}

async function verify(argv: readonly string[]): Promise<number> {
  const { typed, file, head, heads, json } = verifying(argv);
  if (file !== undefined) return verifyFile(file, { head, json });
  const { host } = openAssent();
  try {
    return heads === undefined ? verifyStore(host, { typed, head, json }) : verifyHeads(host, heads, json);
  } finally {
    await host.close();
  }
}

function verifying(argv: readonly string[]) {
  const given = readFlags(argv, auditSpec.parts.verify);
  const [typed] = given.arguments;
  const [file, head, heads] = [given.text("file"), headGiven(given.text("head")), given.text("kept")];
  if (file !== undefined && typed !== undefined) throw new UsageError("--file and a session exclude each other");
  if (heads !== undefined && (file ?? typed ?? head) !== undefined) {
    throw new UsageError(
      "--kept names the sessions and their heads: expected neither a session nor --head or --file with it",
    );
  }
  return { typed, file, head, heads, json: given.has("json") };
}

type VerifyingStore = Omit<ReturnType<typeof verifying>, "file" | "heads">;

function verifyStore(host: SessionHost, { typed, head, json }: VerifyingStore): number {
  const session = typed === undefined ? null : findSession(host, typed).session;
  const checks = host.verify(session, head);
  for (const check of checks) stdout.write(json ? `${JSON.stringify(check)}\n` : `${toldCheck(check)}\n`);
  if (checks.length === 0 && !json) stderr.write("assent: no sessions yet\n");
  const found = checks.flatMap(({ session: id, found: seq }) =>
    seq === null ? [] : [`event ${seq} of session ${id}`],
  );
  const isKept = tellHead(head, found[0]);
  return isKept && checks.every(({ breaks }) => breaks.length === 0) ? exitCodes.done : exitCodes.failed;
}

/** Each session of a file that `verify --json` made earlier: whether all up to the head that it had then is still as it was. */
function verifyHeads(host: SessionHost, file: string, json: boolean): number {
  const kept = readHeads(readText(file));
  if (typeof kept === "string") throw new UsageError(`--kept: ${file}: ${kept}`);
  const whole = kept.map(({ session, head }) => {
    const [check] = host.verify(session, head);
    if (check === undefined) {
      stdout.write(
        json ? `${JSON.stringify({ session, head, found: null })}\n` : `!!  ${session}  it is not there any more\n`,
      );
      return false;
    }
    const place =
      check.found === null
        ? "no event has the head that was kept"
        : `all is as it was kept, up to event ${check.found}`;
    stdout.write(json ? `${JSON.stringify(check)}\n` : `${toldCheck(check, check.found === null)}\n      ${place}\n`);
    return check.found !== null && check.breaks.length === 0;
  });
  return whole.every(Boolean) ? exitCodes.done : exitCodes.failed;
}

function toldCheck(check: ChainCheck, isLost = false): string {
  const [first = "", ...rest] = chainLines(check);
  return [
    `${isLost ? "!!" : chainMark(check)}  ${check.session}  ${first}`,
    ...rest.map((line) => `      ${line}`),
  ].join("\n");
}

function verifyFile(
  file: string,
  { head, json }: { readonly head: string | undefined; readonly json: boolean },
): number {
  const check = checkAuditFile(readBytes(file), head);
  stdout.write(json ? `${JSON.stringify({ file, ...check })}\n` : `${toldFile(file, check)}\n`);
  const place = check.found === null ? undefined : `line ${check.found}`;
  const isKept = tellHead(head, place, check.journal?.head === head ? ofJournal : `no line of ${file} has it`);
  const isWhole = check.breaks.length === 0 && check.journal?.breaks.length === 0;
  return isKept && isWhole ? exitCodes.done : exitCodes.failed;
}

function toldFile(file: string, { session, records, head, journal, breaks }: AuditFileCheck): string {
  if (breaks.length === 0 && journal !== null) {
    const [first = "", ...rest] = chainLines(journal);
    return [
      `${chainMark(journal)}  ${file}: ${records} records of session ${session}, as they were exported; head of the export sha256:${head}`,
      `      the journal, when it was exported: ${first}`,
      ...rest.map((line) => `      ${line}`),
    ].join("\n");
  }
  const told = breaks.map(
    ({ line, what, reason }) => `      line ${line}${what === "" ? "" : ` (${what})`}: ${reason}`,
  );
  return [`!!  ${file}: it is not as it was exported`, ...told].join("\n");
}

const ofJournal =
  "it is the head of the journal, which this file only names: hold it against the journal (assent audit verify --head), and the " +
  "file against the head of the export";

/** Whether the head that was written down is still there; `true` where none was given. */
function tellHead(head: string | undefined, place: string | undefined, why = "no event has it any more"): boolean {
  if (head === undefined) return true;
  const told =
    place === undefined
      ? `what was recorded up to the head ${head} was changed or removed, or is not here: ${why}`
      : `the head is that of ${place}: everything up to it is as it was when you wrote it down`;
  stderr.write(`assent: ${told}\n`);
  return place !== undefined;
}

function headGiven(typed: string | undefined): string | undefined {
  const hash = typed?.replace(/^sha256:/, "").toLowerCase();
  if (hash === undefined || /^[0-9a-f]{64}$/.test(hash)) return hash;
  throw new UsageError(`--head: expected sha256: and 64 hexadecimal digits, found ${JSON.stringify(typed)}`);
}

/** The session that is named, or the newest one of this folder. */
function sessionMeant(host: SessionHost, typed: string | undefined): string {
  if (typed === undefined) return newestHere(host);
  const parts = Object.keys(auditSpec.parts);
  try {
    return findSession(host, typed).session;
  } catch (error) {
    const near = suggestion(typed, parts);
    throw error instanceof UsageError && near !== "" ? new UsageError(`${error.message}${near}`) : error;
  }
}

type Telling = { readonly check: ChainCheck | undefined; readonly quiet?: boolean; readonly named?: string };

/** What was shown is worth what the hashes say: told below it, and the exit code. */
function tellChain(host: SessionHost, session: string, { check, quiet = false, named }: Telling): number {
  host.view(session);
  const damage = host.damage(session);
  if (damage !== null) stderr.write(`assent: ${describeDamage(damage)}\n`);
  const isWhole = check !== undefined && check.breaks.length === 0;
  if (check !== undefined && !(quiet && isWhole))
    stderr.write(
      `${chainLines(check)
        .map((line) => `assent: ${named === undefined ? "" : `${named}: `}${line}\n`)
        .join("")}`,
    );
  return isWhole && damage === null ? exitCodes.done : exitCodes.failed;
}
