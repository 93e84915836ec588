/** Versions of a custom resource that a webhook converts; runs against a real server too. */
import * as https from 'node:https';
import { type AddressInfo } from 'node:net';
import { LOCALHOST } from '../unit/http/tls-fixture.js';
import { until, useTarget } from './target.js';

const target = useTarget('conversion');
const group = `${target.unique('conversion')}.example.com`;
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

interface Converted {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
  spec: { name?: string; text?: string };
}
interface Request {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly Converted[];
}
interface Response {
  uid: string;
  convertedObjects: Converted[];
  result: { status: string; message?: string };
}

/** `spec.name` of v1 is `spec.text` of v2. */
function convert({ uid, desiredAPIVersion, objects }: Request): Response {
  const convertedObjects = objects.map((one) => ({
    ...one,
    apiVersion: desiredAPIVersion,
    spec: desiredAPIVersion.endsWith('/v2') ? { text: one.spec.name ?? '' } : { name: one.spec.text ?? '' },
  }));
  return { uid, convertedObjects, result: { status: 'Success' } };
}

let answer: (request: Request) => Response = convert;
const webhook = https.createServer({ key: LOCALHOST.key, cert: LOCALHOST.cert }, (req, res) => {
  const pieces: Buffer[] = [];
  req.on('data', (piece: Buffer) => pieces.push(piece));
  req.on('end', () => {
    // What a server sends is a ConversionReview with a request.
    const review = JSON.parse(Buffer.concat(pieces).toString()) as { apiVersion: string; request: Request };
    res.setHeader('Content-Type', 'application/json');
    res.end(
      JSON.stringify({
        kind: 'ConversionReview',
        apiVersion: review.apiVersion,
        response: answer(review.request),
      }),
    );
  });
});

const version = (name: string, storage: boolean, property: string): object => ({
  name,
  served: true,
  storage,
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties: { [property]: { type: 'string' } } } },
    },
  },
});

const lamps = (name: 'v1' | 'v2', object = ''): string =>
  `/apis/${group}/${name}/namespaces/${target.namespace}/lamps${object === '' ? '' : `/${object}`}`;
const lamp = (name: 'v1' | 'v2', object: string, spec: object): object => ({
  apiVersion: `${group}/${name}`,
  kind: 'Lamp',
  metadata: { name: object },
  spec,
});

beforeAll(async () => {
  await new Promise<void>((resolve) => webhook.listen(0, '127.0.0.1', resolve));
  const { port } = webhook.address() as AddressInfo; // a TCP server has one
  await target.done('POST', DEFINITIONS, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `lamps.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'lamps', kind: 'Lamp' },
      versions: [version('v1', true, 'name'), version('v2', false, 'text')],
      conversion: {
        strategy: 'Webhook',
        webhook: {
          conversionReviewVersions: ['v1'],
          clientConfig: {
            url: `https://127.0.0.1:${port}/convert`,
            caBundle: Buffer.from(LOCALHOST.cert).toString('base64'),
          },
        },
      },
    },
  });
  await until(async () => (await target.get(lamps('v2'))).status === 200);
}, 60_000);

afterEach(() => {
  answer = convert;
});
afterAll(() => {
  webhook.close();
  webhook.closeAllConnections();
});

test('what is written in one version is read in the other', async () => {
  await target.done('POST', lamps('v1'), lamp('v1', 'first', { name: 'one' }));
  expect((await target.get(lamps('v2', 'first'))).doc).toMatchObject({
    apiVersion: `${group}/v2`,
    spec: { text: 'one' },
  });
  const made = await target.done('POST', lamps('v2'), lamp('v2', 'second', { text: 'two' }));
  expect(made).toMatchObject({ apiVersion: `${group}/v2`, spec: { text: 'two' } });
  expect((await target.get(lamps('v1', 'second'))).doc).toMatchObject({ spec: { name: 'two' } });
});

test('a patch is put upon the version that it was sent to', async () => {
  await target.done('POST', lamps('v1'), lamp('v1', 'patched', { name: 'one' }));
  const { doc } = await target.send('PATCH', lamps('v2', 'patched'), {
    body: { spec: { text: 'three' } },
    type: 'application/merge-patch+json',
  });
  expect(doc).toMatchObject({ spec: { text: 'three' } });
  expect((await target.get(lamps('v1', 'patched'))).doc).toMatchObject({ spec: { name: 'three' } });
});

test('a watch shows objects in its version, whichever they were written in', async () => {
  const stream = await target.watch(`${lamps('v2')}?watch=true&fieldSelector=metadata.name=watched`);
  await target.done('POST', lamps('v1'), lamp('v1', 'watched', { name: 'seen' }));
  expect(await stream.next()).toMatchObject({
    type: 'ADDED',
    object: { apiVersion: `${group}/v2`, spec: { text: 'seen' } },
  });
  stream.close();
});

const failure = (message?: string): Response => ({
  uid: '',
  convertedObjects: [],
  result: { status: 'Failure', ...(message === undefined ? {} : { message }) },
});

test.each<readonly [what: string, answer: (request: Request) => Response, message: string]>([
  ['refuses', ({ uid }) => ({ ...failure('no way'), uid }), 'failed: no way'],
  [
    'refuses without a word',
    ({ uid }) => ({ ...failure(), uid }),
    "failed: response.result.status was 'Failure', not 'Success'",
  ],
  [
    'gives nothing back',
    (request) => ({ ...convert(request), convertedObjects: [] }),
    'returned 0 objects, expected 1',
  ],
  [
    'gives another name',
    (request) => ({
      ...convert(request),
      convertedObjects: convert(request).convertedObjects.map((one) => ({
        ...one,
        metadata: { ...one.metadata, name: 'other' },
      })),
    }),
    'returned invalid object: must have the same name: failing != other',
  ],
  [
    'gives another version',
    (request) => convert({ ...request, desiredAPIVersion: 'example.com/v9' }),
    `returned invalid object at index 0: invalid groupVersion (expected ${group}/v1, received example.com/v9)`,
  ],
])('a create is answered 500 when the webhook %s', async (_what, failing, message) => {
  answer = failing;
  const { status, doc } = await target.send('POST', lamps('v2'), {
    body: lamp('v2', 'failing', { text: 'x' }),
  });
  expect(status).toBe(500);
  expect(doc['message']).toBe(`conversion webhook for ${group}/v2, Kind=Lamp ${message}`);
  expect((await target.get(lamps('v1', 'failing'))).status).toBe(404);
});

test('a read of the store asks the webhook each time; a list of what was converted before does not', async () => {
  await target.done('POST', lamps('v2'), lamp('v2', 'known', { text: 'x' }));
  expect((await target.get(lamps('v2'))).status).toBe(200);
  answer = ({ uid }) => ({ ...failure('gone'), uid });
  expect((await target.get(lamps('v2', 'known'))).doc['message']).toBe(
    `conversion webhook for ${group}/v1, Kind=Lamp failed: gone`,
  );
  expect((await target.get(lamps('v2'))).status).toBe(200);
});
