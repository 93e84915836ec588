/** Requests that change nothing: documents that describe the API, and what clients ask for in headers and paths. */
import { collectionPath } from './kinds.mjs';

const ACCEPTS = [
  'application/json',
  'application/yaml',
  '*/*',
  'text/plain',
  'application/xml, application/json;q=0.5',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=Table;v=v9;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/json;as=Nothing;v=v1;g=meta.k8s.io',
  'application/json;stream=watch',
  'application/json;pretty=1',
  '',
  'nonsense',
  'application/*',
];

/** @param {import('./random.mjs').Random} random */
export function discoverySteps(random, kinds) {
  const kind = random.pick(kinds);
  const version = collectionPath(kind, undefined).replace(/\/[^/]+$/, '');
  const path = random.pick([
    '/api',
    '/apis',
    '/version',
    version,
    version,
    version.replace(/\/[^/]+$/, ''),
    '/apis/nothing.io',
    '/apis/apps/v9',
    '/api/v2',
    '/healthz',
    '/readyz',
    '/livez',
    '/openapi/v3',
    '/',
  ]);
  // Lists of all groups hold what other episodes defined; a version's own document does not.
  const accept = random.weighted({
    '': 8,
    'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList': 0.5,
    'application/yaml': 1,
    'text/plain': 0.5,
  });
  return [
    {
      method: random.weighted({ GET: 12, POST: 0.5, PUT: 0.3 }),
      path,
      headers: accept === '' ? {} : { accept },
    },
  ];
}

/** @param {import('./random.mjs').Random} random */
export function negotiationSteps(random, kind, namespace) {
  const path = collectionPath(kind, namespace);
  const list = kind.namespaced ? path : `${path}?labelSelector=app`;
  const object = { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name: 'h' }, ...kind.object };
  return [
    random.choose([
      [5, () => ({ method: 'GET', path: list, headers: { accept: random.pick(ACCEPTS) } })],
      [3, () => ({ method: 'GET', path: `${path}/a`, headers: { accept: random.pick(ACCEPTS) } })],
      [
        1,
        () => ({
          method: 'GET',
          path: list,
          headers: { 'accept-encoding': random.pick(['gzip', 'identity', 'br', 'gzip;q=0']) },
        }),
      ],
      [
        2,
        () => ({
          method: 'POST',
          path: `${path}?dryRun=All`,
          headers: {
            'content-type': random.pick([
              'application/json',
              'application/yaml',
              'text/plain',
              'application/json; charset=utf-8',
              'application/xml',
              'nonsense',
              '',
            ]),
          },
          body: { json: object },
        }),
      ],
      [
        1,
        () => ({
          method: 'POST',
          path: `${path}?dryRun=All`,
          headers: { 'content-type': 'application/json', accept: random.pick(ACCEPTS) },
          body: { json: object },
        }),
      ],
      [
        1,
        () => ({
          method: random.pick(['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']),
          path: random.pick([`${path}/nobody`, `${path}/a/b/c`, '/api/v1/nothing', '/nothing']),
          headers: { 'content-type': 'application/json' },
        }),
      ],
      [
        1,
        () => ({
          method: random.pick(['PUT', 'PATCH', 'OPTIONS', 'HEAD']),
          path,
          headers: { 'content-type': 'application/json' },
        }),
      ],
      [
        1,
        () => ({
          method: 'GET',
          path: random.pick([
            `${path}/`,
            `/${path}`,
            `${path}//a`,
            path.replace('namespaces', 'namespace'),
            `${path}?pretty=true`,
            `${path}/a?pretty=1`,
            `${path}?timeout=x`,
            `${path}?timeout=5s`,
            `${path}/%61`,
          ]),
        }),
      ],
      [
        1,
        () => ({
          method: 'GET',
          path: list,
          headers: { 'user-agent': random.pick(['curl/8', 'Mozilla/5.0', 'Wget/1', 'kubectl/v1.36.3']) },
        }),
      ],
    ]),
  ];
}
