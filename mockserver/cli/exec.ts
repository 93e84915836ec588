/** `exec`: a command beside a server of its own. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeKubeconfig } from '../facade/kubeconfig.js';
import { startMockServer } from '../facade/mock-server.js';
import { realClock } from '../ground/clock.js';
import { LogSink } from './log-sink.js';
import { optionsOf, type ServeSettings } from './serve.js';

/**
 * Starts a server, runs the command with KUBECONFIG naming it, and stops the server when the command has ended.
 *
 * Shape: the exit code of the command; 128 and the signal's number when a signal ended it.
 * Errors: those of a server that cannot start; an Error when the command cannot be run.
 */
export async function exec(
  settings: ServeSettings,
  command: string,
  args: readonly string[],
): Promise<number> {
  const sink = new LogSink(process.stderr, realClock);
  const server = await startMockServer(optionsOf(settings, sink));
  const folder = mkdtempSync(join(tmpdir(), 'kube-mockserver-'));
  try {
    const path = settings.kubeconfig ?? join(folder, 'kubeconfig');
    writeKubeconfig(path, server.kubeconfig);
    return await ended(command, args, { ...process.env, KUBECONFIG: path });
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await server.stop();
    sink.flush();
  }
}

function ended(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', env });
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
