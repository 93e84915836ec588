/** A command line with all the programs that it starts: they are ended together, and none outlives this script. */
import { spawn } from 'node:child_process';

/** The groups of which something may still run, by the id of their first program. */
const running = new Set();
process.on('exit', () => {
  for (const pid of running) end(pid);
});

/**
 * Runs bash on `text`.
 * Shape: `child`; `closed`, its exit code or signal when it has ended and nobody writes to its pipes any more; `ended()`; `end()`.
 */
export function startGroup(text, { cwd, env, stdio }) {
  const child = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', text], {
    cwd,
    env,
    stdio,
    detached: true,
  });
  const { pid } = child;
  if (pid !== undefined) running.add(pid);
  const closed = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      running.delete(pid);
      resolve(code ?? signal);
    });
  });
  return { child, closed, ended: () => !running.has(pid), end: (signal) => end(pid, signal) };
}

function end(pid, signal = 'SIGTERM') {
  if (!running.has(pid)) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended by itself, and its end is not told yet.
  }
}
