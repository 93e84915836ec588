/** What is measured: the limit, the built server, and a real API server where one is to be had. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT, startProgram, startServer } from '../programs/server.mjs';
import { ask, endpoint } from './load.mjs';

const ORACLE = join(ROOT, '../shared/oracle');
const ORACLE_BINARY = join(
  process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
  'kube-oracle-1.36.3/control-plane',
);

/** Runs `work` with a fresh limit server. */
export async function withLimit(work) {
  const server = await startProgram(process.execPath, [
    fileURLToPath(new URL('limit-server.mjs', import.meta.url)),
  ]);
  try {
    return await work({ ...endpoint(server.url), pid: server.pid });
  } finally {
    await server.stop();
  }
}

/** Runs `work` with a fresh server of ours that has the namespace `bench`, or with the one that `options.target` names. */
export async function withSubject(options, work) {
  if (options.target !== undefined) {
    const subject = { ...endpoint(options.target, options.token), pid: options.pid };
    await furnish(subject);
    return await work(subject);
  }
  const server = await startServer(options.args);
  try {
    const subject = { ...endpoint(server.url), pid: server.pid };
    await furnish(subject);
    return await work(subject);
  } finally {
    await server.stop();
  }
}

/** Whether a real API server can be started here. */
export const oracleIsThere = () => existsSync(ORACLE_BINARY) && existsSync(join(ORACLE, 'up.sh'));

/** Runs `work` with a real API server of our own. Errors: when it does not get ready. */
export async function withOracle(work) {
  const folder = mkdtempSync(join(tmpdir(), 'kube-mockserver-bench-oracle-'));
  const up = spawnSync(join(ORACLE, 'up.sh'), [folder, '19443'], {
    encoding: 'utf8',
    timeout: 60_000,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    if (up.status !== 0) throw new Error('the real API server did not start');
    const oracle = endpoint('https://127.0.0.1:19443', 'oracletoken');
    await furnish(oracle);
    return await work(oracle);
  } finally {
    spawnSync(join(ORACLE, 'down.sh'), [folder], { timeout: 60_000 });
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes the namespace `bench` empty of ConfigMaps. Errors: when the server refuses. */
async function furnish(subject) {
  const made = await ask(subject, 'POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'bench' },
  });
  if (made.status !== 201 && made.status !== 409)
    throw new Error(`namespace: ${made.status} ${made.bytes.toString()}`);
  if (made.status === 409) await ask(subject, 'DELETE', `${MAPS}`);
}

export const MAPS = '/api/v1/namespaces/bench/configmaps';

/** A ConfigMap whose JSON has about `bytes` bytes when sent. */
export function configMap(name, bytes) {
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'bench', labels: { app: 'bench', tier: 'load' } },
    data: { text: '' },
  };
  object.data.text = 'abcdefghijklmnopqrstuvwxyz0123456789'
    .repeat(Math.ceil(bytes / 36))
    .slice(0, Math.max(0, bytes - JSON.stringify(object).length));
  return object;
}
