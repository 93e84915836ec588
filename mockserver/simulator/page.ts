/** The result of a simulation as one HTML page that needs nothing else. */
import { escaped, type Line, plot } from './plots.js';
import { type RunResult, type SimulationResult } from './result.js';
import { pathWords, resultTables, type Table, valueText } from './table.js';

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; }
body { max-width: 76rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2.5rem; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(26rem, 1fr)); gap: 1rem; }
figure { margin: 0; } figcaption { font-weight: 600; }
svg { width: 100%; height: auto; } svg text { font-size: 11px; fill: currentColor; }
.grid { stroke: currentColor; stroke-opacity: .15; }
.legend { margin: 0; font-size: .85rem; } .legend span { margin-right: 1em; white-space: nowrap; }
.legend i { display: inline-block; width: .8em; height: .8em; margin-right: .35em; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .85rem; white-space: nowrap; }
td, th { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); padding: .15rem .5rem; text-align: right; }
td:first-child, th:first-child { text-align: left; }
footer { margin-top: 3rem; font-size: .85rem; opacity: .8; }
`;

/** Shape: the text of the page. */
export function page(result: SimulationResult): string {
  const title = (result.description.trim().split('\n')[0] ?? '') || 'Simulation';
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}</style></head>
<body>
<h1>${escaped(title)}</h1>
<p>${escaped(result.description.trim().split('\n').slice(1).join('\n'))}</p>
${resultTables(result).map(htmlTable).join('\n')}
${[...grouped(result.runs)].map(([name, runs]) => section(name, runs)).join('\n')}
<footer>Seed ${result.seed}. Costs: ${escaped(result.costsFrom)}: ${escaped(JSON.stringify(result.costs))}.
Delivery is from commit to the client's reading.</footer>
</body>
</html>
`;
}

/** Runs that differ in their server alone are shown in the same plots. */
function grouped(runs: readonly RunResult[]): ReadonlyMap<string, readonly RunResult[]> {
  const groups = new Map<string, RunResult[]>();
  for (const run of runs) {
    const name = Object.entries(run.labels)
      .map(([path, value]) => `${pathWords(path)} ${valueText(value)}`)
      .join(', ');
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [run]);
    else group.push(run);
  }
  return groups;
}

function section(name: string, runs: readonly RunResult[]): string {
  const seconds = (ms: number): number => ms / 1000;
  const overTime =
    (value: (interval: RunResult['intervals'][number]) => number) =>
    (run: RunResult): Line => ({
      name: run.variant,
      points: run.intervals.map((interval) => [seconds(interval.atMs), value(interval)] as const),
    });
  const plots = [
    plot({
      title: 'Delivery: share of events within so long',
      x: 'milliseconds',
      y: '% of events',
      logX: true,
      lines: ofPopulations(runs, (run, i) => cumulative(run.populations[i]?.latencyBuckets ?? [])),
    }),
    plot({
      title: 'Lag of the furthest watcher',
      x: 'seconds',
      y: 'revisions behind',
      lines: ofPopulations(runs, (run, i) =>
        run.intervals.map(
          ({ atMs, lag }) => [seconds(atMs), lag[run.populations[i]?.name ?? ''] ?? 0] as const,
        ),
      ).filter(({ points }) => points.some(([, behind]) => behind > 0)),
    }),
    plot({
      title: 'Watchers that are behind',
      x: 'seconds',
      y: 'watchers',
      lines: runs.map(overTime(({ behind }) => behind)),
    }),
    plot({
      title: 'Passes: time in each part of the run',
      x: 'seconds',
      y: 'ms',
      lines: runs.map(overTime(({ passMs }) => passMs)),
    }),
    plot({
      title: 'Passes: the longest in each part of the run',
      x: 'seconds',
      y: 'ms',
      dots: true,
      lines: runs.map(overTime(({ passMostMs }) => passMostMs)),
    }),
    plot({
      title: 'Watches ended by the server so far',
      x: 'seconds',
      y: 'watches',
      lines: runs.map((run) => ({ name: run.variant, points: endedSoFar(run) })),
    }),
  ];
  return `<h2>${escaped(name === '' ? 'Plots' : name)}</h2>\n<div class="plots">\n${plots.join('\n')}\n</div>`;
}

/** A line for each population of each run. */
const ofPopulations = (
  runs: readonly RunResult[],
  points: (run: RunResult, population: number) => Line['points'],
): readonly Line[] =>
  runs.flatMap((run) =>
    run.populations.map((population, i) => ({
      name: `${population.name}, ${run.variant}`,
      points: points(run, i),
    })),
  );

function cumulative(buckets: readonly (readonly [number, number])[]): Line['points'] {
  const all = buckets.reduce((sum, [, count]) => sum + count, 0);
  let soFar = 0;
  return buckets.map(([bound, count]) => [bound, (100 * (soFar += count)) / all] as const);
}

function endedSoFar({ intervals }: RunResult): Line['points'] {
  let soFar = 0;
  return intervals.map(({ atMs, terminations }) => [atMs / 1000, (soFar += terminations)] as const);
}

const htmlTable = ({ names, rows }: Table): string =>
  `<div class="wide"><table><thead>${row('th', names)}</thead><tbody>\n${rows
    .map((cells) => row('td', cells))
    .join('\n')}\n</tbody></table></div><br>`;

const row = (tag: string, cells: readonly string[]): string =>
  `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`;
