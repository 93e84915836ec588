/**
 * What the promises of this folder are tested on: a server in this process on a clock that the test moves, or the
 * cluster whose kubeconfig KUBE_MOCKSERVER_TARGET names (time then passes by itself).
 */
import { readFileSync } from 'node:fs';
import { jest } from '@jest/globals';
import { parse } from 'yaml';
import {
  type MockServer,
  seededRandom,
  startMockServer,
  type ServerOptions,
} from '../../mockserver/index.js';
import { type Answer, closeIdleConnections, type Place, type RequestParts, send } from './connection.js';
import { type Doc } from './documents.js';
import { EventStream } from './event-stream.js';
import { ObservedClock } from './observed-clock.js';

export const TARGET_VARIABLE = 'KUBE_MOCKSERVER_TARGET';

const kubeconfigPath = process.env[TARGET_VARIABLE];

/** False when the tests talk to a cluster that somebody else runs. */
export const OWN_SERVER = kubeconfigPath === undefined;

if (!OWN_SERVER) jest.setTimeout(60_000);

/** A test that moves the clock far, or gives options: skipped, and so reported, on a cluster that is not ours. */
export const ownTest: typeof test = OWN_SERVER ? test : test.skip;

/** One server and a namespace of one's own on it. */
export interface Target {
  readonly place: Place;
  /** A namespace that nobody else uses. */
  readonly namespace: string;
  /** Path of a namespaced collection of the core group in that namespace: `configmaps`, `configmaps/a`. */
  path(rest: string): string;
  send(method: string, path: string, parts?: RequestParts): Promise<Answer>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** The document of a request that must succeed. Errors: an Error that shows the answer otherwise. */
  done(method: string, path: string, body?: unknown, type?: string): Promise<Doc>;
  watch(path: string, headers?: Readonly<Record<string, string>>): Promise<EventStream>;
  /** Creates a ConfigMap in the namespace. */
  configMap(name: string, data?: Readonly<Record<string, string>>, metadata?: object): Promise<Doc>;
  /** Lets time pass: at once on our server, really elsewhere. */
  pass(ms: number): Promise<void>;
  /** The answer to a request that makes the server wait for `ms`, which then pass. */
  whileWaiting<T>(ms: number, request: () => Promise<T>): Promise<T>;
  /** Makes a further namespace, gone with the others. */
  namespaceNamed(name: string): Promise<string>;
  /** Defines a custom resource, gone at the end, and waits until it is served. Shape: path of its API version. */
  define(definition: Definition): Promise<string>;
  /** A name that no other run on the same cluster has. */
  unique(prefix: string): string;
  /** Our own server. Errors: an Error on a cluster that is not ours. */
  readonly own: { readonly server: MockServer; readonly clock: ObservedClock };
}

export interface Definition {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  /** @default Namespaced */
  readonly scope?: 'Namespaced' | 'Cluster';
  /** Served versions, the first one stored. @default v1 */
  readonly versions?: readonly string[];
  /** @default false */
  readonly statusSubresource?: boolean;
}

/**
 * A server for a whole test file. To be called at the top of the file; what it answers is usable within tests.
 *
 * @param prefix keeps files apart that share one cluster
 */
export function useTarget(prefix: string, options: ServerOptions = {}): Target {
  const clock = new ObservedClock();
  let server: MockServer | undefined;
  let place: Place | undefined;
  const namespaces: string[] = [];
  const definitions: string[] = [];
  const there = (): Place => {
    if (place === undefined) throw new Error('the target is there within tests only');
    return place;
  };
  const unique = (name: string): string =>
    OWN_SERVER ? name : `${name}-${process.pid}-${Date.now().toString(36)}`;
  const namespace = unique(prefix);

  const target: Target = {
    get place() {
      return there();
    },
    namespace,
    unique,
    path: (rest) => `/api/v1/namespaces/${namespace}/${rest}`,
    send: (method, path, parts) => send(there(), method, path, parts),
    get: (path, headers) => send(there(), 'GET', path, headers && { headers }),
    done: async (method, path, body, type) => {
      const answer = await send(there(), method, path, {
        ...(body === undefined ? {} : { body }),
        ...(type === undefined ? {} : { type }),
      });
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
      return answer.doc;
    },
    watch: (path, headers) => EventStream.open(there(), path, headers && { headers }),
    configMap: (name, data = {}, metadata = {}) =>
      target.done('POST', target.path('configmaps'), { metadata: { name, ...metadata }, data }),
    pass: async (ms) => {
      if (OWN_SERVER) clock.advance(ms);
      else await new Promise((resolve) => setTimeout(resolve, ms));
    },
    whileWaiting: async (ms, request) => {
      if (!OWN_SERVER) return request();
      const asked = clock.asked(ms);
      const answer = request();
      await asked;
      clock.advance(ms);
      return answer;
    },
    namespaceNamed: async (name) => {
      await target.done('POST', '/api/v1/namespaces', { metadata: { name } });
      namespaces.push(name);
      return name;
    },
    define: async (definition) => {
      const { group, plural } = definition;
      await target.done('POST', DEFINITIONS, definitionObject(definition));
      definitions.push(`${plural}.${group}`);
      const path = `/apis/${group}/${definition.versions?.[0] ?? 'v1'}`;
      await until(async () => (await target.get(`${path}/${plural}`)).status === 200);
      return path;
    },
    get own() {
      if (server === undefined) throw new Error('this needs a server of our own');
      return { server, clock };
    },
  };

  beforeAll(async () => {
    if (kubeconfigPath === undefined) {
      server = await startMockServer({ clock, random: seededRandom(1), ...options });
      place = { url: server.url, token: '' };
    } else {
      place = placeOf(readFileSync(kubeconfigPath, 'utf8'));
    }
    await target.namespaceNamed(namespace);
  });

  afterAll(async () => {
    try {
      if (!OWN_SERVER) await clearCluster(target, namespaces, definitions);
    } finally {
      closeIdleConnections();
      await server?.stop();
    }
  });
  return target;
}

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A definition whose objects keep whatever they are given. */
export function definitionObject(definition: Definition): object {
  const { group, plural, kind, scope = 'Namespaced', versions = ['v1'] } = definition;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { plural, kind },
      versions: versions.map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        ...(definition.statusSubresource === true ? { subresources: { status: {} } } : {}),
      })),
    },
  };
}

/** Asks again until it is so: at once on our server; a real one needs moments to serve what was just defined. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, OWN_SERVER ? 1 : 50));
}

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: { readonly server: string } }[];
  readonly users: readonly { readonly user: { readonly token?: string } }[];
}

/** The first cluster and the first user's token. */
export function placeOf(kubeconfig: string): Place {
  const { clusters, users } = parse(kubeconfig) as Kubeconfig; // the form of every kubeconfig; a hole throws below
  const url = clusters[0]?.cluster.server;
  if (url === undefined) throw new Error('the kubeconfig names no server');
  return { url, token: users[0]?.user.token ?? '' };
}

/** There may be no controller that empties namespaces: their objects go first, their finalizers by hand. */
async function clearCluster(
  target: Target,
  namespaces: readonly string[],
  definitions: readonly string[],
): Promise<void> {
  for (const name of definitions) await target.send('DELETE', `${DEFINITIONS}/${name}`);
  for (const name of namespaces) {
    const path = `/api/v1/namespaces/${name}`;
    for (const plural of ['configmaps', 'secrets', 'pods']) await target.send('DELETE', `${path}/${plural}`);
    await target.send('DELETE', path);
    await target.send('PUT', `${path}/finalize`, {
      body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name }, spec: { finalizers: [] } },
    });
  }
}
