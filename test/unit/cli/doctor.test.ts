/** `doctor`. */
import { createServer } from 'node:net';
import { exitCode, type Finding, findings, nodeFinding, report } from '../../../mockserver/cli/doctor.js';
import { windowsLine } from '../../../mockserver/cli/exec.js';

const patient = (port: number, host = '127.0.0.1') => ({
  host,
  port,
  nodeVersion: 'v20.20.2',
  nodeNeeded: '>=20.10',
  kubernetesVersion: '1.36',
  kubectl: 'no-such-kubectl',
});

test.each([
  ['v20.20.2', 'good'],
  ['v20.10.0', 'good'],
  ['v22.1.0', 'good'],
  ['v20.9.9', 'bad'],
  ['v18.20.1', 'bad'],
])('Node %s is %s where 20.10 is needed', (nodeVersion, state) => {
  expect(nodeFinding({ nodeVersion, nodeNeeded: '>=20.10' }).state).toBe(state);
});

test('a port that is taken is told, with another one to take', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const taken = await findings(patient(port));
  expect(taken[1]).toEqual({
    state: 'bad',
    what: `port ${port} of 127.0.0.1`,
    found: 'another program listens there',
    remedy: 'Take another port: --port 18080; or any that is free: --port 0',
  });
  expect(exitCode(taken)).toBe(1);
  await new Promise((resolve) => server.close(resolve));
  expect((await findings(patient(port)))[1]?.state).toBe('good');
});

test('an address that is none of the machine is told', async () => {
  expect((await findings(patient(0, '192.0.2.1')))[1]?.found).toBe('no address of this machine');
});

test('kubectl may be missing', async () => {
  const all = await findings(patient(0));
  expect(all[2]).toMatchObject({ state: 'note', found: 'not there; the server does not need it' });
  expect(exitCode(all)).toBe(0);
});

test('each finding has a line, and another one for its remedy', () => {
  const all: readonly Finding[] = [
    { state: 'good', what: 'Node', found: 'v20' },
    { state: 'bad', what: 'port 1', found: 'taken', remedy: 'Take another.' },
  ];
  expect(report(all)).toBe('ok   Node: v20\nFAIL port 1: taken\n     Take another.');
});

test('words of a command are quoted as the command interpreter of Windows takes them', () => {
  expect(windowsLine(['npm', 'run', 'my test', 'say "x"', '--a=b'])).toBe(
    'npm run "my test" "say ""x""" --a=b',
  );
});
