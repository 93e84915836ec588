/** `doctor`: looks at what a server and its clients need on this machine, and says how to mend what is wrong. */
import { execFile } from 'node:child_process';
import { createServer } from 'node:net';

export interface Finding {
  readonly state: 'good' | 'note' | 'bad';
  /** What was looked at. */
  readonly what: string;
  readonly found: string;
  /** How to mend it. */
  readonly remedy?: string;
}

export interface Patient {
  readonly host: string;
  readonly port: number;
  /** `v20.20.2` */
  readonly nodeVersion: string;
  /** `>=20.10`, of the package. */
  readonly nodeNeeded: string;
  /** Minor version of the API that is served. */
  readonly kubernetesVersion: string;
  /** What kubectl is called. */
  readonly kubectl: string;
}

/** One look each. Shape: in the order in which they are told. */
export async function findings(patient: Patient): Promise<readonly Finding[]> {
  return [nodeFinding(patient), await portFinding(patient), await kubectlFinding(patient)];
}

/** Lines for a terminal. */
export const report = (all: readonly Finding[]): string =>
  all
    .map(({ state, what, found, remedy }) =>
      [`${MARKS[state]} ${what}: ${found}`, ...(remedy === undefined ? [] : [`     ${remedy}`])].join('\n'),
    )
    .join('\n');

/** Shape: 1 when something is in the way of a server. */
export const exitCode = (all: readonly Finding[]): number =>
  all.some(({ state }) => state === 'bad') ? 1 : 0;

const MARKS: Readonly<Record<Finding['state'], string>> = { good: 'ok  ', note: 'note', bad: 'FAIL' };

/** @param nodeNeeded a lower bound */
export function nodeFinding({
  nodeVersion,
  nodeNeeded,
}: Pick<Patient, 'nodeVersion' | 'nodeNeeded'>): Finding {
  const [have, need] = [numbersOf(nodeVersion), numbersOf(nodeNeeded)];
  const differs = need.findIndex((number, i) => number !== (have[i] ?? 0));
  const good = differs < 0 || (have[differs] ?? 0) > (need[differs] ?? 0);
  return good
    ? { state: 'good', what: 'Node.js', found: nodeVersion }
    : {
        state: 'bad',
        what: 'Node.js',
        found: `${nodeVersion}, but ${nodeNeeded} is needed`,
        remedy: 'Install a newer one from https://nodejs.org, or with nvm: nvm install --lts',
      };
}

const numbersOf = (version: string): readonly number[] => (version.match(/\d+/g) ?? []).map(Number);

async function portFinding({ host, port }: Patient): Promise<Finding> {
  const what = `port ${port} of ${host}`;
  const code = await bindingError(host, port);
  if (code === undefined) return { state: 'good', what, found: 'free' };
  return { state: 'bad', what, found: FOUND[code] ?? code, remedy: REMEDIES[code] ?? OTHER_PORT };
}

const OTHER_PORT = 'Take another port: --port 18080; or any that is free: --port 0';

const FOUND: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EACCES: 'this user may not listen there',
  EADDRNOTAVAIL: 'no address of this machine',
  ENOTFOUND: 'no name that leads to an address',
};

const REMEDIES: Readonly<Record<string, string>> = {
  EACCES: 'Take a port from 1024 up: --port 18080',
  EADDRNOTAVAIL: 'Take --host 127.0.0.1, or --host 0.0.0.0 for all addresses of the machine',
  ENOTFOUND: 'Take --host 127.0.0.1, or --host 0.0.0.0 for all addresses of the machine',
};

/** Shape: the code of the error that listening fails with; undefined when it does not. */
function bindingError(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}

async function kubectlFinding({ kubectl, kubernetesVersion }: Patient): Promise<Finding> {
  const what = 'kubectl';
  const said = await output(kubectl, ['version', '--client', '--output=json']);
  if (said === undefined)
    return {
      state: 'note',
      what,
      found: 'not there; the server does not need it',
      remedy: 'To look into clusters from a terminal: https://kubernetes.io/docs/tasks/tools',
    };
  const version = /"gitVersion":\s*"v?([^"]+)"/.exec(said)?.[1];
  if (version === undefined) return { state: 'note', what, found: 'does not tell its version' };
  const apart = Math.abs((numbersOf(version)[1] ?? 0) - (numbersOf(kubernetesVersion)[1] ?? 0));
  return apart <= MOST_APART
    ? { state: 'good', what, found: version }
    : {
        state: 'note',
        what,
        found: `${version}, and the API is of ${kubernetesVersion}`,
        remedy: `kubectl is made for servers one minor version apart: install ${kubernetesVersion} for all of its commands`,
      };
}

/** Source: the version skew policy of Kubernetes. */
const MOST_APART = 1;

/** What a program writes. Shape: undefined when it cannot be run, or fails. */
function output(command: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(command, args, { timeout: LONGEST_MS }, (error, stdout) =>
      resolve(error === null ? stdout : undefined),
    );
  });
}

const LONGEST_MS = 10_000;
