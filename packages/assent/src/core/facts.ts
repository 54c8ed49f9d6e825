import { type Deciders, type Evolvers, refuse } from "./draft.ts";
import type { EventOf, SeenFile, ToolResult } from "./events.ts";
import type { ModelAddress } from "./inputs.ts";
import { withholdHistory } from "./model.ts";
import type { Call, ModifiedFiles, Session } from "./state.ts";

/** How many modified files a session remembers by name; beyond it only "and more" is known. */
const mostFiles = 200;
/** How many files a session remembers to have shown to the model. */
const mostSeen = 200;

/** What is known of the world outside: context, terminal, background processes, files. */
export const factEvolvers: Evolvers<
  "context.changed" | "terminal.opened" | "terminal.closed" | "process.started" | "process.ended" | "process.kept"
> = {
  "context.changed": (session, { text, window = session.window, address }) => ({
    ...session,
    context: text,
    window,
    // Another model may well give a summary.
    unsummarised: session.unsummarised && window === session.window && address === undefined,
    addresses:
      address === undefined ? session.addresses : [...session.addresses.filter((each) => each !== address), address],
  }),
  "terminal.opened": (session, event) => ({ ...session, terminal: { state: "open", cwd: event.cwd } }),
  "terminal.closed": (session, { cwd, lost = false }) => ({ ...session, terminal: { state: "closed", cwd, lost } }),
  "process.started": (session, { process, pid, since, command }) => ({
    ...session,
    processes: [...session.processes.filter((other) => other.process !== process), { process, pid, since, command }],
  }),
  "process.ended": (session, event) => ({
    ...session,
    processes: session.processes.filter(({ process }) => process !== event.process),
  }),
  "process.kept": (session, event) => ({
    ...session,
    processes: session.processes.map((each) => (each.process === event.process ? { ...each, kept: true } : each)),
  }),
};

export const factDeciders: Deciders<"context" | "terminal" | "process" | "keeping"> = {
  context: (draft, { text, window = draft.session.window, address = null }) => {
    const { session } = draft;
    if (address !== null && withholdHistory(draft, address)) return null;
    const changed = { ...(window === session.window ? {} : { window }), ...movedTo(session, address) };
    if (text !== session.context || Object.keys(changed).length > 0)
      draft.emit({ type: "context.changed", text, ...changed });
    return null;
  },
  terminal: (draft, { state, cwd }) => {
    if (state === "opened") draft.emit({ type: "terminal.opened", cwd });
    else draft.emit({ type: "terminal.closed", cwd, ...(state === "lost" ? { lost: true } : {}) });
    return null;
  },
  process: (draft, { type: _type, at: _at, state, ...given }) => {
    const known = draft.session.processes.some(({ process }) => process === given.process);
    if ("pid" in given) draft.emit({ type: "process.started", ...given });
    else if (known) draft.emit({ type: "process.ended", ...given });
    return null;
  },
  keeping: (draft, { process: wanted, by }) => {
    const { id, processes } = draft.session;
    const found = processes.find(({ process, pid }) => process === wanted || String(pid) === wanted);
    if (found === undefined) return refuse("unknown_process", `session ${id} has no background process ${wanted}`);
    if (!found.kept) draft.emit({ type: "process.kept", process: found.process, by });
    return null;
  },
};

/** Where the history goes from here on, when that is elsewhere. */
function movedTo(
  { addresses }: Session,
  address: ModelAddress | null,
): Pick<EventOf<"context.changed">, "address" | "before"> {
  const before = addresses.at(-1);
  if (address === null || address.origin === before) return {};
  return { address: address.origin, ...(before === undefined ? {} : { before }) };
}

/** What a finished call tells about the world. */
export function noteResult(session: Session, call: Call, result: ToolResult): Session {
  const command = call.asks.type === "tool" ? call.asks.command : undefined;
  const lastCommand =
    command === undefined ? session.lastCommand : { command, output: result.text, exit: result.exit ?? null };
  const moved = session.terminal.state === "open" && result.cwd !== undefined;
  return {
    ...session,
    lastCommand,
    terminal: moved ? { state: "open", cwd: result.cwd } : session.terminal,
    files: addFiles(session.files, result),
    seen: addSeen(session.seen, result.seen ?? []),
    launches:
      result.launch === undefined ? session.launches : [...session.launches, { call: call.id, command: result.launch }],
  };
}

function addSeen(seen: readonly SeenFile[], now: readonly SeenFile[]): readonly SeenFile[] {
  if (now.length === 0) return seen;
  return [...seen.filter(({ path }) => now.every((file) => file.path !== path)), ...now].slice(-mostSeen);
}

function addFiles(files: ModifiedFiles, result: ToolResult): ModifiedFiles {
  if (result.files === undefined && result.more_files === undefined) return files;
  const paths = [...new Set([...files.paths, ...(result.files ?? [])])];
  return {
    paths: paths.slice(0, mostFiles),
    more: files.more || result.more_files === true || paths.length > mostFiles,
  };
}
