/** The server under test, in a process of its own, as a client meets it: a URL and a kubeconfig. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lines } from './line-stream.js';

const CLI = fileURLToPath(new URL('../../dist/mockserver/cli/main.js', import.meta.url));

/** Names a kubeconfig: the tests then talk to that cluster and start no server. */
export const TARGET_VARIABLE = 'KUBE_MOCKSERVER_TARGET';

/** False when the tests talk to a cluster that somebody else runs. */
export const OWN_SERVER = process.env[TARGET_VARIABLE] === undefined;

export interface TargetServer {
  readonly kubeconfig: string;
  /** Stops the server and starts an empty one on the same port; only where OWN_SERVER. */
  restart(): Promise<void>;
  /** Stops the server, if it is ours. Waits until it is gone. */
  stop(): Promise<void>;
}

/**
 * The cluster named by KUBE_MOCKSERVER_TARGET, or else the built server on a free port.
 * Errors: when dist/ has not been built, and when no URL is printed within 20 s.
 */
export async function startTarget(options: readonly string[] = []): Promise<TargetServer> {
  const target = process.env[TARGET_VARIABLE];
  if (target !== undefined) {
    return {
      kubeconfig: target,
      restart: () =>
        Promise.reject(new Error('the cluster of KUBE_MOCKSERVER_TARGET is not ours to restart')),
      stop: () => Promise.resolve(),
    };
  }
  if (!existsSync(CLI)) throw new Error(`${CLI} is not there: npm run build`);
  const folder = mkdtempSync(join(tmpdir(), 'kube-mockserver-clients-'));
  const kubeconfig = join(folder, 'kubeconfig');
  const port = await freePort();
  const start = (): Promise<ChildProcess> =>
    startProgram(['serve', '--port', String(port), '--kubeconfig', kubeconfig, ...options]);
  let child = await start();
  return {
    kubeconfig,
    restart: async () => {
      await stopProgram(child);
      child = await start();
    },
    stop: async () => {
      await stopProgram(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startProgram(args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const said: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  await new Promise<void>((resolve, reject) => {
    const deadline = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`no URL within 20 s: ${said.join('')}`));
    }, 20_000);
    child.once('exit', (code) => {
      clearTimeout(deadline);
      reject(new Error(`the server ended with ${code}: ${said.join('')}`));
    });
    lines(child.stdout, (line) => {
      said.push(`${line}\n`);
      if (!line.includes('http')) return;
      clearTimeout(deadline);
      child.removeAllListeners('exit');
      resolve();
    });
  });
  return child;
}

/** Asks with SIGTERM, insists after 5 s. */
export async function stopProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise<void>((resolve) => {
    const insist = setTimeout(() => child.kill('SIGKILL'), 5_000);
    child.once('exit', () => {
      clearTimeout(insist);
      resolve();
    });
    child.kill('SIGTERM');
  });
}

/** A port of 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** The first `server:` of a kubeconfig. */
export function serverUrl(kubeconfig: string): string {
  const found = /server: *"?(https?:\/\/[^\s"]+)/.exec(readFileSync(kubeconfig, 'utf8'));
  if (found?.[1] === undefined) throw new Error(`${kubeconfig} names no server`);
  return found[1];
}
