import { exitCodes } from "../adapters/headless/index.ts";
import { openTokens, type Tokens } from "../runtime/tokens.ts";
import { type Role, roles, type SavedToken } from "../wire/token.ts";
import { oneOf, partOf, readFlags, UsageError } from "./flags.ts";
import { refuseInsideRun } from "./inside.ts";
import { stderr, stdout } from "./output.ts";
import { tokenFolder } from "./places.ts";
import { tokenSpec } from "./specs/serving.ts";

const dayMs = 24 * 3_600 * 1_000;

/** `assent token create | list | revoke` (SRV-1). */
export async function token(argv: readonly string[]): Promise<number> {
  const [typed, ...rest] = argv;
  const part = partOf("token", typed, tokenSpec.parts);
  const tokens = openTokens(tokenFolder());
  switch (part) {
    case "create":
      return create(rest, tokens);
    case "list":
      return list(rest, tokens);
    case "revoke":
      return revoke(rest, tokens);
    default:
      return part satisfies never;
  }
}

function create(argv: readonly string[], tokens: Tokens): number {
  const given = readFlags(argv, tokenSpec.parts.create);
  const refused = refuseInsideRun("make a token");
  if (refused !== null) return refused;
  const name = given.arguments[0] ?? "";
  if (!/^[\p{L}\p{N}][\p{L}\p{N} .,_@+'’-]{0,59}$/u.test(name)) {
    throw new UsageError(
      `expected a name of up to 60 letters, digits, spaces and . , _ @ + ' -, found ${JSON.stringify(name)}`,
    );
  }
  const role: Role = oneOf("--role", given.text("role") ?? "answerer", roles);
  const days = given.text("expires");
  if (days !== undefined && !(/^\d{1,5}(\.\d+)?$/.test(days) && Number(days) > 0)) {
    throw new UsageError(`--expires: expected a number of days above 0, found ${JSON.stringify(days)}`);
  }
  if (tokens.list().some((each) => each.name === name)) {
    throw new UsageError(`there is a token named ${JSON.stringify(name)} already; assent token revoke takes it back`);
  }
  const expires = days === undefined ? {} : { expires: Date.now() + Number(days) * dayMs };
  const made = tokens.create({ name, role, ...expires });
  if (given.has("json")) stdout.write(`${JSON.stringify({ token: made.token, ...shown(made.saved) })}\n`);
  else {
    stdout.write(`${made.token}\n`);
    stderr.write(`assent: a token for ${name} (${role}); it is not shown again\n`);
  }
  return exitCodes.done;
}

function list(argv: readonly string[], tokens: Tokens): number {
  const json = readFlags(argv, tokenSpec.parts.list).has("json");
  const found = tokens.list();
  for (const each of found) stdout.write(`${json ? JSON.stringify(shown(each)) : line(each)}\n`);
  if (found.length === 0 && !json) stderr.write("assent: there are no tokens; assent serve makes the first\n");
  const damage = tokens.damage();
  for (const each of damage) stderr.write(`assent: cannot be read, and opens nothing: ${each}\n`);
  return damage.length === 0 ? exitCodes.done : exitCodes.failed;
}

function revoke(argv: readonly string[], tokens: Tokens): number {
  const given = readFlags(argv, tokenSpec.parts.revoke);
  const refused = refuseInsideRun("take a token back");
  if (refused !== null) return refused;
  const meant = given.arguments[0] ?? "";
  const gone = tokens.revoke(meant);
  if (gone.length === 0) throw new UsageError(`no token has the id or name ${JSON.stringify(meant)}`);
  for (const { id, name } of gone) stderr.write(`assent: the token ${id} of ${name} is taken back\n`);
  return exitCodes.done;
}

function shown({ hash: _hash, ...told }: SavedToken): Omit<SavedToken, "hash"> {
  return told;
}

function line({ id, name, role, created, expires }: SavedToken): string {
  const until = expires === undefined ? "" : `  ${expires <= Date.now() ? "over since" : "until"} ${day(expires)}`;
  return `${id}  ${role.padEnd(8)}  ${name}  since ${day(created)}${until}`;
}

function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
