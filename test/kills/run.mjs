// Kills a server in the midst of writes, again and again, and looks for what it had answered:
//   node test/kills/run.mjs [--kills 200] [--seed N]
// Needs dist/ (npm run build). Fails when one acknowledged write is lost, or one is there that nobody asked for.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { kills: { type: 'string' }, seed: { type: 'string' } } });
const KILLS = Number(values.kills ?? 200);
const seed = Number(values.seed ?? Date.now() % 2 ** 31);

const GROUP = 'kills.example.com';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const WIDGETS = `/apis/${GROUP}/v1/namespaces/default/widgets`;
const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

/** Each writes objects of its own, one request at a time; some of the records are large, so that a kill can tear one. */
const WRITERS = [
  { path: CONFIG_MAPS, prefix: 'a', size: 10 },
  { path: CONFIG_MAPS, prefix: 'b', size: 200_000 },
  { path: WIDGETS, prefix: 'c', size: 10, of: { apiVersion: `${GROUP}/v1`, kind: 'Widget' } },
  { path: WIDGETS, prefix: 'd', size: 5_000, of: { apiVersion: `${GROUP}/v1`, kind: 'Widget' } },
];
const NAMES = 4;
/** A kill comes after so many answers at the most, and up to so much later. */
const MOST_ANSWERS = 60;
const LONGEST_MS = 4;

const random = ((state) => () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
})(seed);

const folder = mkdtempSync(join(tmpdir(), 'kube-mockserver-kills-'));
const data = join(folder, 'cluster.log');

/** Path of an object → what it is (a text; undefined: not there), its version, and what it may be since a request had no answer. */
const known = new Map();
const counts = { acknowledged: 0, unanswered: 0, there: 0, cut: 0 };
const wrong = [];
let written = 0;
let revision = 0;

function ask(agent, method, url, body) {
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      { method, agent, headers: { 'content-type': 'application/json' } },
      (answer) => {
        const parts = [];
        answer.on('data', (part) => parts.push(part));
        answer.on('error', reject);
        answer.on('end', () => resolve({ code: answer.statusCode, body: JSON.parse(Buffer.concat(parts)) }));
      },
    );
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** None of them outlives this run, however it ends. */
const running = new Set();
process.on('exit', () => {
  for (const server of running) server.kill('SIGKILL');
});

function spawned() {
  const server = fork(new URL('./server.mjs', import.meta.url), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  running.add(server);
  server.once('exit', () => running.delete(server));
  return server;
}

/** Resolves with the address. */
function started(server) {
  return new Promise((resolve, reject) => {
    server.on('message', ({ url, said }) => {
      if (url !== undefined) resolve(url);
      else {
        counts.cut++;
        if (!said.includes('cannot be read')) reject(new Error(said));
      }
    });
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    server.send({ data });
  });
}

/** Compares what is there with what was answered. */
async function check(agent, url, round) {
  const there = new Map();
  for (const path of [CONFIG_MAPS, WIDGETS]) {
    const { code, body } = await ask(agent, 'GET', url + path);
    if (code !== 200) throw new Error(`${path}: ${code} ${body.message}`);
    for (const { metadata, data: of } of body.items)
      there.set(`${path}/${metadata.name}`, { text: of.text, version: metadata.resourceVersion });
    if (Number(body.metadata.resourceVersion) < revision)
      wrong.push(`round ${round}: version ${body.metadata.resourceVersion} after ${revision}`);
  }
  for (const [path, state] of known) {
    const { text: found, version } = there.get(path) ?? {};
    there.delete(path);
    if (found !== state.is && !(state.maybe !== undefined && found === state.maybe.is)) {
      wrong.push(`round ${round}: ${path}: ${short(found)}, but ${short(state.is)} was acknowledged`);
    }
    if (state.maybe !== undefined && found === state.maybe.is) counts.there++;
    known.set(path, { is: found, version });
  }
  for (const path of there.keys()) wrong.push(`round ${round}: ${path}: nobody created it`);
}

const short = (text) => (text === undefined ? 'nothing' : text.slice(0, 12));

/** Writes until the server does not answer any more. */
async function write(
  agent,
  url,
  answered,
  { path, prefix, size, of = { apiVersion: 'v1', kind: 'ConfigMap' } },
) {
  for (;;) {
    const name = `${prefix}-${Math.floor(random() * NAMES)}`;
    const key = `${path}/${name}`;
    const { is, version } = known.get(key) ?? {};
    const text = random() < 0.2 && is !== undefined ? undefined : `${++written} ${'x'.repeat(size)}`;
    const method = text === undefined ? 'DELETE' : is === undefined ? 'POST' : 'PUT';
    known.set(key, { is, version, maybe: { is: text } });
    const body =
      text === undefined
        ? undefined
        : { ...of, metadata: { name, resourceVersion: version }, data: { text } };
    let answer;
    try {
      answer = await ask(agent, method, url + (method === 'POST' ? path : key), body);
    } catch {
      counts.unanswered++;
      return;
    }
    if (answer.code >= 300) throw new Error(`${method} ${key}: ${answer.code} ${answer.body.message}`);
    counts.acknowledged++;
    // The answer to a delete is a Status.
    const now = answer.body.metadata?.resourceVersion;
    revision = Math.max(revision, Number(now ?? 0));
    known.set(key, { is: text, version: text === undefined ? undefined : now });
    answered();
  }
}

async function round(number, server) {
  const url = await started(server);
  const agent = new Agent({ keepAlive: true });
  if (number === 0)
    await ask(agent, 'POST', `${url}/apis/apiextensions.k8s.io/v1/customresourcedefinitions`, DEFINITION);
  await check(agent, url, number);
  const ended = once(server, 'exit');
  let left = Math.floor(random() * MOST_ANSWERS);
  const answered = () => {
    if (left-- === 0) setTimeout(() => server.kill('SIGKILL'), random() * LONGEST_MS);
  };
  const writing = WRITERS.map((writer) => write(agent, url, answered, writer));
  await Promise.all(writing);
  await ended;
  agent.destroy();
}

const began = performance.now();
let next = spawned();
try {
  for (let i = 0; i < KILLS; i++) {
    const server = next;
    next = spawned();
    await round(i, server);
  }
  const server = next;
  const url = await started(server);
  const agent = new Agent({ keepAlive: true });
  await check(agent, url, KILLS);
  agent.destroy();
} finally {
  next.kill('SIGKILL');
}
const seconds = Math.round((performance.now() - began) / 1000);
for (const one of wrong.slice(0, 20)) console.log(one);
console.log(
  `kills: ${KILLS} kills, ${counts.acknowledged} acknowledged writes, ${wrong.length} wrong; ` +
    `${counts.unanswered} unanswered, ${counts.there} of them were there; ${counts.cut} torn tails cut; ` +
    `${Math.round(statSync(data).size / 1024)} KB, ${seconds} s, seed ${seed}`,
);
rmSync(folder, { recursive: true, force: true });
process.exitCode = wrong.length === 0 ? 0 : 1;
