import { describe, expect, test } from "vitest";
import { type Fared, type Flood, formFaults, measureFlood, mostGrowthMb } from "./floods.ts";

/** `npm run campaign flood -- --gigabytes 10` sends more. */
const gigabytes = Number(process.env["FLOOD_GIGABYTES"] ?? 0.1);
const bytes = gigabytes * 1e9;
const onLinux = process.platform === "linux";
const isCampaign = process.env["FLOOD_GIGABYTES"] !== undefined;
/** A command has at most this long. */
const most_s = 300;
const inTime = { timeout: 2 * most_s * 1_000 };
const shells = ["ephemeral", "persistent"] as const;

describe.skipIf(!onLinux)(`a flood of output${onLinux ? "" : " (skipped: needs /proc of Linux)"}`, () => {
  for (const how of shells) {
    test(`${gigabytes} GB of lines leave their head and tail, and memory as it was (${how})`, inTime, async () => {
      const fared = await flow({ command: `yes | head -c ${bytes}`, how, timeout_s: most_s });
      expect({ type: fared.result.type, bytes: fared.bytes, faults: formFaults(fared) }).toEqual({
        ...{ type: "output", bytes, faults: [] },
      });
      expect(fared.grownMb).toBeLessThanOrEqual(mostGrowthMb);
    });

    test(`${gigabytes} GB that are no text leave a line, and memory as it was (${how})`, inTime, async () => {
      const fared = await flow({ command: `head -c ${bytes} /dev/zero`, how, timeout_s: most_s });
      expect(fared.result.text).toMatch(
        new RegExp(`^\\[binary output, ${bytes} bytes; only the first \\d+ bytes are in`),
      );
      expect(fared.grownMb).toBeLessThanOrEqual(mostGrowthMb);
    });

    test(`lines without an end until the time-out leave memory as it was (${how})`, inTime, async () => {
      const fared = await flow({ command: "yes", how, timeout_s: 2 });
      expect({ type: fared.result.type, faults: formFaults(fared) }).toEqual({ type: "error", faults: [] });
      expect(fared.result.text).toMatch(/timed out after 2 s/);
      expect(fared.grownMb).toBeLessThanOrEqual(mostGrowthMb);
    });
  }
});

/** In a campaign also how the same goes without the tool. */
async function flow(flood: Flood): Promise<Fared> {
  const bare = isCampaign ? await measureFlood({ ...flood, how: "bare" }) : null;
  const fared = await measureFlood(flood);
  if (bare === null) return fared;
  const share = fared.ms / fared.bytes / (bare.ms / bare.bytes);
  process.stdout.write(
    `${flood.command} (${flood.how}): ${figures(fared)}; bare ${figures(bare)}; ${share.toFixed(2)} of the bare time a byte\n`,
  );
  return fared;
}

function figures({ ms, bytes, grownMb, p99Ms, latestMs }: Fared): string {
  const loop = `loop p99 ${p99Ms.toFixed(1)} ms, max ${latestMs.toFixed(1)} ms`;
  return `${(bytes / 1e9).toFixed(1)} GB in ${(ms / 1_000).toFixed(2)} s, +${grownMb.toFixed(1)} MB, ${loop}`;
}
