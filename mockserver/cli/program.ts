/** Which commands there are, with their options. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { readFileSync } from 'node:fs';
import { FEATURES, type FeatureSet } from '../ground/features.js';
import { exec, FAILURES, type ExecSettings } from './exec.js';
import { explain } from './explain.js';
import { serve, type ServeSettings } from './serve.js';
import { simulate, type SimulateSettings } from './simulate.js';

interface PackageFile {
  readonly version: string;
}

/** Runs one command line. Shape: the exit code, when the command has ended. */
export async function run(args: readonly string[]): Promise<number> {
  let code = 0;
  const program = new Command('kube-mockserver')
    .description('A Kubernetes API server for tests: the real watch protocol, in memory, in milliseconds.')
    .version(packageVersion())
    .exitOverride()
    .enablePositionalOptions()
    .showSuggestionAfterError();
  withServerOptions(program.command('serve', { isDefault: true }), 8080)
    .description('serve a fresh cluster until the command is interrupted')
    .addHelpText(
      'after',
      '\nExamples:\n  kube-mockserver --port 18080\n  kube-mockserver serve --port 0 --load crds/ --kubeconfig ./kubeconfig\n',
    )
    .action(async (settings: ServeSettings) => {
      code = await serve(settings);
    });
  withServerOptions(program.command('exec'), 0)
    .description('run a command beside a fresh cluster that KUBECONFIG names, and end with its exit code')
    .argument('<command>', 'what to run, after --')
    .argument('[args...]')
    .passThroughOptions()
    .addHelpText('after', '\nExample:\n  kube-mockserver exec --load crds/ -- npm test\n')
    .option('--report <folder>', 'where to write journal.jsonl, explain.txt, faults.json and timeline.html')
    .option('--fail-on <what,...>', `fail with exit code 3 on any of ${FAILURES.join(', ')}`, failures, [])
    .action(async (command: string, args: readonly string[], settings: ExecSettings) => {
      code = await exec(settings, command, args);
    });
  program
    .command('explain')
    .description('say in words what a file of fault rules does')
    .argument('<file>', 'YAML or JSON file, or the name of a scenario')
    .action((file: string) => {
      process.stdout.write(`${explain(file)}\n`);
    });
  program
    .command('simulate')
    .description(
      'run a scenario of watchers on a clock of its own, on several servers, and compare what clients meet',
    )
    .argument('[scenario]', 'a YAML file, or the name of one that comes with the package')
    .option('--json <file>', 'write the result as JSON')
    .option('--html <file>', 'write the result as a page with plots')
    .option('--calibrate', 'measure what work costs on this machine, and use that; alone: print it', false)
    .option('--list', 'list the scenarios of the package', false)
    .option('--schema', 'print the JSON schema of scenario files', false)
    .option('--quiet', 'print no tables', false)
    .addHelpText(
      'after',
      '\nExamples:\n  kube-mockserver simulate benchmark-family\n  kube-mockserver simulate my.yaml --calibrate --html my.html\n',
    )
    .action(async (scenario: string | undefined, settings: SimulateSettings) => {
      code = await simulate(settings, scenario);
    });
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    process.stderr.write(`kube-mockserver: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
  return code;
}

/** An option that the environment can set, too: its name there follows from its own. */
function declared(flags: string, description: string): Option {
  const option = new Option(flags, description);
  return option.env(`KUBE_MOCKSERVER_${option.name().toUpperCase().replaceAll('-', '_')}`);
}

/**
 * The one place that says which options there are.
 *
 * @param defaultPort 0: a free one
 */
function withServerOptions(command: Command, defaultPort: number): Command {
  return command
    .addOption(
      declared('--port <number>', 'port to listen on; 0 takes a free one')
        .argParser(port)
        .default(defaultPort),
    )
    .addOption(declared('--host <address>', 'address to listen on').default('127.0.0.1'))
    .addOption(
      declared(
        '--kubeconfig <file>',
        'where to write a kubeconfig (default: a file in the temporary folder)',
      ),
    )
    .addOption(
      declared(
        '--token-auth-file <file>',
        'users by bearer token, in the form of kube-apiserver; without it everybody is kubernetes-admin',
      ),
    )
    .addOption(
      several(
        '--load <path>',
        'YAML or JSON file, or a folder of them, to create at the start; may be repeated',
      ),
    )
    .addOption(
      declared(
        '--compaction-interval <duration>',
        'how often history is compacted, such as 5m or 4s; 0 never',
      )
        .argParser(duration)
        .default(300_000, '5m'),
    )
    .addOption(
      declared(
        '--feature-gates <name=bool,...>',
        'features to switch, such as WatchCacheStallResume=false; may be repeated',
      )
        .argParser(gates)
        .default({}),
    )
    .addOption(
      declared(
        '--admission <which>',
        'the plugins of admission: those of kube-apiserver, or none but NamespaceLifecycle',
      )
        .choices(['default', 'none'])
        .default('default'),
    )
    .addOption(
      listed(
        '--enable-admission-plugins <names>',
        'plugins of admission besides, such as ServiceAccount; comma-separated, may be repeated',
      ),
    )
    .addOption(
      listed(
        '--disable-admission-plugins <names>',
        'plugins of admission that do not run; comma-separated, may be repeated',
      ),
    )
    .addOption(declared('--tls-cert-file <file>', 'serve HTTPS with this certificate (PEM)'))
    .addOption(declared('--tls-private-key-file <file>', 'the key of the certificate (PEM)'))
    .addOption(
      several('--faults <file>', 'YAML or JSON file of fault rules in force from the start; may be repeated'),
    )
    .addOption(several('--scenario <name>', 'named fault rules that come with the package; may be repeated'))
    .addOption(
      listed(
        '--controllers <name,...>',
        "controllers to run, by kube-controller-manager's names: * for all, -name for all but one; may be repeated",
      ),
    )
    .addOption(
      declared('--verbose', 'log every watch, when it ends too, and the whole name of every client').default(
        false,
      ),
    )
    .addOption(declared('--quiet', 'log no requests').default(false));
}

/** One value each time it is given. */
const several = (flags: string, description: string): Option =>
  declared(flags, description).argParser(collect).default([]);

/** Any number of values each time it is given. */
const listed = (flags: string, description: string): Option =>
  declared(flags, description).argParser(list).default([]);

function failures(text: string): readonly string[] {
  const all = text.split(',').filter((one) => one !== '');
  for (const one of all) {
    if (!FAILURES.some((known) => known === one))
      throw new InvalidArgumentError(`It is one of ${FAILURES.join(', ')}.`);
  }
  return all;
}

function port(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65_535)
    throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return value;
}

/** `Name=true,Other=false`, as kube-apiserver takes them. */
function gates(text: string, before: Partial<FeatureSet>): Partial<FeatureSet> {
  const found: Record<string, boolean> = { ...before };
  for (const one of text.split(',').filter((part) => part !== '')) {
    const [name = '', value = ''] = one.split('=');
    if (!Object.hasOwn(FEATURES, name)) {
      throw new InvalidArgumentError(`Features are ${Object.keys(FEATURES).join(', ')}.`);
    }
    if (value !== 'true' && value !== 'false') throw new InvalidArgumentError(`${name} is true or false.`);
    found[name] = value === 'true';
  }
  return found;
}

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `5m`, `1m30s`, `0`. Shape: milliseconds. */
function duration(text: string): number {
  if (text === '0') return 0;
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) {
    throw new InvalidArgumentError('A duration is written like 5m, 4s or 1m30s.');
  }
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)) {
    total += Number(amount) * (UNITS_MS[unit ?? ''] ?? 0);
  }
  return total;
}

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

/** Names between commas, added to those of before. */
const list = (value: string, before: readonly string[]): readonly string[] => [
  ...before,
  ...value.split(',').filter((name) => name !== ''),
];

function packageVersion(): string {
  // From dist/mockserver/cli and from mockserver/cli alike, the package is the nearest folder with a package.json.
  for (const up of ['../../', '../../../']) {
    try {
      return (JSON.parse(readFileSync(new URL(`${up}package.json`, import.meta.url), 'utf8')) as PackageFile)
        .version;
    } catch {
      continue;
    }
  }
  return 'unknown';
}
