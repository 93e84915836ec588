/** Which commands there are, with their options. */
import { Command, CommanderError } from 'commander';
import { readFileSync } from 'node:fs';
import { path } from '../facade/option-form.js';
import { DEFAULT_CLUSTER } from '../registry/cluster-options.js';
import {
  EXEC_OPTIONS,
  type ExecSettings,
  LINE_OPTIONS,
  type LineSettings,
  type Option,
  type Options,
} from '../facade/options.js';
import { CONFIGURATION_FILES, configurationIn, readConfiguration } from './configuration.js';
import { exitCode, findings, report } from './doctor.js';
import { exec } from './exec.js';
import { explain } from './explain.js';
import { importCluster, type ImportSettings } from './import.js';
import { lineOption, readSwitches } from './line-option.js';
import { LOOPBACK, serve, USUAL_PORT } from './serve.js';
import { simulate, type SimulateSettings } from './simulate.js';

interface PackageFile {
  readonly version: string;
  readonly engines: { readonly node: string };
}

/** What `doctor` asks of. */
const ADDRESS_OPTIONS = { host: LINE_OPTIONS.host, port: LINE_OPTIONS.port };

const CONFIG_OPTION: Option<string> = {
  form: path(),
  says: 'YAML or JSON file of these options',
  otherwise: `${CONFIGURATION_FILES[0]} of the working folder, if there is one`,
};

/** Runs one command line. Shape: the exit code, when the command has ended. */
export async function run(args: readonly string[]): Promise<number> {
  let code = 0;
  const program = commands((ended) => {
    code = ended;
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

/** The commands with their options. @param end told the exit code of the one that ran */
export function commands(end: (code: number) => void): Command {
  const program = new Command('kube-mockserver')
    .description('A Kubernetes API server for tests: the real watch protocol, in memory, in milliseconds.')
    .version(packageFile().version)
    .exitOverride()
    .enablePositionalOptions()
    .showSuggestionAfterError();
  withConfiguration(withOptions(program.command('serve', { isDefault: true }), LINE_OPTIONS))
    .description('serve a fresh cluster until the command is interrupted')
    .addHelpText(
      'after',
      '\nExamples:\n  kube-mockserver --port 18080\n  kube-mockserver serve --port 0 --load crds/ --kubeconfig ./kubeconfig\n',
    )
    .action(async (settings: LineSettings) => {
      end(await serve(settings));
    });
  withConfiguration(withOptions(program.command('exec'), { ...LINE_OPTIONS, ...EXEC_OPTIONS }))
    .description('run a command beside a fresh cluster that KUBECONFIG names, and end with its exit code')
    .argument('<command>', 'what to run, after --')
    .argument('[args...]')
    .passThroughOptions()
    .addHelpText('after', '\nExample:\n  kube-mockserver exec --load crds/ -- npm test\n')
    .action(async (command: string, args: readonly string[], settings: ExecSettings) => {
      end(await exec(settings, command, args));
    });
  withConfiguration(withOptions(program.command('doctor'), ADDRESS_OPTIONS))
    .description(
      'look at what a server and its clients need on this machine, and say how to mend what is wrong',
    )
    .action(async ({ host = LOOPBACK, port = USUAL_PORT }: LineSettings) => {
      const all = await findings({
        host,
        port,
        nodeVersion: process.version,
        nodeNeeded: packageFile().engines.node,
        kubernetesVersion: DEFAULT_CLUSTER.kubernetesVersion,
        kubectl: 'kubectl',
      });
      process.stdout.write(`${report(all)}\n`);
      end(exitCode(all));
    });
  program
    .command('import')
    .description('write what a running cluster tells of its API, to serve the same with --openapi')
    .requiredOption('--from <where>', 'a kubeconfig, or the URL of a cluster that lets everybody read')
    .option('--context <name>', 'context of the kubeconfig (default: its current one)')
    .option('--out <folder>', 'where to write the documents', 'cluster-api')
    .addHelpText(
      'after',
      '\nExample:\n  kube-mockserver import --from ~/.kube/config --out api/\n  kube-mockserver serve --openapi api/\n',
    )
    .action(async (settings: ImportSettings) => {
      const written = await importCluster(settings);
      process.stdout.write(`${written} documents in ${settings.out}\n`);
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
      end(await simulate(settings, scenario));
    });
  return program;
}

/** Adds declared options. */
function withOptions(command: Command, options: Options): Command {
  for (const [name, option] of Object.entries(options)) command.addOption(lineOption(name, option));
  return command.hook('preAction', () => readSwitches(command));
}

/** What the command line and the environment do not say, the configuration file may. */
function withConfiguration(command: Command): Command {
  const config = lineOption('config', CONFIG_OPTION);
  return command.addOption(config).hook('preAction', () => {
    const { config: named } = command.opts<{ readonly config?: string }>();
    const file = named ?? configurationIn(process.cwd());
    if (file === undefined) return;
    for (const [name, value] of Object.entries(readConfiguration(file)))
      if (command.getOptionValueSource(name) === undefined)
        command.setOptionValueWithSource(name, value, 'config');
  });
}

function packageFile(): PackageFile {
  // From dist/mockserver/bundle and from mockserver/cli alike, the package is the nearest folder with a package.json.
  for (const up of ['../../', '../../../']) {
    try {
      // as: it is ours
      return JSON.parse(readFileSync(new URL(`${up}package.json`, import.meta.url), 'utf8')) as PackageFile;
    } catch {
      continue;
    }
  }
  return { version: 'unknown', engines: { node: '' } };
}
