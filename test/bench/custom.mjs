/** What custom resources cost: validating one, registering definitions, and holding many. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ROOT, startServer } from '../programs/server.mjs';
import { fixtures } from '../crds/asked.mjs';
import { Connection, ask, endpoint, hammer, median, requestBytes } from './load.mjs';
import { microseconds } from './validation.mjs';

const built = (path) => import(pathToFileURL(join(ROOT, 'dist/mockserver', path)).href);
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const numbers = Array.from({ length: 10 }, (_, i) => i);

/** Thirty fields: ten texts, ten numbers, five lists and five objects; three rules. */
const SCHEMA = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['text0', 'number0'],
      properties: Object.fromEntries([
        ...numbers.map((i) => [`text${i}`, { type: 'string', maxLength: 64, pattern: '^[a-z0-9-]+$' }]),
        ...numbers.map((i) => [`number${i}`, { type: 'integer', format: 'int32', minimum: 0, maximum: 100 }]),
        ...numbers
          .slice(0, 5)
          .map((i) => [
            `list${i}`,
            { type: 'array', maxItems: 10, items: { type: 'string', maxLength: 16 } },
          ]),
        ...numbers.slice(0, 5).map((i) => [
          `object${i}`,
          {
            type: 'object',
            properties: { on: { type: 'boolean' }, level: { type: 'string', enum: ['low', 'high'] } },
          },
        ]),
      ]),
      'x-kubernetes-validations': [
        { rule: 'self.number0 <= self.number1', message: 'the first is the smaller' },
        { rule: 'self.list0.all(x, x.size() > 0)' },
        { rule: "!self.object0.on || self.text0.startsWith('text')" },
      ],
    },
  },
};

const object = (name) => ({
  apiVersion: 'bench.example.com/v1',
  kind: 'Bench',
  metadata: { name },
  spec: Object.fromEntries([
    ...numbers.map((i) => [`text${i}`, `text-${i}`]),
    ...numbers.map((i) => [`number${i}`, i]),
    ...numbers.slice(0, 5).map((i) => [`list${i}`, ['one', 'two', 'three']]),
    ...numbers.slice(0, 5).map((i) => [`object${i}`, { on: i % 2 === 0, level: 'low' }]),
  ]),
});

const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'benches.bench.example.com' },
  spec: {
    group: 'bench.example.com',
    scope: 'Namespaced',
    names: { plural: 'benches', kind: 'Bench' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: SCHEMA } }],
  },
};
const OBJECTS = '/apis/bench.example.com/v1/namespaces/default/benches';

async function validationFigures({ quick }) {
  const { CustomSchema } = await built('schema/structural/custom-schema.js');
  const { customValidation } = await built('registry/custom-validation.js');
  const rules = customValidation(
    { group: 'bench.example.com', resource: 'benches' },
    { schema: new CustomSchema(SCHEMA), scale: undefined },
  );
  const text = JSON.stringify(object('validated'));
  const valid = JSON.parse(text);
  const request = { apiVersion: 'bench.example.com/v1', subresource: '' };
  if (rules.validateCreate(valid, request).length > 0) throw new Error('the object is invalid');
  const rounds = quick ? 5 : 41;
  const parse = microseconds(rounds, () => JSON.parse(text));
  const validate = microseconds(rounds, () => rules.validateCreate(valid, request));
  return { 'custom.validation.us': validate, 'custom.validation.timeRatio': validate / parse };
}

/** The well-known definitions, each in ten groups, so that there are a hundred. */
function hundredDefinitions() {
  const { definitions } = fixtures(join(ROOT, 'fixtures', 'crds'));
  return numbers.flatMap((i) =>
    definitions.map((definition) => {
      const group = `g${i}.${definition.spec.group}`;
      const annotations = { 'api-approved.kubernetes.io': 'unapproved, a measurement' };
      return {
        ...definition,
        metadata: { name: `${definition.spec.names.plural}.${group}`, annotations },
        spec: { ...definition.spec, group },
      };
    }),
  );
}

async function registrationFigures() {
  const server = await startServer();
  try {
    const target = endpoint(server.url);
    const connection = await Connection.open(target);
    const requests = hundredDefinitions().map((one) => requestBytes(target, 'POST', DEFINITIONS, one));
    const times = [];
    for (const request of requests) {
      const begun = performance.now();
      const { status } = await connection.send(request);
      times.push(performance.now() - begun);
      if (status !== 201) throw new Error(`create of a definition: ${status}`);
    }
    connection.close();
    return {
      'custom.registration.ms': median(times),
      'custom.hundredDefinitions.ms': times.reduce((sum, one) => sum + one, 0),
    };
  } finally {
    await server.stop();
  }
}

/** Bytes that live in this program, after the garbage is gone. */
function liveBytes() {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function memoryFigures({ quick }) {
  const { startMockServer } = await built('index.js');
  const server = await startMockServer();
  try {
    const target = endpoint(server.url);
    const count = quick ? 2000 : 10_000;
    await ask(target, 'POST', DEFINITIONS, DEFINITION);
    const next = (i) => requestBytes(target, 'POST', OBJECTS, object(`object-${i}`));
    // What is made once, and not for each object, is there before.
    await hammer(target, { connections: 10, count: 200, next: (i) => next(count + i) });
    const before = liveBytes();
    await hammer(target, { connections: 10, count, next });
    const after = liveBytes();
    const { bytes } = await ask(target, 'GET', OBJECTS);
    const json = (bytes.length * count) / (count + 200);
    return { 'custom.objects': count, 'custom.memoryRatio': (after - before) / json };
  } finally {
    await server.stop();
  }
}

export async function customCosts(options) {
  return {
    ...(await validationFigures(options)),
    ...(await registrationFigures()),
    ...(await memoryFigures(options)),
  };
}
