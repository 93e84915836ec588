/** Counters, gauges and histograms, and the text in which Prometheus reads them. */

export type LabelValues = Readonly<Record<string, string>>;

export interface Description {
  readonly name: string;
  readonly help: string;
  /** As kube-apiserver marks it in front of the help text. */
  readonly stability: 'ALPHA' | 'BETA' | 'STABLE';
}

/** One family of series: those of one name. */
export interface Family {
  /** Lines without the last line end. Shape: empty while there is no series. */
  text(): readonly string[];
}

/** A number by labels: a counter, or a gauge that may go down as well. */
export class Numbers implements Family {
  readonly #description: Description;
  readonly #type: 'counter' | 'gauge';
  readonly #values = new Map<string, number>();

  constructor(type: 'counter' | 'gauge', description: Description) {
    this.#type = type;
    this.#description = description;
  }

  /** Adds to a series, making it when it is new. `by` may be 0: the series is shown from then on. */
  add(labels: LabelValues, by = 1): void {
    const key = labelText(labels);
    this.#values.set(key, (this.#values.get(key) ?? 0) + by);
  }

  /** A way to one series that costs no look-up of labels. */
  series(labels: LabelValues): (by?: number) => void {
    const key = labelText(labels);
    return (by = 1) => void this.#values.set(key, (this.#values.get(key) ?? 0) + by);
  }

  set(labels: LabelValues, value: number): void {
    this.#values.set(labelText(labels), value);
  }

  /** Forgets all series: for gauges that are read off when they are asked for. */
  clear(): void {
    this.#values.clear();
  }

  text(): readonly string[] {
    if (this.#values.size === 0) return [];
    const { name } = this.#description;
    return [
      ...head(this.#description, this.#type),
      ...[...this.#values].sort(byKey).map(([key, value]) => `${name}${braces(key)} ${value}`),
    ];
  }
}

interface Observed {
  readonly buckets: number[];
  sum: number;
  count: number;
}

export class Histogram implements Family {
  readonly #description: Description;
  readonly #bounds: readonly number[];
  readonly #values = new Map<string, Observed>();

  /** @param bounds upper bounds of the buckets, rising, without +Inf */
  constructor(bounds: readonly number[], description: Description) {
    this.#bounds = bounds;
    this.#description = description;
  }

  observe(labels: LabelValues, value: number): void {
    this.series(labels)(value);
  }

  /** A way to one series that costs no look-up of labels. The series is shown after its first value. */
  series(labels: LabelValues): (value: number) => void {
    const key = labelText(labels);
    return (value) => {
      const observed = this.#values.get(key) ?? { buckets: this.#bounds.map(() => 0), sum: 0, count: 0 };
      this.#values.set(key, observed);
      observed.sum += value;
      observed.count++;
      const at = this.#bounds.findIndex((bound) => value <= bound);
      if (at >= 0) observed.buckets[at] = (observed.buckets[at] ?? 0) + 1;
    };
  }

  text(): readonly string[] {
    if (this.#values.size === 0) return [];
    const { name } = this.#description;
    const lines = [...head(this.#description, 'histogram')];
    for (const [key, { buckets, sum, count }] of [...this.#values].sort(byKey)) {
      let below = 0;
      for (const [i, bound] of this.#bounds.entries()) {
        below += buckets[i] ?? 0;
        lines.push(`${name}_bucket${braces(key, `le="${bound}"`)} ${below}`);
      }
      lines.push(`${name}_bucket${braces(key, 'le="+Inf"')} ${count}`);
      lines.push(`${name}_sum${braces(key)} ${sum}`, `${name}_count${braces(key)} ${count}`);
    }
    return lines;
  }
}

const head = ({ name, help, stability }: Description, type: string): readonly string[] => [
  `# HELP ${name} [${stability}] ${help}`,
  `# TYPE ${name} ${type}`,
];

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0;

const braces = (...parts: readonly string[]): string => {
  const inner = parts.filter((part) => part !== '').join(',');
  return inner === '' ? '' : `{${inner}}`;
};

/** Labels in the order of their names, as Prometheus' own writers have them. */
function labelText(labels: LabelValues): string {
  return Object.keys(labels)
    .sort()
    .map((name) => `${name}="${escaped(labels[name] ?? '')}"`)
    .join(',');
}

const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
