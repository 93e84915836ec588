#!/usr/bin/env node
/** Asks a real API server and the built one the same of the well-known definitions, and shows where they differ. */
import { writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import { ROOT, startServer } from '../programs/server.mjs';
import { answersOf, fixtures, removeAll } from './asked.mjs';

const USAGE = `usage: npm run crds -- --oracle URL [--token T] [--record]
  --oracle  a kube-apiserver 1.36, with its token
  --record  writes its answers to fixtures/recorded/crds.json, for npm test
exit: 0 all answers are equal; 1 some differ; 2 cannot run`;

const args = process.argv.slice(2);
const valueOf = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const oracle = valueOf('--oracle');
if (oracle === undefined) {
  console.error(USAGE);
  process.exit(2);
}
// The real server's certificate is its own.
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';

const sender = (base, token) => async (method, path, body, type) => {
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      Accept: 'application/json',
      ...(body === undefined ? {} : { 'Content-Type': type ?? 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, doc: text.startsWith('{') ? JSON.parse(text) : {} };
};

const given = fixtures(join(ROOT, 'fixtures', 'crds'));
const real = sender(oracle, valueOf('--token') ?? 'oracletoken');
const server = await startServer();
try {
  await removeAll(real, given);
  const expected = await answersOf(real, given, 'default');
  const ours = await answersOf(sender(server.url), given, 'default');
  if (args.includes('--record')) {
    const file = join(ROOT, 'fixtures', 'recorded', 'crds.json');
    writeFileSync(
      file,
      `${JSON.stringify({ source: 'kube-apiserver 1.36.3', answers: expected }, null, 1)}\n`,
    );
  }
  let different = 0;
  expected.forEach(({ what, answer }, i) => {
    if (isDeepStrictEqual(answer, ours[i]?.answer)) return;
    different++;
    console.log(`${what}\n  real: ${JSON.stringify(answer)}\n  ours: ${JSON.stringify(ours[i]?.answer)}`);
  });
  console.log(`crds: ${expected.length - different} of ${expected.length} answers equal`);
  process.exitCode = different === 0 ? 0 : 1;
} finally {
  await removeAll(real, given);
  await server.stop();
}
