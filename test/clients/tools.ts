/** The other languages' tools: is each there, and the clients built with them, kept between runs. */
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A program ready to run, or the reason why there is none. */
export type Tool = { readonly path: string } | { readonly missing: string };

const CACHE = join(tmpdir(), 'kube-mockserver-clients');
const PYTHON_CLIENT = 'kubernetes==37.*';

/** The client-go informer of test/clients/go. */
export const goInformer = (): Tool => goProgram('go', 'informer');

/** The typed clients of test/clients/go-typed: a client-go clientset and a controller-runtime operator. */
export const goTyped = (): Tool => goProgram('go-typed', 'typed');

/** The program of a folder of Go, built once per state of its sources. */
function goProgram(folder: string, name: string): Tool {
  const sources = fileURLToPath(new URL(folder, import.meta.url));
  const version = run('go', ['env', 'GOVERSION']);
  if (version.status !== 0) return { missing: 'go is not on PATH' };
  const hash = createHash('sha256').update(version.stdout);
  for (const file of readdirSync(sources).sort()) hash.update(readFileSync(join(sources, file)));
  const path = join(CACHE, `${name}-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(path)) return { path };
  mkdirSync(CACHE, { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  const built = run('go', ['build', '-o', unfinished, '.'], sources);
  if (built.status !== 0) return { missing: `go build failed: ${lastLine(built)}` };
  renameSync(unfinished, path);
  return { path };
}

/** A Python with the kubernetes client, in a virtual environment made once for each version of Python. */
export function pythonClient(): Tool {
  const version = run('python3', ['-c', 'import platform, venv; print(platform.python_version())']);
  if (version.status !== 0) return { missing: 'python3 with venv is not on PATH' };
  const folder = join(CACHE, `python-${version.stdout.trim()}-kubernetes-37`);
  const path = join(folder, 'bin', 'python');
  if (run(path, ['-c', 'import kubernetes']).status === 0) return { path };
  // Test files of other workers may be doing the same: each makes its own, and the first that is ready is kept.
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(CACHE, { recursive: true });
  const made = run('python3', ['-m', 'venv', unfinished]);
  if (made.status !== 0) return { missing: `no virtual environment: ${lastLine(made)}` };
  const installed = run(join(unfinished, 'bin', 'python'), [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    PYTHON_CLIENT,
  ]);
  if (installed.status !== 0)
    return { missing: `pip install ${PYTHON_CLIENT} failed: ${lastLine(installed)}` };
  try {
    renameSync(unfinished, folder);
  } catch {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return { path };
}

/**
 * `test` where the tool is there. Else the tests are counted as skipped, and one line says why, unless
 * KUBE_MOCKSERVER_ALL_CLIENTS=1 asks for all: then its absence is an error.
 */
export function testWith(tool: Tool, client: string): typeof test {
  if ('path' in tool) return test;
  if (process.env['KUBE_MOCKSERVER_ALL_CLIENTS'] === '1') throw new Error(`${client}: ${tool.missing}`);
  process.stderr.write(`skipped: ${client}: ${tool.missing}\n`);
  return test.skip;
}

function run(command: string, args: readonly string[], cwd?: string): SpawnSyncReturns<string> {
  return spawnSync(command, args, {
    encoding: 'utf8',
    timeout: 300_000,
    ...(cwd === undefined ? {} : { cwd }),
  });
}

function lastLine({ stderr, error }: SpawnSyncReturns<string>): string {
  return error?.message ?? stderr.trim().split('\n').at(-1) ?? '';
}
