#!/usr/bin/env node
/** Runs the commands of commands.yaml against the built server and compares what is said with a real server's. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT, startServer } from '../programs/server.mjs';
import { runCommand } from './command.mjs';
import { masked } from './masks.mjs';
import { clientPrograms, startRealServer } from './tools.mjs';

const USAGE = `usage: npm run kubectl -- [options]
  --only TEXT        these sections (a part of the name); what they need must have run before: for looking at a server
  --recorded         compare with recorded outputs even where a real server could run
  --record           write what the real server says to fixtures/recorded/kubectl
  --target FILE      kubeconfig of the server to test, instead of the built one
  --real FILE        kubeconfig of an empty real server (1.36), instead of one started here
  --verbose          both outputs of every difference
  --raise            write floors that are higher than those in floor.json; none is lowered
exit: 0 at or above every floor, 1 below one, 2 usage; 0 and a line "skipped" where there is no kubectl 1.36`;

const HERE = join(ROOT, 'test/kubectl');
const FLOORS = join(HERE, 'floor.json');
const RECORDED = join(ROOT, 'fixtures/recorded/kubectl/outputs.json');

const options = parseOptions(process.argv.slice(2));
process.exitCode = await main();

async function main() {
  const programs = clientPrograms();
  if (programs.kubectl === undefined) {
    console.log(
      'skipped: kubectl: there is no kubectl 1.36 (npm could not fetch one); KUBE_MOCKSERVER_KUBECTL may name it',
    );
    return 0;
  }
  const sections = parse(readFileSync(join(HERE, 'commands.yaml'), 'utf8')).filter(
    ({ section }) => options.only === undefined || section.includes(options.only),
  );
  const folder = mkdtempSync(join(tmpdir(), 'kube-mockserver-kubectl-'));
  const real = options.recorded ? undefined : await realServer();
  const recorded =
    real === undefined && existsSync(RECORDED) ? JSON.parse(readFileSync(RECORDED, 'utf8')) : {};
  if (real === undefined && !existsSync(RECORDED)) {
    console.log('skipped: kubectl: there is neither a real server nor a recording');
    return 0;
  }
  console.log(
    `compared with ${real === undefined ? 'recorded outputs' : 'a real server'}; ${programs.kubectl.join(' ')}`,
  );
  const ours = options.target === undefined ? await startServer() : undefined;
  try {
    const targets = {
      ours: { kubeconfig: ours?.kubeconfig ?? options.target, home: join(folder, 'ours') },
      ...(real === undefined ? {} : { real: { kubeconfig: real.kubeconfig, home: join(folder, 'real') } }),
    };
    const results = [];
    for (const { section, commands } of sections) {
      for (const [i, command] of commands.entries()) {
        // The same words may stand in several places.
        const key = `${section} ${i + 1}: ${command.run}`;
        if (command.run.startsWith('helm ') && programs.helm === undefined) continue;
        results.push({
          section,
          command,
          key,
          ...(await compared(targets, programs, command, recorded[key])),
        });
      }
    }
    if (options.record) {
      const outputs = results.map(({ key, wanted }) => [key, wanted]);
      writeFileSync(RECORDED, `${JSON.stringify(Object.fromEntries(outputs), null, 1)}\n`);
    }
    return report(results);
  } finally {
    await ours?.stop();
    await real?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function realServer() {
  if (options.real !== undefined) return { kubeconfig: options.real, stop: () => undefined };
  return startRealServer();
}

async function compared(targets, programs, command, recorded) {
  const [ours, real] = await Promise.all(
    [targets.ours, targets.real].map(async (target) => {
      if (target === undefined) return undefined;
      const { code, text } = await runCommand(target, programs, command);
      return { code, text: masked(text, command) };
    }),
  );
  const wanted = real ?? recorded ?? { code: '', text: 'not recorded' };
  return { said: ours, wanted, equal: ours.code === wanted.code && ours.text === wanted.text };
}

function report(results) {
  const floors = existsSync(FLOORS) ? JSON.parse(readFileSync(FLOORS, 'utf8')) : {};
  for (const { command, said, wanted, equal } of results) {
    if (equal) continue;
    console.log(
      `differs: ${command.run}${command.notYet === undefined ? '' : `   (not yet: ${command.notYet})`}`,
    );
    if (options.verbose) show({ said, wanted });
  }
  const names = [...new Set(results.map(({ section }) => section))];
  let below = 0;
  console.log();
  for (const section of names) {
    const own = results.filter((result) => result.section === section);
    const equal = own.filter((result) => result.equal).length;
    const floor = floors[section] ?? 0;
    if (equal < floor) below++;
    if (options.raise) floors[section] = Math.max(equal, floor);
    const verdict = equal < floor ? 'BELOW' : 'ok';
    console.log(`${section.padEnd(28)} ${`${equal}/${own.length}`.padStart(8)} (floor ${floor})  ${verdict}`);
  }
  if (options.raise) writeFileSync(FLOORS, `${JSON.stringify(floors, null, 2)}\n`);
  const equal = results.filter((result) => result.equal).length;
  console.log(
    `kubectl: ${equal} of ${results.length} commands equal (${Math.floor((1000 * equal) / results.length) / 10} %)`,
  );
  console.log(`kubectl: ${names.length - below} sections at or above their floor, ${below} below`);
  return below === 0 ? 0 : 1;
}

/** The lines that only one of the two has, around the first that differs. */
function show({ said, wanted }) {
  if (said.code !== wanted.code) console.log(`    code ${said.code}, a real server's ${wanted.code}`);
  const [ours, theirs] = [said.text.split('\n'), wanted.text.split('\n')];
  for (const line of theirs) if (!ours.includes(line)) console.log(`    - ${line}`);
  for (const line of ours) if (!theirs.includes(line)) console.log(`    + ${line}`);
  if (said.text !== wanted.text && [...ours].sort().join() === [...theirs].sort().join())
    console.log('    the order differs');
}

function parseOptions(args) {
  const parsed = {};
  const rest = [...args];
  while (rest.length > 0) {
    const option = rest.shift();
    if (['--only', '--target', '--real'].includes(option) && rest.length > 0)
      parsed[option.slice(2)] = rest.shift();
    else if (['--record', '--recorded', '--verbose', '--raise'].includes(option))
      parsed[option.slice(2)] = true;
    else {
      console.error(USAGE);
      process.exit(2);
    }
  }
  return parsed;
}
