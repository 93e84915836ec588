/** The packed tarball, installed beside what a user's project has. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** What `npm pack --json` says of one tarball. */
export interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/** Shape: the standard output. Errors: an Error with both outputs when the command fails. */
export function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): string {
  return execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    timeout: 300_000,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...withoutJest(process.env), NO_COLOR: '1', ...env },
  });
}

/** A run of jest within a test of jest must not take itself for a worker of the outer one. */
function withoutJest(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => name !== 'NODE_OPTIONS' && name !== 'JEST_WORKER_ID'),
  );
}

/** Packs into a folder. Scripts are left out: `prepare` would rebuild dist/ under the feet of whatever else runs from it. */
export function pack(folder: string): Packed {
  const answer = run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root);
  const [tarball] = JSON.parse(answer) as Packed[];
  if (tarball === undefined) throw new Error('npm pack made nothing');
  return tarball;
}

/** A copy of a folder of projects with the package installed. Shape: where it is, and what was packed. */
export function installedCopy(projects: string): { readonly folder: string; readonly packed: Packed } {
  const folder = mkdtempSync(join(tmpdir(), 'kube-mockserver-projects-'));
  cpSync(projects, folder, { recursive: true });
  const packed = pack(folder);
  const settings = ['--no-audit', '--no-fund', '--prefer-offline'];
  run('npm', ['install', ...settings, `./${packed.filename}`], folder);
  return { folder, packed };
}
