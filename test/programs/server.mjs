/** Starts the built server in a process of its own and stops it by its id; for scripts outside jest. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CLI = join(ROOT, 'dist/mockserver/cli/main.js');

/** The children of this script that may still run. */
const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
]) {
  process.on(signal, () => process.exit(code));
}

/**
 * A program that says a URL on its standard output.
 * Shape: `{ url, kubeconfig, pid, readyMs, output(), stop() }`; `readyMs` is from spawn to the line with the URL.
 * Errors: when it ends before, or says nothing for 30 s.
 */
export async function startProgram(command, args, options = {}) {
  const begun = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe', ...(options.ipc ? ['ipc'] : [])] });
  running.add(child);
  const said = [];
  child.stderr.on('data', (chunk) => said.push(chunk.toString()));
  const gone = new Promise((resolve) => child.once('exit', resolve));
  gone.then(() => running.delete(child));
  const url = await new Promise((resolve, reject) => {
    const deadline = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`${args[0]}: no URL within 30 s\n${said.join('')}`));
    }, 30_000);
    gone.then((code) => {
      clearTimeout(deadline);
      reject(new Error(`${args[0]} ended with ${code}\n${said.join('')}`));
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      said.push(`${line}\n`);
      const found = /https?:\/\/[\w.[\]:-]+/.exec(line);
      if (found === null) return;
      clearTimeout(deadline);
      resolve(found[0]);
    });
  });
  return {
    url,
    pid: child.pid,
    readyMs: performance.now() - begun,
    output: () => said.join(''),
    async stop() {
      const insist = setTimeout(() => child.kill('SIGKILL'), 5_000);
      child.kill('SIGTERM');
      await gone;
      clearTimeout(insist);
    },
  };
}

/** The built server on a free port. Errors: as startProgram, and when dist/ is not built. */
export async function startServer(args = []) {
  if (!existsSync(CLI)) throw new Error('dist/ is not built: npm run build');
  const folder = mkdtempSync(join(tmpdir(), 'kube-mockserver-'));
  const kubeconfig = join(folder, 'kubeconfig');
  try {
    const server = await startProgram(process.execPath, [
      CLI,
      'serve',
      '--port',
      '0',
      '--kubeconfig',
      kubeconfig,
      '--quiet',
      ...args,
    ]);
    return {
      ...server,
      kubeconfig,
      async stop() {
        await server.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** A port of 127.0.0.1 that was free a moment ago, with so many free ones from it on. */
export async function freePort(count = 1) {
  for (;;) {
    const first = await listenOnce(0);
    const others = Array.from({ length: count - 1 }, (_, i) => listenOnce(first + 1 + i));
    if ((await Promise.all(others)).every((port) => port !== undefined)) return first;
  }
}

/** Shape: the port, or undefined when it is taken. */
function listenOnce(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(undefined));
    probe.listen(port, '127.0.0.1', () => {
      const { port: got } = probe.address();
      probe.close(() => resolve(got));
    });
  });
}
