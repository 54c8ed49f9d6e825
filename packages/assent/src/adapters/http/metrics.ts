/** What the server has done and does, as numbers that others collect. */
export class Metrics {
  readonly #counts = new Map<string, number>();
  readonly #gauges = new Map<string, () => number>();

  count(name: string, labels: Readonly<Record<string, string | number>> = {}): void {
    const key = `${name}${labelled(labels)}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  gauge(name: string, value: () => number): void {
    this.#gauges.set(name, value);
  }

  /** In the text form of Prometheus. */
  text(): string {
    const counted = [...this.#counts].sort(([one], [other]) => (one < other ? -1 : 1));
    const names = new Set(counted.map(([key]) => key.replace(/\{.*/, "")));
    const counters = [...names].flatMap((name) => [
      `# TYPE ${name} counter`,
      ...counted.filter(([key]) => key.replace(/\{.*/, "") === name).map(([key, value]) => `${key} ${value}`),
    ]);
    const gauges = [...this.#gauges].flatMap(([name, value]) => [`# TYPE ${name} gauge`, `${name} ${value()}`]);
    return `${[...counters, ...gauges].join("\n")}\n`;
  }
}

function labelled(labels: Readonly<Record<string, string | number>>): string {
  const all = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return all.length === 0 ? "" : `{${all.join(",")}}`;
}
