/** `simulate`: runs a scenario on a clock of its own and tells what clients would have met. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { readChecked } from '../ground/checked-document.js';
import { realClock } from '../ground/clock.js';
import { calibrate } from '../simulator/calibrate.js';
import { type Costs, DEFAULT_COSTS } from '../simulator/costs.js';
import { page } from '../simulator/page.js';
import { type SimulationResult } from '../simulator/result.js';
import { planRuns } from '../simulator/run-plan.js';
import { SCENARIO, SCENARIO_SCHEMA } from '../simulator/scenario-schema.js';
import { simulate as simulateRun } from '../simulator/simulation.js';
import { resultText } from '../simulator/table.js';
import { ProgressBar } from './progress-bar.js';

export interface SimulateSettings {
  readonly calibrate: boolean;
  readonly json?: string;
  readonly html?: string;
  readonly list: boolean;
  readonly schema: boolean;
  readonly quiet: boolean;
}

/** From dist/mockserver/bundle and from mockserver/cli. */
const FOLDERS = ['../../simulations/', '../../fixtures/simulations/'];

/**
 * @param scenario a file, or the name of a scenario that comes with the package
 * Shape: the exit code.
 * Errors: an Error that says which file is not there, DocumentError for one that cannot be used.
 */
export async function simulate(settings: SimulateSettings, scenario: string | undefined): Promise<number> {
  if (settings.schema) return print(`${JSON.stringify(SCENARIO_SCHEMA, undefined, 2)}\n`);
  if (settings.list) return print(`${shippedNames().join('\n')}\n`);
  if (scenario === undefined) {
    if (!settings.calibrate) throw new Error(`simulate what? A file, or one of ${shippedNames().join(', ')}`);
    return print(calibrationText(await calibrate(realClock)));
  }
  const file = fileOf(scenario);
  const result = await run(file, settings);
  if (!settings.quiet) print(resultText(result));
  if (settings.json !== undefined) writeFileSync(settings.json, `${JSON.stringify(result, undefined, 1)}\n`);
  if (settings.html !== undefined) writeFileSync(settings.html, page(result));
  return 0;
}

async function run(file: string, settings: SimulateSettings): Promise<SimulationResult> {
  const scenario = readChecked(readFileSync(file, 'utf8'), file, SCENARIO);
  const runs = planRuns(scenario, file);
  const base = settings.calibrate ? await calibrate(realClock) : DEFAULT_COSTS;
  const costs = { ...base, ...scenario.costs };
  const from = settings.calibrate ? `measured before this run, ${machine()}` : 'the defaults of the package';
  const elapsed = (): number => realClock.elapsed();
  const bar = process.stderr.isTTY ? new ProgressBar(process.stderr, elapsed) : undefined;
  const results = runs.map((one, i) =>
    simulateRun(one, {
      costs,
      elapsed,
      onProgress: (share) => bar?.show((i + share) / runs.length, `run ${i + 1} of ${runs.length}`),
    }),
  );
  bar?.clear();
  return {
    description: scenario.description ?? '',
    seed: scenario.seed ?? 1,
    costs,
    costsFrom:
      scenario.costs === undefined
        ? from
        : `${Object.keys(scenario.costs).join(', ')} from the scenario; others ${from}`,
    runs: results,
  };
}

const machine = (): string => `Node ${process.versions.node}, ${cpus()[0]?.model ?? 'an unknown processor'}`;

/** As it may stand in a scenario file. */
const calibrationText = (costs: Costs): string =>
  [
    `# microseconds, ${machine()}`,
    'costs:',
    ...Object.entries(costs).map(([name, value]) => `  ${name}: ${String(value)}`),
    '',
  ].join('\n');

function fileOf(scenario: string): string {
  if (existsSync(scenario)) return scenario;
  if (shippedNames().includes(scenario)) return `${folder()}${scenario}.yaml`;
  throw new Error(
    `there is no file ${scenario}, and no scenario of the package: ${shippedNames().join(', ')}`,
  );
}

const shippedNames = (): string[] =>
  readdirSync(folder())
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .sort();

function folder(): string {
  const found = FOLDERS.map((path) => fileURLToPath(new URL(path, import.meta.url))).find(existsSync);
  if (found === undefined) throw new Error('the scenarios of the package are not there');
  return found;
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}
