/** What the tests of the simulator share: small scenarios and their runs. */
import { readChecked } from '../../../mockserver/ground/checked-document.js';
import { DEFAULT_COSTS } from '../../../mockserver/simulator/costs.js';
import { type RunResult } from '../../../mockserver/simulator/result.js';
import { planRuns } from '../../../mockserver/simulator/run-plan.js';
import { SCENARIO } from '../../../mockserver/simulator/scenario-schema.js';
import { simulate } from '../../../mockserver/simulator/simulation.js';

/** The runs of a scenario text. */
export function runsOf(text: string): readonly RunResult[] {
  const scenario = readChecked(text, 'test.yaml', SCENARIO);
  return planRuns(scenario, 'test.yaml').map((run) =>
    simulate(run, { costs: { ...DEFAULT_COSTS, ...scenario.costs }, elapsed: () => 0 }),
  );
}

/** A population of a run. Errors: an Error when there is none of that name. */
export function populationOf(run: RunResult | undefined, name: string): RunResult['populations'][number] {
  const found = run?.populations.find((population) => population.name === name);
  if (found === undefined) throw new Error(`no population ${name}`);
  return found;
}
