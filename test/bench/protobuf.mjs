/** Protobuf against JSON, in turn, on one server: GET, LIST, and a watch. */
import { readFileSync } from 'node:fs';
import { Connection, ask, hammer, median, requestBytes } from './load.mjs';
import { withSubject } from './subjects.mjs';

const PODS = '/api/v1/namespaces/bench/pods';
const FORMS = ['application/json', 'application/vnd.kubernetes.protobuf'];
const CONNECTIONS = 10;
/** Lists that are timed together. */
const LISTS = 5;

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
 * on both.
 *
 * Shape: the median of protobuf; of its quotients by JSON, round by round; and the server's processor time for protobuf by that for JSON,
 * in which nothing else is that the machine does. The last one only where /proc tells.
 */
async function ofBoth(name, unit, { subject, rounds, measure }) {
  const found = [];
  const quotients = [];
  const used = Object.fromEntries(FORMS.map((form) => [form, 0]));
  for (const form of FORMS) await measure(form);
  for (let round = 0; round < rounds; round++) {
    const of = {};
    for (const form of round % 2 === 0 ? FORMS : FORMS.toReversed()) {
      const before = usedMs(subject.pid);
      const { value, units } = await measure(form);
      of[form] = value;
      used[form] += (usedMs(subject.pid) - before) / units;
    }
    const [json, protobuf] = FORMS.map((form) => of[form]);
    found.push(protobuf);
    quotients.push(protobuf / json);
  }
  const processor = used[FORMS[1]] / used[FORMS[0]];
  return {
    [`protobuf.${name}.${unit}`]: median(found),
    [`protobuf.${name}.ratio`]: median(quotients),
    ...(Number.isNaN(processor) ? {} : { [`protobuf.${name}.processorRatio`]: processor }),
  };
}

/** Milliseconds of processor time that a process has used; NaN where /proc does not say. */
function usedMs(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    // User and system time, in hundredths of a second.
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return NaN;
  }
}

/** Shape: `protobuf.get`, `.list` and `.watch`, each with its ratios to JSON. */
export function protobufAgainstJson(options) {
  return withSubject(options, async (subject) => {
    const count = options.quick ? 200 : 2000;
    await hammer(subject, {
      connections: CONNECTIONS,
      count,
      next: (i) => request(subject, 'POST', PODS, FORMS[0], pod(`pod-${i}`)),
    });
    const perSecond = async (accept) => {
      const next = () => request(subject, 'GET', `${PODS}/pod-1`, accept);
      const { perSecond: value, answered } = await hammer(subject, {
        connections: CONNECTIONS,
        ms: 200,
        next,
      });
      return { value, units: answered };
    };
    const connection = await Connection.open(subject);
    const listMs = async (accept) => {
      const bytes = request(subject, 'GET', PODS, accept);
      const begun = performance.now();
      for (let i = 0; i < LISTS; i++) {
        const { status } = await connection.send(bytes);
        if (status !== 200) throw new Error(`list: ${status}`);
      }
      return { value: (performance.now() - begun) / LISTS, units: LISTS };
    };
    let serial = 0;
    const eventsPerSecond = async (accept) => ({
      value: await watched(subject, accept, count, `r${serial++}`),
      units: 1,
    });
    const rounds = (many) => (options.quick ? 4 : many);
    const figures = {
      ...(await ofBoth('get', 'perSecond', { subject, rounds: rounds(40), measure: perSecond })),
      ...(await ofBoth('list', 'ms', { subject, rounds: rounds(20), measure: listMs })),
      ...(await ofBoth('watch', 'perSecond', { subject, rounds: rounds(10), measure: eventsPerSecond })),
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
