/** The result of a simulation as tables in Markdown. */
import { type JsonValue } from '../ground/json.js';
import { type PopulationResult, type RunResult, type SimulationResult } from './result.js';

type Row = Readonly<Record<string, string>>;

export interface Table {
  readonly names: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Shape: a table of what clients met and one of what the server did, with a line for each run. */
export function resultTables({ runs }: SimulationResult): readonly Table[] {
  const reference = new Map<string, number>();
  const clients = runs.flatMap((run) =>
    run.populations
      .filter(({ watchers }) => watchers > 0)
      .map((population, i) => {
        if (i > 0) return clientRow(run, population, undefined);
        const { p99 } = population.latency;
        if (!reference.has(run.variant)) reference.set(run.variant, p99);
        return clientRow(run, population, p99 / (reference.get(run.variant) ?? NaN));
      }),
  );
  return [tableOf(clients), tableOf(runs.map(serverRow))];
}

/** The same as text in Markdown. */
export function resultText(result: SimulationResult): string {
  const { description, costsFrom } = result;
  return [
    ...(description === '' ? [] : [description.trim()]),
    ...resultTables(result).map(markdown),
    `Costs: ${costsFrom}.\n`,
  ].join('\n\n');
}

function clientRow(run: RunResult, population: PopulationResult, compared: number | undefined): Row {
  const { latency, resync, ended } = population;
  return {
    ...labelCells(run),
    watchers: `${population.name} (${population.watchers})`,
    delivered: String(latency.count),
    'p50 ms': shown(latency.p50),
    'p99 ms': shown(latency.p99),
    'max ms': shown(latency.max),
    'p99 to first': compared === undefined || !Number.isFinite(compared) ? '' : shown(compared),
    'ended by the server':
      Object.entries(ended)
        .map(([reason, count]) => `${count} ${reason}`)
        .join(', ') || '0',
    'lists anew': String(population.relists),
    'times resynced': String(resync.count),
    'resync p50 ms': resync.count === 0 ? '' : shown(resync.p50),
    'resync max ms': resync.count === 0 ? '' : shown(resync.max),
    'behind at the end': String(population.behindAtEnd),
  };
}

function serverRow(run: RunResult): Row {
  const { totals } = run;
  return {
    ...labelCells(run),
    events: String(totals.commits),
    'encodings per event': shown(totals.encodingsPerEvent),
    stalls: String(totals.stalls),
    'by passes': String(totals.deferred),
    skipped: String(totals.skipped),
    passes: String(totals.passes),
    'pass max ms': shown(totals.passMostMs),
    'passes % of time': shown(100 * totals.passShare),
    'passes between services':
      totals.passesBetweenServices === 0
        ? ''
        : `${totals.passesBetweenServices} (bound ${totals.passesBetweenServicesBound})`,
    'busy %': shown(100 * totals.busy),
    'loop delay p99 ms': shown(totals.loopDelay.p99),
    'simulated s': shown(run.seconds),
    'took s': shown(run.tookMs / 1000),
  };
}

/** What distinguishes a run, a column each: `count of stalled` for the path `watchers.stalled.count`. */
const labelCells = ({ labels, variant }: RunResult): Row => ({
  ...Object.fromEntries(Object.entries(labels).map(([path, value]) => [pathWords(path), valueText(value)])),
  server: variant,
});

/** `watchers.stalled.count` → `stalled.count`. */
export const pathWords = (path: string): string => path.replace(/^(watchers|writes)\./, '');

export const valueText = (value: JsonValue): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

function tableOf(rows: readonly Row[]): Table {
  const names = Object.keys(rows[0] ?? {});
  return { names, rows: rows.map((row) => names.map((name) => row[name] ?? '')) };
}

function markdown({ names, rows }: Table): string {
  const widths = names.map((name, i) =>
    Math.max(name.length, 3, ...rows.map((cells) => (cells[i] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  return [line(names), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** Three digits; whole numbers from 100 on. */
export function shown(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}
