/** The command: `npm run guarantees -- --help`. Run by run.mjs, which compiles it first. */
import fc from 'fast-check';
import { parseArgs } from 'node:util';
import { MUTATIONS } from './mutations.js';
import { runInProcess } from './run-in-process.js';
import { runOverHttp } from './run-over-http.js';
import { type Scenario, scenarios } from './scenario.js';
import { Tally } from './tally.js';

const USAGE = `usage: npm run guarantees -- [options]
  --sessions N   watch sessions in process, in virtual time (default 10000)
  --http N       watch sessions over HTTP, in real time (default 0)
  --seed N       where chance begins (default: another one each time; it is printed)
  --path P       replays one shrunk scenario of a seed, as a failure prints it
  --mutations    puts each deliberate bug in and requires that it is found
exit: 0 when every guarantee holds (and every bug was found), 1 when not`;

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '10000' },
    http: { type: 'string', default: '0' },
    seed: { type: 'string' },
    path: { type: 'string' },
    mutations: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** Scenarios that a deliberate bug has to be found in. */
const MUTATION_SCENARIOS = 4000;
/** Scenarios between two looks at whether there have been enough sessions. */
const BATCH = 500;

if (values.help) console.log(USAGE);
else process.exitCode = (await main()) ? 0 : 1;

async function main(): Promise<boolean> {
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
  console.log(`seed ${seed}`);
  if (values.mutations) return mutationCheck(seed);
  return inProcess(seed, Number(values.sessions)) && (await overHttp(seed, Number(values.http)));
}

function inProcess(seed: number, wanted: number): boolean {
  const tally = new Tally();
  const began = Date.now();
  for (let batch = 0; tally.totals.sessions < wanted; batch++) {
    const failure = check(seed + batch, BATCH, (scenario) => {
      const outcome = runInProcess(scenario);
      tally.add(outcome);
      return outcome.broken;
    });
    if (failure !== undefined) {
      console.log(failure);
      return false;
    }
  }
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  console.log(
    `in process: ${tally.scenarios} scenarios hold in ${seconds} s: ${JSON.stringify(tally.totals)}`,
  );
  return true;
}

/** Shape: a report with the smallest failing scenario and how to run it again, or undefined. */
function check(
  seed: number,
  runs: number,
  run: (scenario: Scenario) => readonly string[],
): string | undefined {
  const details = fc.check(
    fc.property(scenarios(), (scenario) => {
      const broken = run(scenario);
      if (broken.length > 0) throw new Error(broken.slice(0, 5).join('\n'));
    }),
    { seed, numRuns: runs, ...(values.path === undefined ? {} : { path: values.path }) },
  );
  if (!details.failed) return undefined;
  const [smallest] = details.counterexample ?? [];
  const error = details.errorInstance;
  return [
    `broken: npm run guarantees -- --seed ${details.seed} --path ${details.counterexamplePath ?? ''}`,
    error instanceof Error ? error.message : String(error),
    JSON.stringify(smallest),
  ].join('\n');
}

function mutationCheck(seed: number): boolean {
  let found = 0;
  for (const { name, apply } of MUTATIONS) {
    let runs = 0;
    const undo = apply();
    let why: string | undefined;
    try {
      why = check(seed, MUTATION_SCENARIOS, (scenario) => {
        runs++;
        return runInProcess(scenario).broken;
      });
    } finally {
      undo();
    }
    if (why !== undefined) found++;
    const sentence = why?.split('\n')[1]?.replace(/^session \d+ \(.*\): /, '');
    console.log(
      why === undefined
        ? `MISSED  ${name}`
        : `found   ${name}: ${sentence ?? ''} (${runs} runs with shrinking)`,
    );
  }
  console.log(`mutations: ${found} of ${MUTATIONS.length} found`);
  return found === MUTATIONS.length;
}

async function overHttp(seed: number, wanted: number): Promise<boolean> {
  if (wanted === 0) return true;
  const { sessions, broken, summary } = await runOverHttp(seed, wanted);
  for (const text of broken.slice(0, 5)) console.log(`broken: ${text}`);
  console.log(`over HTTP: ${sessions} sessions, ${broken.length} broken: ${summary}`);
  return broken.length === 0;
}
