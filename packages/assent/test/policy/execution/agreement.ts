/** Whether bash and the parser that the policy uses take a text for a valid command. */
import { spawnSync } from "node:child_process";
import { parse } from "unbash";

export type Disagreement = { readonly command: string; readonly bash: string; readonly parser: string };

/** Where only one of them refuses, and why that does no harm: bash runs nothing of a line that it refuses. */
const known: readonly { readonly refusedBy: "bash" | "parser"; readonly reason: string; readonly fits: RegExp }[] = [
  { refusedBy: "bash", reason: "a name and an open parenthesis are no function", fits: /[^\s$<>=?*+@!(|&;][ \t]*\(/ },
  { refusedBy: "bash", reason: "the end of a here-document has an open quote", fits: /<<-?\s*[^\s'"]*['"]/ },
  { refusedBy: "bash", reason: "a number between two redirections belongs to the second", fits: />\d+[<>]/ },
  { refusedBy: "bash", reason: "a list stands where only a name may", fits: /[<>]=\(/ },
  { refusedBy: "parser", reason: "bash reads what is between backquotes only when it runs it", fits: /`/ },
];

/** `bash -n` reads a command and runs nothing; one process starts it for all of them. */
const readEach = `while IFS= read -r -d '' command; do
  bash --norc --noprofile -n -c "$command" 2>&1 > /dev/null < /dev/null; printf '\\n%d\\0' $?
done`;

/** What bash has against each of the commands; empty: nothing. */
function bashRefusals(commands: readonly string[]): readonly string[] {
  const input = commands.map((command) => `${command}\0`).join("");
  const env = { PATH: process.env["PATH"], LC_ALL: "C.UTF-8" };
  const { stdout } = spawnSync("bash", ["-c", readEach], { input, env, encoding: "utf8", maxBuffer: 2 ** 28 });
  const answers = stdout.split("\0").slice(0, -1);
  if (answers.length !== commands.length) throw new Error(`bash has read ${answers.length} of ${commands.length}`);
  // With a warning it is still valid; with another message it is not, even where bash says that all is well.
  return answers.map((answer) => (/^(?:\S+: (?:line \d+: )?warning: [^\n]*\n)*\n0$/.test(answer) ? "" : answer));
}

/** Also of the scripts within the script, which are parsed when they are asked for. */
function parserRefusal(command: string): string {
  const messages: string[] = [];
  JSON.stringify(parse(command), (key, value: unknown) => {
    if (key === "errors" && value !== undefined) messages.push(JSON.stringify(value));
    return value;
  });
  return messages.join("; ");
}

/** Those that only one of them takes, without those that are known. */
export function disagreements(commands: readonly string[]): readonly Disagreement[] {
  const possible = commands.filter((command) => !command.includes("\0"));
  const refusals = bashRefusals(possible);
  return possible
    .map((command, index) => ({ command, bash: refusals[index] ?? "", parser: parserRefusal(command) }))
    .filter((each) => (each.bash === "") !== (each.parser === "") && !isKnown(each));
}

function isKnown({ command, parser }: Disagreement): boolean {
  return known.some(({ refusedBy, fits }) => (refusedBy === "bash") === (parser === "") && fits.test(command));
}

/** Since 5.2 bash reads what is in `$(…)` before it runs anything, as the parser does. */
export function whyNoBash(): string | null {
  const { stdout } = spawnSync("bash", ["-c", 'printf %d "$((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1]))"'], {
    encoding: "utf8",
  });
  return Number(stdout) >= 502 ? null : "bash is missing or older than 5.2";
}
