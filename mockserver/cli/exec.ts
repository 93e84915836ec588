/** `exec`: a command beside a server of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeKubeconfig } from '../facade/kubeconfig.js';
import { type MockServer } from '../facade/mock-server.js';
import { type ExecSettings, type FAILURES } from '../facade/options.js';
import { realClock } from '../ground/clock.js';
import { clientPaths } from '../observe/client-path.js';
import { journalText } from '../observe/journal-text.js';
import { type PathName, pathNames } from '../observe/path-name.js';
import { LogSink } from './log-sink.js';
import { startedWith } from './serve.js';

const FAILED_ON = 3;

const PATH_FAILURES: readonly (readonly [PathName, (typeof FAILURES)[number]])[] = [
  ['hot loop', 'hot-loop'],
  ['relist storm', 'relist-storm'],
  ['stale reads', 'stale-reads'],
];

function failuresOf({ journal, faults }: MockServer): (typeof FAILURES)[number][] {
  const names = new Set(clientPaths(journal.entries).flatMap(pathNames));
  return [
    ...PATH_FAILURES.filter(([name]) => names.has(name)).map(([, failure]) => failure),
    ...(faults.unfired.length === 0 ? [] : (['unfired'] as const)),
  ];
}

function writeReport({ journal, faults }: MockServer, folder: string, command: string): void {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const { entries } = journal;
  write('journal.jsonl', journalText(entries));
  write('explain.txt', `${journal.all.explain()}\n`);
  write('timeline.html', journal.all.timeline(command));
  const { rules, unfired } = faults;
  write('faults.json', `${JSON.stringify({ rules, unfired, dropped: journal.dropped }, null, 2)}\n`);
}

/**
 * Starts a server, runs the command with KUBECONFIG naming it, and stops the server when the command has ended.
 *
 * Shape: the exit code of the command, or 3 when it is 0 and something happened that `failOn` names; 128 and the signal's number when a signal ended it.
 * Errors: those of a server that cannot start; an Error when the command cannot be run.
 */
export async function exec(
  settings: ExecSettings,
  command: string,
  args: readonly string[],
): Promise<number> {
  const sink = new LogSink(process.stderr, realClock);
  const { server, journalFile } = await startedWith(settings, sink);
  const folder = mkdtempSync(join(tmpdir(), 'kube-mockserver-'));
  try {
    const path = settings.kubeconfig ?? join(folder, 'kubeconfig');
    writeKubeconfig(path, server.kubeconfig);
    const code = await ended(command, args, { ...process.env, KUBECONFIG: path });
    if (settings.report !== undefined) writeReport(server, settings.report, command);
    const failures = failuresOf(server);
    const failed = (settings.failOn ?? []).filter((one) => failures.includes(one));
    if (failed.length === 0) return code;
    process.stderr.write(`kube-mockserver: failed on ${failed.join(', ')}\n`);
    return code === 0 ? FAILED_ON : code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await server.stop();
    await journalFile?.close();
    sink.flush();
  }
}

/** Programs of npm are scripts on Windows, which its command interpreter alone can run. */
function started(command: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  return process.platform === 'win32'
    ? spawn(windowsLine([command, ...args]), { stdio: 'inherit', env, shell: true })
    : spawn(command, args, { stdio: 'inherit', env });
}

/** Words as the command interpreter of Windows takes them. */
export const windowsLine = (words: readonly string[]): string =>
  words.map((word) => (/^[\w.,:=@/\\+-]+$/.test(word) ? word : `"${word.replaceAll('"', '""')}"`)).join(' ');

function ended(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = started(command, args, env);
    // A terminal sends these to the command as well: what it makes of them is its own affair, and the server waits.
    const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, pass);
    const done = (): void => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, pass);
    };
    child.once('error', (error) => {
      done();
      reject(new Error(`cannot run ${command}: ${error.message}`));
    });
    child.once('exit', (code, signal) => {
      done();
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}
