#!/usr/bin/env node
/** Time to the first answered list and resident memory: this server, and kube-apiserver with etcd where they are at hand. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { request as plainRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, ROOT } from '../programs/server.mjs';

const USAGE = `usage: npm run bench:start -- [--runs N]
  --runs N  starts of each; the middle one counts (default 5)
kube-apiserver and etcd are those of the folder that KUBEBUILDER_ASSETS names, as setup-envtest prints it; without them only this
server is measured. Memory is the sum of resident sizes (ps) right after the first answer.`;

const args = process.argv.slice(2);
const runs = args[0] === '--runs' ? Number(args[1]) : 5;
if ((args.length > 0 && args[0] !== '--runs') || !Number.isInteger(runs) || runs < 1) {
  console.error(USAGE);
  process.exit(2);
}

const TOKEN = 'bench';

async function ours(folder) {
  const port = await freePort();
  const cli = join(ROOT, 'dist/mockserver/cli/main.js');
  const flags = ['serve', '--quiet', '--port', String(port), '--kubeconfig', join(folder, 'kubeconfig')];
  return { url: `http://127.0.0.1:${port}`, programs: [[process.execPath, [cli, ...flags]]] };
}

/** The flags that envtest gives them, and no admission that waits for a controller. */
async function real(folder) {
  const assets = process.env.KUBEBUILDER_ASSETS;
  const port = await freePort(3);
  const [client, peer] = [1, 2].map((more) => `http://127.0.0.1:${port + more}`);
  writeFileSync(join(folder, 'tokens.csv'), `${TOKEN},bench,bench,"system:masters"\n`);
  execFileSync('openssl', ['genrsa', '-out', join(folder, 'sa.key'), '2048'], { stdio: 'ignore' });
  const etcd = [
    ...['--data-dir', join(folder, 'etcd'), '--unsafe-no-fsync', '--log-level', 'error'],
    ...['--listen-client-urls', client, '--advertise-client-urls', client, '--listen-peer-urls', peer],
    ...['--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`],
  ];
  const apiserver = [
    ...['--etcd-servers', client, '--bind-address', '127.0.0.1', '--secure-port', String(port)],
    ...['--cert-dir', join(folder, 'certs'), '--token-auth-file', join(folder, 'tokens.csv')],
    ...['--service-account-issuer', 'https://kubernetes.default.svc', '--authorization-mode', 'RBAC'],
    ...[
      '--service-account-key-file',
      join(folder, 'sa.key'),
      '--service-account-signing-key-file',
      join(folder, 'sa.key'),
    ],
    ...['--service-cluster-ip-range', '10.0.0.0/24', '--disable-admission-plugins', 'ServiceAccount'],
  ];
  return {
    url: `https://127.0.0.1:${port}`,
    programs: [
      [join(assets, 'etcd'), etcd],
      [join(assets, 'kube-apiserver'), apiserver],
    ],
  };
}

/** Shape: milliseconds from the first program's start until namespaces are listed, and megabytes then. */
async function measure(subject) {
  const folder = mkdtempSync(join(tmpdir(), 'kube-mockserver-start-'));
  const { url, programs } = await subject(folder);
  const began = performance.now();
  const children = programs.map(([command, flags]) => spawn(command, flags, { stdio: 'ignore' }));
  try {
    while (!(await lists(`${url}/api/v1/namespaces`))) await new Promise((resolve) => setTimeout(resolve, 5));
    const ms = performance.now() - began;
    const kilobytes = children.map(({ pid }) =>
      Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)])),
    );
    return { ms, mb: kilobytes.reduce((sum, one) => sum + one, 0) / 1024 };
  } finally {
    for (const child of children.reverse()) {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await gone;
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

function lists(url) {
  const ask = url.startsWith('https') ? request : plainRequest;
  return new Promise((resolve) => {
    const sent = ask(
      url,
      { rejectUnauthorized: false, headers: { authorization: `Bearer ${TOKEN}` } },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode === 200);
      },
    );
    sent.once('error', () => resolve(false)).end();
  });
}

const middle = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

const subjects = { 'kube-mockserver': ours };
if (existsSync(join(process.env.KUBEBUILDER_ASSETS ?? '', 'kube-apiserver')))
  subjects['kube-apiserver with etcd'] = real;
for (const [name, subject] of Object.entries(subjects)) {
  const results = [];
  for (let run = 0; run < runs; run++) results.push(await measure(subject));
  const ms = Math.round(middle(results.map((one) => one.ms)));
  const mb = Math.round(middle(results.map((one) => one.mb)));
  console.log(`${name}: ${ms} ms to the first list, ${mb} MB`);
}
