/** kubectl, unmodified, beside controllers and a fake node: what it deletes, waits for, drains and asks for. */
import { spawn } from 'node:child_process';
import { clientPrograms } from '../kubectl/tools.mjs';
import { serverUrl, startTarget, type TargetServer } from './server.js';
import { testWith, type Tool } from './tools.js';

const [program, ...before] = clientPrograms().kubectl ?? [];
const tool: Tool = program === undefined ? { missing: 'there is no kubectl 1.36' } : { path: program };
const kubectlTest = testWith(tool, 'kubectl with controllers');

let server: TargetServer | undefined;

beforeAll(async () => {
  server = await startTarget(['--controllers', '*,fake-node', '--quiet']);
}, 60_000);
afterAll(() => server?.stop());

interface Said {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function kubeconfig(): string {
  if (server === undefined) throw new Error('the server did not start');
  return server.kubeconfig;
}

function kubectl(...args: readonly string[]): Promise<Said> {
  if (!('path' in tool)) throw new Error(tool.missing);
  const child = spawn(tool.path, [...before, '--kubeconfig', kubeconfig(), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (piece: Buffer) => (out += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (err += piece.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

/** What it says. Errors: when it ends with another code than 0. */
async function say(...args: readonly string[]): Promise<string> {
  const { code, out, err } = await kubectl(...args);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${err}`);
  return out;
}

const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');
const named = async (...what: readonly string[]): Promise<readonly string[]> =>
  lines(await say('get', ...what, '--output', 'name', '--ignore-not-found'));

/** A deployment of two pods that are ready. */
async function rollOut(name: string): Promise<void> {
  await say('create', 'deployment', name, '--image=nginx', '--replicas=2');
  expect(await say('rollout', 'status', `deployment/${name}`, '--timeout=30s')).toContain(
    `deployment "${name}" successfully rolled out`,
  );
}

kubectlTest(
  'rollout status ends when the pods of a deployment are ready, and wait sees its condition',
  async () => {
    await rollOut('ready');
    expect(await say('wait', '--for=condition=Available', 'deployment/ready', '--timeout=10s')).toBe(
      'deployment.apps/ready condition met\n',
    );
    expect(await say('get', 'deployment', 'ready', '--no-headers')).toMatch(/^ready +2\/2 +2 +2 /);
    await say('set', 'image', 'deployment/ready', 'nginx=nginx:2');
    expect(await say('rollout', 'status', 'deployment/ready', '--timeout=30s')).toContain('successfully');
    expect(lines(await say('rollout', 'history', 'deployment/ready')).slice(2)).toHaveLength(2);
  },
  60_000,
);

kubectlTest(
  'delete with cascade=background lets the dependents go after their owner',
  async () => {
    await rollOut('back');
    expect(await say('delete', 'deployment', 'back', '--cascade=background')).toContain('"back" deleted');
    await say('wait', '--for=delete', 'pods', '--selector=app=back', '--timeout=20s');
    expect(await named('replicasets,pods', '--selector=app=back')).toEqual([]);
  },
  60_000,
);

kubectlTest(
  'delete with cascade=foreground ends when the dependents are gone',
  async () => {
    await rollOut('fore');
    await say('delete', 'deployment', 'fore', '--cascade=foreground', '--timeout=20s');
    expect(await named('deployments,replicasets,pods', '--selector=app=fore')).toEqual([]);
  },
  60_000,
);

kubectlTest(
  'delete with cascade=orphan leaves the dependents, without an owner',
  async () => {
    await rollOut('orphan');
    await say('delete', 'deployment', 'orphan', '--cascade=orphan', '--timeout=20s');
    expect(await named('deployments', '--selector=app=orphan')).toEqual([]);
    const owners = '--output=jsonpath={.items[*].metadata.ownerReferences}';
    expect(await say('get', 'replicasets', '--selector=app=orphan', owners)).toBe('');
    expect(await named('pods', '--selector=app=orphan')).toHaveLength(2);
  },
  60_000,
);

kubectlTest(
  'drain is kept from what a budget forbids, and empties the node when it allows it',
  async () => {
    await rollOut('budget');
    await say('create', 'poddisruptionbudget', 'budget', '--selector=app=budget', '--min-available=2');
    const drain = ['drain', 'fake-node', '--pod-selector=app=budget'];
    await say('wait', '--for=jsonpath={.status.currentHealthy}=2', 'pdb/budget', '--timeout=10s');
    const refused = await kubectl(...drain, '--timeout=2s');
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("Cannot evict pod as it would violate the pod's disruption budget.");
    const pods = await named('pods', '--selector=app=budget');
    expect(pods).toHaveLength(2);
    await say('patch', 'pdb', 'budget', '--type=merge', '--patch={"spec":{"minAvailable":1}}');
    expect(await say(...drain, '--timeout=30s')).toContain('node/fake-node drained');
    // Others have taken their place.
    const after = await named('pods', '--selector=app=budget');
    expect(after.filter((pod) => pods.includes(pod))).toEqual([]);
    await say('uncordon', 'fake-node');
  },
  90_000,
);

kubectlTest(
  'create token gives a signed token of the service account, with which the server knows it',
  async () => {
    const token = (await say('create', 'token', 'default', '--duration=10m')).trim();
    const [, payload = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
    expect(claims['sub']).toBe('system:serviceaccount:default:default');
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(600);
    // kubectl itself sends no token where there is no TLS.
    const review = await fetch(
      `${serverUrl(kubeconfig())}/apis/authentication.k8s.io/v1/selfsubjectreviews`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }),
      },
    );
    expect(await review.json()).toMatchObject({
      status: { userInfo: { username: 'system:serviceaccount:default:default' } },
    });
  },
  60_000,
);

kubectlTest(
  'logs shows what a fake container has written: nothing yet',
  async () => {
    await rollOut('talks');
    expect(await kubectl('logs', 'deployment/talks')).toMatchObject({ code: 0, out: '' });
  },
  60_000,
);
