/** Starts the servers of a run: a real one with ../shared/oracle, ours from dist/, or takes those that run already. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, startServer } from '../programs/server.mjs';

export const TOKEN = 'oracletoken';

/** Without its own background writes and the controller of service accounts, which no scenario could foresee. */
const REAL_FLAGS = [
  '--disable-admission-plugins=ServiceAccount',
  '--endpoint-reconciler-type=none',
  '--feature-gates=APIServerIdentity=false,UnknownVersionInteroperabilityProxy=false',
];

/** Where the real server's scripts are; undefined where they are not, or cannot be built. */
export function oracleFolder() {
  const folder = process.env.KUBE_ORACLE ?? join(ROOT, '../shared/oracle');
  if (!existsSync(join(folder, 'up.sh'))) return undefined;
  return spawnSync('go', ['version']).status === 0 || process.env.ORACLE_BIN !== undefined
    ? folder
    : undefined;
}

/**
 * A real kube-apiserver; compaction: how often it compacts. Its version is that of the scripts: another one is a copy of that folder with another `replace` block, named by KUBE_ORACLE.
 * Errors: what up.sh says when it does not get ready.
 */
export async function startReal({ compaction } = {}) {
  const scripts = oracleFolder();
  if (scripts === undefined) throw new Error('no ../shared/oracle, or no Go to build it with');
  const folder = mkdtempSync(join(tmpdir(), 'differential-real-'));
  const port = await freePorts();
  const flags =
    compaction === undefined ? REAL_FLAGS : [...REAL_FLAGS, `--etcd-compaction-interval=${compaction}`];
  const up = spawnSync(join(scripts, 'up.sh'), [folder, `${port}`, ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  const stop = () => spawnSync(join(scripts, 'down.sh'), [folder]);
  process.once('exit', stop);
  if (up.status !== 0) throw new Error(`up.sh: ${up.stderr}`);
  return {
    url: `https://127.0.0.1:${port}`,
    token: TOKEN,
    stop: async () => {
      stop();
      process.off('exit', stop);
    },
  };
}

/** The built server; compaction: how often it compacts. Errors: as startServer. */
export async function startOurs({ compaction } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'differential-ours-'));
  const tokens = join(folder, 'tokens.csv');
  writeFileSync(tokens, `${TOKEN},oracle,oracle-uid,"system:masters"\n`);
  const server = await startServer([
    '--token-auth-file',
    tokens,
    ...(compaction === undefined ? [] : ['--compaction-interval', compaction]),
  ]);
  return {
    url: server.url,
    token: TOKEN,
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The first of four free ports in a row: the server's, two of etcd's, the controllers'. */
async function freePorts() {
  for (;;) {
    const first = await freePort(0);
    const rest = await Promise.all([1, 2, 3].map((more) => freePort(first + more).catch(() => 0)));
    if (first < 65_000 && rest.every((port) => port !== 0)) return first;
  }
}

function freePort(port) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const { port: taken } = server.address();
      server.close(() => resolve(taken));
    });
  });
}
