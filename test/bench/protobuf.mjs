/** Protobuf against JSON, in turn, on one server: GET, LIST, and a watch. */
import { readFileSync } from 'node:fs';
import { Connection, ask, hammer, median, requestBytes } from './load.mjs';
import { withSubject } from './subjects.mjs';

const PODS = '/api/v1/namespaces/bench/pods';
const FORMS = ['application/json', 'application/vnd.kubernetes.protobuf'];
const CONNECTIONS = 10;

const pod = (name) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels: { app: 'bench' } },
  spec: { containers: [{ name: 'main', image: 'registry.example/main:1', ports: [{ containerPort: 80 }] }] },
});

const request = (subject, method, path, accept, body) =>
  requestBytes(subject, method, path, body, 'application/json', accept);

/**
 * Both forms in short rounds, one right after the other and each first in every second one, so that what else the machine does falls
 * on both. Shape: the median of protobuf, and of its quotients by JSON, round by round.
 */
async function ofBoth(name, unit, rounds, measure) {
  const found = [];
  const quotients = [];
  for (const form of FORMS) await measure(form);
  for (let round = 0; round < rounds; round++) {
    const of = {};
    for (const form of round % 2 === 0 ? FORMS : FORMS.toReversed()) of[form] = await measure(form);
    const [json, protobuf] = FORMS.map((form) => of[form]);
    found.push(protobuf);
    quotients.push(protobuf / json);
  }
  return { [`protobuf.${name}.${unit}`]: median(found), [`protobuf.${name}.ratio`]: median(quotients) };
}

/** Milliseconds of processor time that a process has used; undefined where /proc does not say. */
function usedMs(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    // User and system time, in hundredths of a second.
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return undefined;
  }
}

/** Processor time of the server for a GET in protobuf, by that in JSON: whatever the machine does besides is not in it. */
async function processorRatio(subject, rounds, count) {
  if (usedMs(subject.pid) === undefined) return {};
  const used = Object.fromEntries(FORMS.map((form) => [form, 0]));
  for (let round = 0; round < rounds; round++)
    for (const form of round % 2 === 0 ? FORMS : FORMS.toReversed()) {
      const before = usedMs(subject.pid);
      const next = () => request(subject, 'GET', `${PODS}/pod-1`, form);
      await hammer(subject, { connections: CONNECTIONS, count, next });
      used[form] += usedMs(subject.pid) - before;
    }
  return { 'protobuf.get.processorRatio': used[FORMS[1]] / used[FORMS[0]] };
}

/** Shape: `protobuf.get`, `.list` and `.watch`, each with its ratio to JSON. */
export function protobufAgainstJson(options) {
  return withSubject(options, async (ours) => {
    const count = options.quick ? 200 : 2000;
    await hammer(ours, {
      connections: CONNECTIONS,
      count,
      next: (i) => request(ours, 'POST', PODS, FORMS[0], pod(`pod-${i}`)),
    });
    const perSecond = async (accept) => {
      const next = () => request(ours, 'GET', `${PODS}/pod-1`, accept);
      return (await hammer(ours, { connections: CONNECTIONS, ms: 200, next })).perSecond;
    };
    const connection = await Connection.open(ours);
    const listMs = async (accept) => {
      const bytes = request(ours, 'GET', PODS, accept);
      const begun = performance.now();
      const { status } = await connection.send(bytes);
      if (status !== 200) throw new Error(`list: ${status}`);
      return performance.now() - begun;
    };
    let serial = 0;
    const eventsPerSecond = (accept) => watched(ours, accept, count, `r${serial++}`);
    const figures = {
      ...(await ofBoth('get', 'perSecond', options.quick ? 5 : 40, perSecond)),
      ...(await processorRatio(ours, options.quick ? 2 : 20, options.quick ? 500 : 2000)),
      ...(await ofBoth('list', 'ms', options.quick ? 5 : 20, listMs)),
      ...(await ofBoth('watch', 'perSecond', options.quick ? 3 : 8, eventsPerSecond)),
    };
    connection.close();
    return figures;
  });
}

/** Events per second that 100 watchers are sent from a burst of writes on. */
async function watched(subject, accept, count, round) {
  const watchers = 100;
  const writes = count / 20;
  const { resourceVersion } = (await ask(subject, 'GET', `${PODS}?limit=1`)).json().metadata;
  const bytes = request(subject, 'GET', `${PODS}?watch=true&resourceVersion=${resourceVersion}`, accept);
  const streams = await Promise.all(
    Array.from({ length: watchers }, () => seen(subject, bytes, `${round}-${writes - 1}-end`)),
  );
  const begun = performance.now();
  const writer = await Connection.open(subject);
  for (let i = 0; i < writes; i++) {
    const body = pod(`${round}-${i}-end`);
    const { status } = await writer.send(request(subject, 'POST', PODS, FORMS[0], body));
    if (status !== 201) throw new Error(`write: ${status}`);
  }
  await Promise.all(streams.map(({ marked }) => marked));
  const took = performance.now() - begun;
  for (const { socket } of streams) socket.destroy();
  writer.close();
  return (1000 * watchers * writes) / took;
}

/** A watch that has begun. Shape: its socket, and a promise of the text `mark`. */
async function seen(subject, bytes, mark) {
  const socket = await subject.connect();
  let begun;
  const hasBegun = new Promise((resolve) => (begun = resolve));
  const marked = new Promise((resolve, reject) => {
    let tail = '';
    socket.on('data', (chunk) => {
      begun();
      const text = tail + chunk.toString('latin1');
      tail = text.slice(-mark.length);
      if (text.includes(mark)) resolve();
    });
    socket.once('error', reject);
  });
  socket.write(bytes);
  await hasBegun;
  return { socket, marked };
}
