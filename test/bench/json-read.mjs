/**
 * What reading and writing JSON costs beside JSON.parse and JSON.stringify.
 * Usage: node test/bench/json-read.mjs DIR, where DIR holds the compiled ground/ (default dist/mockserver/ground).
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = pathToFileURL(`${resolve(process.argv[2] ?? 'dist/mockserver/ground')}/`);
const { readJson } = await import(new URL('json-read.js', folder));
const { writeJson, sealJson } = await import(new URL('json-write.js', folder));

const container = {
  image: 'nginx:1.25',
  imagePullPolicy: 'IfNotPresent',
  name: 'nginx',
  ports: [{ containerPort: 80, protocol: 'TCP' }],
  resources: { limits: { cpu: '500m', memory: '128Mi' }, requests: { cpu: '250m', memory: '64Mi' } },
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
};
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{"a":1,"b":{"c":"d"}}\n' },
    creationTimestamp: '2026-11-29T12:14:06Z',
    labels: { app: 'web' },
    name: 'web',
    namespace: 'default',
    uid: '6f1f6f1e-9d0c-4e3a-8a44-3e9b8a2f7c11',
  },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' }, type: 'RollingUpdate' },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [container], dnsPolicy: 'ClusterFirst', restartPolicy: 'Always' },
    },
  },
};
const pod = {
  ...deployment,
  kind: 'Pod',
  spec: { containers: Array.from({ length: 28 }, (_, i) => ({ ...container, name: `c${i}` })) },
};
const list = { kind: 'List', items: Array.from({ length: 1000 }, () => deployment) };
const samples = {
  'deployment 1 KB': JSON.stringify(deployment),
  'deployment, indented': JSON.stringify(deployment, null, 2),
  'pod 10 KB': JSON.stringify(pod),
  'list 1 MB': JSON.stringify(list),
  'exact road, 10 KB': JSON.stringify(pod).replace('"containerPort":80', '"containerPort":8.0e1'),
};

/** Microseconds of one call: the best of several rounds. */
function cost(run, times) {
  let best = Infinity;
  for (let round = 0; round < 9; round++) {
    const start = process.hrtime.bigint();
    for (let i = 0; i < times; i++) run();
    best = Math.min(best, Number(process.hrtime.bigint() - start) / times / 1000);
  }
  return best;
}

const table = {};
for (const [name, text] of Object.entries(samples)) {
  const bytes = Buffer.from(text);
  const value = JSON.parse(text);
  const times = Math.max(3, Math.round(3e6 / bytes.length));
  const parse = cost(() => JSON.parse(text), times);
  const read = cost(() => readJson(bytes), times);
  const stringify = cost(() => JSON.stringify(value), times);
  const write = cost(() => writeJson(value), times);
  table[name] = {
    'JSON.parse µs': parse.toFixed(1),
    'readJson µs': read.toFixed(1),
    'read ×': (read / parse).toFixed(2),
    'JSON.stringify µs': stringify.toFixed(1),
    'writeJson µs': write.toFixed(1),
    'write ×': (write / stringify).toFixed(2),
    'sealJson µs': cost(() => sealJson?.(value), times).toFixed(1),
  };
}
console.table(table);
