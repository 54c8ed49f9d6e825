import type { HereDoc, Redirect, Redirection } from "unbash";
import type { Deed } from "./deeds.ts";
import { resolvePath } from "./paths.ts";
import type { Evaluating, Here, Input, Ran, Shell, Streams } from "./shell.ts";
import { type MadeFile, placeKey, type ShellState, withFile } from "./state.ts";
import { type Argument, known, shown, type Text, textOf } from "./text.ts";
import { targetOfWord, textOfParts, textOfWord, withHoles } from "./words-of.ts";

type Redirecting = {
  readonly streams: Streams;
  readonly state: ShellState;
  /** The command is done: what it wrote is in the file. */
  readonly finish: (ran: Ran) => Ran;
};

/** What redirections do, and what the command reads because of them. */
export function redirected(
  redirects: readonly Redirection[],
  here: Here,
  shell: Shell,
  by: string | null = null,
): Redirecting {
  let { streams, state } = here;
  let output: Output | Elsewhere | null = null;
  for (const redirect of redirects) {
    const input = inputOf(redirect, { ...here, state }, shell);
    if (input !== null) streams = { ...streams, input };
    const target = fileOf(redirect, { ...here, state }, shell);
    state = withDescriptor(redirect, target, { ...here, state }, shell);
    if (redirect.type !== "Redirect") continue;
    if (target === null) output = elsewhere(redirect, streams) ?? output;
    else {
      state = shell.conclude(deedsOf(redirect, target), [], { state, streams });
      const written = writtenTo(redirect, target, { state, shell, leaves: streams.bothOutputs });
      state = written.state;
      output = written.output ?? output;
    }
    streams = withErrors(redirect, target, streams);
  }
  if (output === "away") return { streams, state, finish: (ran) => ({ ...ran, output: [] }) };
  if (output === "unsure") return { streams, state, finish: (ran) => ({ ...ran, output: null }) };
  return output === null ? { streams, state, finish: (ran) => ran } : writing(output, { streams, state, by });
}

/** Through another descriptor what is printed may still come to where it went. */
type Elsewhere = "away" | "unsure";

function elsewhere(redirect: Redirect, { bothOutputs }: Streams): Elsewhere | null {
  const descriptor = redirect.target?.value ?? "";
  if (redirect.operator !== ">&" || !isOutput(redirect) || descriptor === "1") return null;
  if (descriptor === "2") return bothOutputs ? null : "away";
  return descriptor === "-" ? "away" : "unsure";
}

function withErrors(redirect: Redirect, target: Argument | null, streams: Streams): Streams {
  const { descriptor, operator } = redirect;
  const ofErrors = descriptor?.type === "FileDescriptor" && descriptor.value === 2;
  if (ofErrors) return { ...streams, bothOutputs: operator === ">&" && redirect.target?.value === "1" };
  if (target === null || !isOutput(redirect) || !writes(redirect)) return streams;
  return { ...streams, bothOutputs: operator.includes("&") };
}

/** Where what is printed goes, when it is that; another descriptor may write anything. */
function writtenTo(
  redirect: Redirect,
  target: Argument,
  { state, shell, leaves }: Pick<Evaluating, "state" | "shell"> & Pick<Output, "leaves">,
): { readonly state: ShellState; readonly output: Output | null } {
  const path = writes(redirect) ? writtenPath(redirect, target, { state, shell }) : null;
  if (path === null || /^\/(?:dev\/stdout|dev\/fd\/1|proc\/self\/fd\/1)$/.test(path)) return { state, output: null };
  if (isOutput(redirect)) return { state, output: { path, adds: redirect.operator.endsWith(">>"), leaves } };
  return { state: withFile(state, path, { type: "content", text: [{ hole: "any", from: path }] }), output: null };
}

/** A descriptor of one's own can be opened again by its name, to be read, run or written to. */
function withDescriptor(redirect: Redirection, target: Argument | null, here: Here, shell: Shell): ShellState {
  const { descriptor } = redirect;
  if (descriptor?.type !== "FileDescriptor" || descriptor.value < 3) return here.state;
  const input = redirect.type === "Redirect" ? null : givenInput(redirect, here, shell);
  const made: MadeFile | null =
    input?.type === "text"
      ? { type: "content", text: input.text }
      : target === null
        ? null
        : { type: "link", of: resolvePath(target.text, here.state.cwd) };
  if (made === null) return here.state;
  const named = withFile(here.state, `/dev/fd/${descriptor.value}`, made);
  return withFile(named, `/proc/self/fd/${descriptor.value}`, made);
}

/** The file that is meant; `null`: none, but another descriptor. */
function fileOf(redirect: Redirection, { state, source }: Here, shell: Shell): Argument | null {
  if (redirect.type !== "Redirect" || redirect.target === undefined) return null;
  const target = targetOfWord(redirect.target, { shell, state, source });
  return isDescriptor(redirect, target) || !shell.analysis.spend(target.span) ? null : target;
}

function writtenPath(
  { operator }: Redirect,
  { text }: Argument,
  { state, shell }: Pick<Evaluating, "state" | "shell">,
): string | null {
  shell.analysis.beside(`${operator}${shown(text)}`);
  return placeKey(resolvePath(text, state.cwd));
}

/** `leaves`: errors do not go there, but to where the output went before. */
type Output = { readonly path: string; readonly adds: boolean; readonly leaves: boolean };

/** When the command is done, what it printed is in the file. */
function writing(
  output: Output,
  { streams, state, by }: Pick<Redirecting, "streams" | "state"> & { readonly by: string | null },
): Redirecting {
  const finish = (ran: Ran): Ran => ({
    output: output.leaves ? null : [],
    state: withFile(ran.state, output.path, contentAfter(ran, output, by)),
  });
  return { streams: { ...streams, captured: true }, state, finish };
}

function contentAfter({ state, output }: Ran, { path, adds }: Output, by: string | null): MadeFile {
  const text: Text = output ?? [{ hole: "any", from: path }];
  const before = state.files.get(path);
  if (!adds) return { type: "content", text, ...(by === null ? {} : { by }) };
  // A file that was there before may hold anything, but what is added to it is what can be seen here.
  return { type: "content", text: before?.type === "content" ? textOf(...before.text, ...text) : text };
}

function isOutput({ descriptor }: Redirect): boolean {
  return descriptor === undefined || (descriptor.type === "FileDescriptor" && descriptor.value === 1);
}

function writes({ operator }: Redirect): boolean {
  return operator !== "<" && operator !== "<&";
}

/** `2>&1`, `3<&-`: no file is meant. */
function isDescriptor({ operator }: Redirect, { text }: Argument): boolean {
  if (operator !== ">&" && operator !== "<&") return false;
  const value = known(text);
  return value === null ? operator === "<&" : /^\d*-?$/.test(value);
}

function deedsOf({ operator }: Redirect, path: Argument): readonly Deed[] {
  if (operator === "<" || operator === "<&") return [{ does: "read", path }];
  return [{ does: "write", path }];
}

function inputOf(redirect: Redirection, here: Here, shell: Shell): Input | null {
  const { descriptor } = redirect;
  const isInput = descriptor === undefined || (descriptor.type === "FileDescriptor" && descriptor.value === 0);
  // Evaluated in any case: what is in it runs, whoever reads it.
  const input = givenInput(redirect, here, shell);
  return isInput ? input : null;
}

function givenInput(redirect: Redirection, here: Here, shell: Shell): Input | null {
  if (redirect.type === "HereDoc") return { type: "text", text: documentText(redirect, here, shell) };
  if (redirect.target === undefined) return null;
  const evaluating = { shell, state: here.state, source: here.source };
  if (redirect.type === "HereString")
    return { type: "text", text: textOf(...textOfWord(redirect.target, evaluating), "\n") };
  if (writes(redirect)) return null;
  const { text } = targetOfWord(redirect.target, evaluating);
  if (redirect.operator === "<&") return known(text) === "-" ? null : unseen(text);
  const path = resolvePath(text, here.state.cwd);
  const content = shell.contentOf(known(text) ?? "", here.state) ?? shell.contentOf(known(path) ?? "", here.state);
  return content === null ? { type: "file", path } : { type: "text", text: content };
}

function unseen(text: Text): Input {
  return { type: "text", text: [{ hole: "any", from: shown(text) }] };
}

/** Without quotes around its end mark, a document is read as between double quotes. */
function expandedDocument({ text, parts }: HereDoc["body"], isIndented: boolean, evaluating: Evaluating): Text {
  if (parts === undefined) return [withoutTabs(unescapedDocument(text), isIndented)];
  return parts.flatMap((part, index) =>
    part.type === "Literal"
      ? [withoutTabs(unescapedDocument(part.text), isIndented, index === 0)]
      : textOfParts([part], evaluating),
  );
}

/** Tabs are left out where lines begin, and not behind what is filled in. */
function withoutTabs(text: string, isIndented: boolean, isFirst = true): string {
  if (!isIndented) return text;
  return text.replace(isFirst ? /(?<![^\n])\t+/g : /(?<=\n)\t+/g, "");
}

function unescapedDocument(text: string): string {
  return text.replace(/\\([$`\\])|\\\n/g, "$1");
}

function documentText({ body, delimiter, operator }: HereDoc, { state, source }: Here, shell: Shell): Text {
  const isIndented = operator === "<<-";
  return delimiter?.quoted === true
    ? withHoles([withoutTabs(body.text, isIndented)], state)
    : textOf(...expandedDocument(body, isIndented, { shell, state, source }));
}
