import { execFileSync } from "node:child_process";
import { cpus, release, totalmem, type } from "node:os";
import { median } from "../median.ts";
import { floor, frameworks, gapOf, middle, ours, type Results, type Run, runsOf } from "./results.ts";

export function machine(node: string): string {
  const [first] = cpus();
  const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${first?.model ?? "a machine"}, ${cpus().length} cores, ${memory} GB, ${type()} ${release()}, Node ${version}`;
}

/** All that is in bench/RESULTS.md. */
export function resultsPage(results: Results, on: string): string {
  return [
    "# Beside other agents",
    `Measured on ${results.date}: ${on}. Made by \`npm run beside\`, which runs every agent against one model on loopback that answers at once, in turns, so that all meet the same machine; middle of the runs. What is left is the harness's own cost. Only Linux was measured.`,
    "The floor is a bare Node program with one connection and `bash -c`, without journal, policy, limits or display. Frameworks are programs of twenty lines made with them: no approval, no journal, no terminal.",
    "## A run of 25 and of 200 commands",
    loops(results),
    "![The cost of a turn](plots/turns.svg)\n\n![The size of the request](plots/requests.svg)\n\n![Memory](plots/memory.svg)",
    "## Assent beside the floor and the best other agent",
    ratios(results),
    "## What commands do to an agent",
    "Returned: how many ms after it had asked for the command the model was told of its end and, in brackets, how many after the agent's start: what is not loaded before the first request is loaded with the first command. Middle of the runs. Then the most memory in MB, and what was left running after the agent's end. Deaf to SIGTERM: Assent gives a command 2 s to end before it kills it.",
    shells(results),
    "## Stopped by Ctrl-C while a command runs",
    "Gone after ms: the agent, and all that it had started. In the last column the command had left its session (`setsid`).",
    stops(results),
    "## What a harness has to survive, and how many others do",
    survived(results),
    "## Versions",
    versions(results),
    "",
  ].join("\n\n");
}

type Cell = string | number | null;

function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[]) => `| ${cells.map((each) => each ?? "–").join(" | ")} |`;
  return [line(head), line(head.map((_, index) => (index === 0 ? "---" : "---:"))), ...rows.map(line)].join("\n");
}

const fixed = (value: number | null, digits = 0) => (value === null ? null : value.toFixed(digits));

function named(peer: string): string {
  const kind = peer === floor ? "floor" : frameworks.includes(peer) ? "framework" : "agent";
  return peer === ours ? "**assent**" : `${peer} (${kind})`;
}

function loops(results: Results): string {
  const rows = results.peers.map((peer) => {
    const of = (scenario: string, what: (run: Run) => number | null | undefined) =>
      middle(results, [scenario, peer], what);
    const rows = runsOf(results, "loop200", peer).find(({ ok }) => ok)?.rows ?? [];
    const growth = rows.length < 2 ? null : ((rows.at(-1)?.[1] ?? 0) - (rows[0]?.[1] ?? 0)) / (rows.length - 1);
    return [
      named(peer),
      fixed(of("loop25", ({ coldStartMs }) => coldStartMs)),
      fixed(of("loop25", gapOf), 1),
      fixed(of("loop200", gapOf), 1),
      fixed(
        of("loop200", ({ cpuMs = 0 }) => cpuMs / 200),
        1,
      ),
      fixed(of("loop200", ({ peakRss = 0 }) => peakRss / 1e6)),
      rows[0]?.[1] ?? null,
      fixed(growth),
    ];
  });
  const head = ["", "to the first request, ms", "a turn of 25, ms", "a turn of 200, ms", "processor a turn, ms"];
  return table([...head, "most memory, MB", "first request, bytes", "growth a turn, bytes"], rows);
}

/** Ours, and how many times the floor's and the best other agent's that is. */
function ratios(results: Results): string {
  const agents = results.peers.filter((peer) => peer !== ours && peer !== floor && !frameworks.includes(peer));
  const figures: readonly (readonly [string, string, (run: Run) => number | null | undefined])[] = [
    ["to the first request, ms", "loop25", ({ coldStartMs }) => coldStartMs],
    ["a turn of 25, ms", "loop25", gapOf],
    ["a turn of 200, ms", "loop200", gapOf],
    ["most memory over 200 turns, MB", "loop200", ({ peakRss = 0 }) => peakRss / 1e6],
  ];
  const rows = figures.map(([name, scenario, of]) => {
    const own = middle(results, [scenario, ours], of);
    const bare = middle(results, [scenario, floor], of);
    const best = agents
      .flatMap((peer) => {
        const value = middle(results, [scenario, peer], of);
        return value === null ? [] : [{ peer, value }];
      })
      .toSorted((one, other) => one.value - other.value)[0];
    const times = (value: number | null | undefined) =>
      own === null || value == null ? null : `${(own / value).toFixed(2)} ×`;
    return [
      name,
      fixed(own, 1),
      fixed(bare, 1),
      times(bare),
      best === undefined ? null : `${best.value.toFixed(1)} (${best.peer})`,
      times(best?.value),
    ];
  });
  return table(["", "assent", "floor", "to the floor", "best other agent", "to it"], rows);
}

const commands = ["print100mb", "background", "background-quiet", "stdin", "ignore-term", "flood"];

function shells(results: Results): string {
  const peers = results.peers.filter((peer) => commands.some((each) => runsOf(results, each, peer).length > 0));
  const rows = peers.map((peer) => [named(peer), ...commands.map((each) => shellCell(runsOf(results, each, peer)))]);
  return table(["", "100 MB", "`… &`", "`… >/dev/null &`", "reads stdin", "deaf to SIGTERM, 2 s", "`yes`, 3 s"], rows);
}

function shellCell(runs: readonly Run[]): Cell {
  const [last] = runs.slice(-1);
  if (last === undefined) return null;
  const told = runs.flatMap(({ returnMs, coldStartMs }) =>
    returnMs == null ? [] : [{ returned: returnMs, fromStart: (coldStartMs ?? 0) + returnMs }],
  );
  const never = `never${last.stopped === undefined ? "" : ` (${last.stopped})`}`;
  const times = `${fixed(median(told.map(({ returned }) => returned)))} (${fixed(median(told.map(({ fromStart }) => fromStart)))})`;
  const most = Math.max(...runs.map(({ peakRss = 0 }) => peakRss));
  const left = Math.max(...runs.map((run) => living(run).length));
  const returned = told.length === 0 ? never : times;
  return `${returned}; ${fixed(most / 1e6)} MB; ${left === 0 ? "none left" : `${left} left`}`;
}

/** Those of the left that are not merely uncollected. */
function living(run: Run): readonly string[] {
  return (run.left ?? []).filter((each) => !each.startsWith("Z"));
}

const stopKinds = ["interrupt-group", "interrupt-pid", "interrupt-setsid"];

function stops(results: Results): string {
  const peers = results.peers.filter((peer) => stopKinds.some((each) => runsOf(results, each, peer).length > 0));
  const rows = peers.map((peer) => [named(peer), ...stopKinds.map((each) => stopCell(runsOf(results, each, peer)))]);
  return table(["", "to the group", "to the agent alone", "command in a session of its own"], rows);
}

function stopCell(runs: readonly Run[]): Cell {
  const stopped = runs.flatMap(({ interrupt }) => interrupt ?? []);
  if (stopped.length === 0) return null;
  const survived = stopped.filter(({ treeGoneMs }) => treeGoneMs === null).length;
  const gone = fixed(Math.max(...stopped.map(({ peerGoneMs }) => peerGoneMs ?? Number.POSITIVE_INFINITY)));
  return survived === 0 ? `${gone}, all gone` : `${gone}, survivors in ${survived} of ${stopped.length}`;
}

/** What is shown by measuring others, and what is shown of Assent alone, each with the command that shows it. */
function survived(results: Results): string {
  const others = results.peers.filter((peer) => peer !== ours && peer !== floor && !frameworks.includes(peer));
  const count = (scenario: string, fine: (run: Run) => boolean) => {
    const measured = others.filter((peer) => runsOf(results, scenario, peer).length > 0);
    const well = measured.filter((peer) => runsOf(results, scenario, peer).every(fine));
    return `${well.length} of ${measured.length}${well.length === 0 ? "" : ` (${well.join(", ")})`}`;
  };
  const clean = (run: Run) => run.returnMs != null && living(run).length === 0;
  const stopped = (run: Run) => run.interrupt?.treeGoneMs != null;
  const unmeasured = "not measured here";
  return table(
    ["", "others that do", "command"],
    [
      [
        "a question that is open at `kill -9` is there afterwards and counts once",
        unmeasured,
        "`npm run campaign kills`",
      ],
      [
        "a background child: the tool returns within 5 s, and none is left after the end",
        count("background", (run) => clean(run) && (run.returnMs ?? 0) < 5_000),
        "`npm run beside`, *background*",
      ],
      [
        "a child in a session of its own is gone after a stop",
        count("interrupt-setsid", stopped),
        "`npm run beside`, *interrupt-setsid*; `npm run campaign kill-trees`",
      ],
      [
        "100 MB of output: the tool returns, and memory stays under 200 MB",
        count("print100mb", (run) => clean(run) && (run.peakRss ?? 0) < 200e6),
        "`npm run beside`, *print100mb*; `npm run campaign flood`",
      ],
      ["what was typed ahead answers no question", unmeasured, "`npx vitest run e2e/shell-type-ahead`"],
      [
        "of many answers at once from several surfaces one counts, and the others are told so",
        unmeasured,
        "`npm run campaign races`",
      ],
    ],
  );
}

function versions(results: Results): string {
  const sizes = results.peers
    .flatMap((peer) => runsOf(results, "size", peer).at(-1) ?? [])
    .filter(({ bytes }) => bytes !== undefined);
  const rows = sizes.map(({ peer, version, bytes, packages }) => [
    peer,
    version ?? null,
    fixed((bytes ?? 0) / 1e6),
    packages ?? null,
  ]);
  return table(["", "version", "installed, MB", "packages"], rows);
}
