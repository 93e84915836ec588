/** Each plugin of admission by itself: what it makes of an object, and what it refuses. */
import { VirtualClock } from '../../../../mockserver/ground/clock.js';
import { type JsonObject } from '../../../../mockserver/ground/json.js';
import { type GroupResource } from '../../../../mockserver/ground/kind.js';
import { type ApiObject, nameOf } from '../../../../mockserver/ground/object.js';
import { seededRandom } from '../../../../mockserver/ground/random.js';
import {
  type AdmissionContext,
  type AdmissionPlugin,
  type AdmissionRequest,
} from '../../../../mockserver/registry/admission-plugin.js';
import { chosenPlugins, type AdmissionOption } from '../../../../mockserver/registry/admission-options.js';
import { AdmissionPlugins } from '../../../../mockserver/registry/admission-plugins.js';
import { ADMISSION_PLUGINS, OFF_BY_DEFAULT } from '../../../../mockserver/registry/kinds/admission-all.js';
import { LogBook } from '../../../../mockserver/registry/log-book.js';
import { refusal } from '../../refusal.js';

type Stored = Readonly<Record<string, readonly ApiObject[]>>;

const PODS = { group: '', resource: 'pods' };
const CLAIMS = { group: '', resource: 'persistentvolumeclaims' };

const named = (name: string, rest: JsonObject = {}, metadata: JsonObject = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Any',
  metadata: { name, ...metadata },
  ...rest,
});

const pluginNamed = (name: string): AdmissionPlugin => {
  const found = ADMISSION_PLUGINS.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no plugin ${name}`);
  return found;
};

/** What is stored by the plural, and what plugins write of statuses. */
function contextWith(stored: Stored, written: JsonObject[] = []): AdmissionContext {
  const of = (resource: string): readonly ApiObject[] => stored[resource] ?? [];
  return {
    clock: new VirtualClock(0),
    random: seededRandom(1),
    logs: new LogBook(new VirtualClock(0)),
    find: (_group, resource, _namespace, name) => of(resource).find((one) => one.metadata['name'] === name),
    listAll: (_group, resource) => of(resource),
    list: (_group, resource) => of(resource),
    follow: () => () => undefined,
    writeStatus: (_of, _namespace, _name, status) => void written.push(status),
  };
}

interface Asked {
  readonly of: GroupResource;
  readonly object: ApiObject;
  readonly previous?: ApiObject;
  readonly operation?: AdmissionRequest['operation'];
  readonly subresource?: string;
  readonly dryRun?: boolean;
}

const requestOf = (asked: Asked, warnings: string[] = []): AdmissionRequest => ({
  operation: asked.previous === undefined ? 'create' : 'update',
  subresource: '',
  namespace: 'ns',
  name: nameOf(asked.object),
  previous: undefined,
  dryRun: false,
  warn: (text) => void warnings.push(text),
  ...asked,
});

const pod = (spec: JsonObject, metadata: JsonObject = {}): Asked => ({
  of: PODS,
  object: named('p', { spec }, metadata),
});
const container = (resources: JsonObject = {}): JsonObject => ({ name: 'c', image: 'i', resources });

const CHANGES: readonly [
  promise: string,
  plugin: string,
  asked: Asked,
  stored: Stored,
  expected: { readonly spec?: JsonObject; readonly metadata?: JsonObject } | 'the same',
][] = [
  [
    'a pod without a class has priority 0',
    'Priority',
    pod({}),
    {},
    { spec: { priority: 0, preemptionPolicy: 'PreemptLowerPriority' } },
  ],
  [
    'a pod has the priority of its class',
    'Priority',
    pod({ priorityClassName: 'high' }),
    { priorityclasses: [named('high', { value: 9, preemptionPolicy: 'Never' })] },
    { spec: { priorityClassName: 'high', priority: 9, preemptionPolicy: 'Never' } },
  ],
  [
    'of several default classes the lowest counts',
    'Priority',
    pod({}),
    {
      priorityclasses: [
        named('b', { value: 5, globalDefault: true }),
        named('a', { value: 3, globalDefault: true }),
      ],
    },
    { spec: { priorityClassName: 'a', priority: 3, preemptionPolicy: 'PreemptLowerPriority' } },
  ],
  [
    'an update that leaves the priority out keeps it',
    'Priority',
    { ...pod({}), previous: named('p', { spec: { priority: 7, preemptionPolicy: 'Never' } }) },
    {},
    { spec: { priority: 7, preemptionPolicy: 'Never' } },
  ],
  ['a status is left alone', 'Priority', { ...pod({}), subresource: 'status' }, {}, 'the same'],
  [
    'a pod bears a failing node for five minutes',
    'DefaultTolerationSeconds',
    pod({}),
    {},
    {
      spec: {
        tolerations: ['not-ready', 'unreachable'].map((taint) => ({
          key: `node.kubernetes.io/${taint}`,
          operator: 'Exists',
          effect: 'NoExecute',
          tolerationSeconds: 300,
        })),
      },
    },
  ],
  [
    'a pod that bears everything gets no tolerations',
    'DefaultTolerationSeconds',
    pod({ tolerations: [{ operator: 'Exists' }] }),
    {},
    'the same',
  ],
  [
    'a new node is not ready',
    'TaintNodesByCondition',
    { of: { group: '', resource: 'nodes' }, object: named('n') },
    {},
    { spec: { taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] } },
  ],
  [
    'a node is tainted once',
    'TaintNodesByCondition',
    {
      of: { group: '', resource: 'nodes' },
      object: named('n', {
        spec: { taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] },
      }),
    },
    {},
    'the same',
  ],
  [
    'a claim has the default class; of two the newer one',
    'DefaultStorageClass',
    { of: CLAIMS, object: named('c') },
    {
      storageclasses: ['2020', '2021'].map((year) =>
        named(
          `of-${year}`,
          {},
          {
            creationTimestamp: `${year}-01-01T00:00:00Z`,
            annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
          },
        ),
      ),
    },
    { spec: { storageClassName: 'of-2021' } },
  ],
  [
    'a claim that names no class on purpose has none',
    'DefaultStorageClass',
    { of: CLAIMS, object: named('c', { spec: { storageClassName: '' } }) },
    {
      storageclasses: [
        named('a', {}, { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } }),
      ],
    },
    'the same',
  ],
  [
    'an ingress has the default class',
    'DefaultIngressClass',
    { of: { group: 'networking.k8s.io', resource: 'ingresses' }, object: named('i') },
    {
      ingressclasses: [
        named('a', {}, { annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } }),
      ],
    },
    { spec: { ingressClassName: 'a' } },
  ],
  [
    'a claim is protected while it is in use',
    'StorageObjectInUseProtection',
    { of: CLAIMS, object: named('c', {}, { finalizers: ['a/b'] }) },
    {},
    { metadata: { name: 'c', finalizers: ['a/b', 'kubernetes.io/pvc-protection'] } },
  ],
  [
    'an update does not protect again',
    'StorageObjectInUseProtection',
    { of: CLAIMS, object: named('c'), previous: named('c') },
    {},
    'the same',
  ],
  [
    'a pod has the overhead, selector and tolerations of its runtime class',
    'RuntimeClass',
    pod({ runtimeClassName: 'r', nodeSelector: { a: 'b' } }),
    {
      runtimeclasses: [
        named('r', {
          overhead: { podFixed: { cpu: '1' } },
          scheduling: { nodeSelector: { c: 'd' }, tolerations: [{ key: 'k', operator: 'Exists' }] },
        }),
      ],
    },
    {
      spec: {
        runtimeClassName: 'r',
        overhead: { cpu: '1' },
        nodeSelector: { a: 'b', c: 'd' },
        tolerations: [{ key: 'k', operator: 'Exists' }],
      },
    },
  ],
  [
    'containers have the usual requests and limits of their namespace',
    'LimitRanger',
    pod({ containers: [container({ limits: { cpu: '2' } })] }),
    {
      limitranges: [
        named('l', {
          spec: {
            limits: [
              { type: 'Container', default: { cpu: '1', memory: '1Gi' }, defaultRequest: { cpu: '100m' } },
            ],
          },
        }),
      ],
    },
    {
      spec: { containers: [container({ limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '100m' } })] },
      metadata: {
        name: 'p',
        annotations: {
          'kubernetes.io/limit-ranger':
            'LimitRanger plugin set: cpu request for container c; memory limit for container c',
        },
      },
    },
  ],
];

describe('a plugin changes what is written', () => {
  test.each(CHANGES)('%s', (_, plugin, asked, stored, expected) => {
    const made = pluginNamed(plugin).admit?.(requestOf(asked), contextWith(stored));
    if (expected === 'the same') expect(made).toBe(asked.object);
    else expect(made).toEqual({ ...asked.object, ...expected });
  });
});

const quota = (hard: JsonObject, used: JsonObject): Stored => ({
  resourcequotas: [named('q', { status: { hard, used } })],
});
const limits = (limit: JsonObject): Stored => ({ limitranges: [named('l', { spec: { limits: [limit] } })] });
const level = (levels: JsonObject): Stored => ({
  namespaces: [
    named(
      'ns',
      {},
      {
        labels: Object.fromEntries(
          Object.entries(levels).map(([mode, text]) => [`pod-security.kubernetes.io/${mode}`, text]),
        ),
      },
    ),
  ],
});
const claim = (storage: string): JsonObject => ({
  spec: { storageClassName: 's', resources: { requests: { storage } } },
  status: { phase: 'Bound' },
});

const REFUSALS: readonly [promise: string, plugin: string, asked: Asked, stored: Stored, message: string][] =
  [
    [
      'a class that is not there',
      'Priority',
      pod({ priorityClassName: 'none' }),
      {},
      'pods "p" is forbidden: no PriorityClass with name none was found',
    ],
    [
      'a priority of its own',
      'Priority',
      pod({ priority: 4 }),
      {},
      'pods "p" is forbidden: the integer value of priority (4) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
    ],
    [
      'a second default class',
      'Priority',
      {
        of: { group: 'scheduling.k8s.io', resource: 'priorityclasses' },
        object: named('b', { globalDefault: true }),
      },
      { priorityclasses: [named('a', { globalDefault: true })] },
      'priorityclasses.scheduling.k8s.io "b" is forbidden: PriorityClass a is already marked as default. Only one default can exist',
    ],
    [
      'an end of a namespace that stays',
      'NamespaceLifecycle',
      { of: { group: '', resource: 'namespaces' }, object: named('kube-system'), operation: 'delete' },
      {},
      'namespaces "kube-system" is forbidden: this namespace may not be deleted',
    ],
    [
      'a runtime class that is not there',
      'RuntimeClass',
      pod({ runtimeClassName: 'none' }),
      {},
      'pods "p" is forbidden: pod rejected: RuntimeClass "none" not found',
    ],
    [
      'a selector that its runtime class contradicts',
      'RuntimeClass',
      pod({ runtimeClassName: 'r', nodeSelector: { a: 'b' } }),
      { runtimeclasses: [named('r', { scheduling: { nodeSelector: { a: 'c' } } })] },
      'pods "p" is forbidden: conflict: runtimeClass.scheduling.nodeSelector[a] = c; pod.spec.nodeSelector[a] = b',
    ],
    [
      'a claim that grows before it is bound',
      'PersistentVolumeClaimResize',
      { of: CLAIMS, object: named('c', claim('2Gi')), previous: named('c', { ...claim('1Gi'), status: {} }) },
      {},
      'persistentvolumeclaims "c" is forbidden: Only bound persistent volume claims can be expanded',
    ],
    [
      'a claim that grows in a class that does not let it',
      'PersistentVolumeClaimResize',
      { of: CLAIMS, object: named('c', claim('2Gi')), previous: named('c', claim('1Gi')) },
      { storageclasses: [named('s')] },
      'persistentvolumeclaims "c" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    ],
    [
      'a container below the least',
      'LimitRanger',
      pod({ containers: [container({ requests: { cpu: '10m' } })] }),
      limits({ type: 'Container', min: { cpu: '100m' } }),
      'pods "p" is forbidden: minimum cpu usage per Container is 100m, but request is 10m',
    ],
    [
      'a container above the most, and one that says nothing',
      'LimitRanger',
      pod({ containers: [container({ limits: { cpu: '3' } }), container()] }),
      limits({ type: 'Container', max: { cpu: '2' } }),
      'pods "p" is forbidden: [maximum cpu usage per Container is 2, but limit is 3, maximum cpu usage per Container is 2.  No limit is specified]',
    ],
    [
      'a claim above the most',
      'LimitRanger',
      { of: CLAIMS, object: named('c', claim('3Gi')) },
      limits({ type: 'PersistentVolumeClaim', max: { storage: '2Gi' } }),
      'persistentvolumeclaims "c" is forbidden: maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi',
    ],
    [
      'more than a quota allows',
      'ResourceQuota',
      pod({ containers: [container()] }),
      quota({ pods: '2' }, { pods: '2' }),
      'pods "p" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2',
    ],
    [
      'a container that does not say what a quota counts',
      'ResourceQuota',
      pod({ containers: [container()] }),
      quota({ 'requests.cpu': '2' }, { 'requests.cpu': '0' }),
      'pods "p" is forbidden: failed quota: q: must specify requests.cpu for: c',
    ],
    [
      'a quota whose use nobody has counted yet',
      'ResourceQuota',
      pod({ containers: [container()] }),
      quota({ pods: '2' }, {}),
      'pods "p" is forbidden: status unknown for quota: q, resources: pods',
    ],
    [
      'a pod that its namespace does not let run',
      'PodSecurity',
      pod({ hostNetwork: true, containers: [container()] }),
      level({ enforce: 'baseline' }),
      'pods "p" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
    ],
    [
      'a mirror pod with a service account',
      'ServiceAccount',
      pod({ serviceAccountName: 'a' }, { annotations: { 'kubernetes.io/config.mirror': 'm' } }),
      {},
      'pods "p" is forbidden: a mirror pod may not reference service accounts',
    ],
  ];

describe('a plugin refuses', () => {
  test.each(REFUSALS)('%s', (_, plugin, asked, stored, message) => {
    const { admit, validate } = pluginNamed(plugin);
    const request = requestOf(asked);
    const refused = refusal(() => {
      const context = contextWith(stored);
      validate?.({ ...request, object: admit?.(request, context) ?? request.object }, context);
    });
    expect(refused.message).toBe(message);
  });
});

describe('what passes a quota', () => {
  const stored = quota({ pods: '2', 'requests.cpu': '1' }, { pods: '1', 'requests.cpu': '500m' });
  const asked = pod({ containers: [container({ requests: { cpu: '250m' } })] });
  const writtenBy = (more: Partial<Asked>): readonly JsonObject[] => {
    const written: JsonObject[] = [];
    pluginNamed('ResourceQuota').validate?.(requestOf({ ...asked, ...more }), contextWith(stored, written));
    return written;
  };

  test('is added to its use', () => {
    expect(writtenBy({})).toMatchObject([{ used: { pods: '2', 'requests.cpu': '750m' } }]);
  });

  test('is not when the write is a dry run, or no create', () => {
    expect(writtenBy({ dryRun: true })).toEqual([]);
    expect(writtenBy({ previous: asked.object })).toEqual([]);
  });
});

describe('PodSecurity warns', () => {
  test.each<[string, Asked]>([
    ['of a pod', pod({ hostPID: true, containers: [container()] })],
    [
      'of what makes such pods',
      {
        of: { group: 'apps', resource: 'deployments' },
        object: named('p', { spec: { template: { spec: { hostPID: true, containers: [container()] } } } }),
      },
    ],
  ])('%s', (_, asked) => {
    const warnings: string[] = [];
    pluginNamed('PodSecurity').validate?.(
      requestOf(asked, warnings),
      contextWith(level({ warn: 'baseline' })),
    );
    expect(warnings).toEqual(['would violate PodSecurity "baseline:latest": host namespaces (hostPID=true)']);
  });
});

describe('which plugins run', () => {
  const running = (option: AdmissionOption): readonly string[] =>
    chosenPlugins(option).map(({ name }) => name);

  test('are all that are on by default', () => {
    expect(running({})).toEqual(
      ADMISSION_PLUGINS.map(({ name }) => name).filter((name) => !OFF_BY_DEFAULT.includes(name)),
    );
  });

  test('is NamespaceLifecycle alone for none', () => {
    expect(running('none')).toEqual(['NamespaceLifecycle']);
  });

  test('can be said', () => {
    const names = running({ enable: ['ServiceAccount'], disable: ['Priority'] });
    expect([names.includes('ServiceAccount'), names.includes('Priority')]).toEqual([true, false]);
  });

  test.each<[string, AdmissionOption, RegExp]>([
    ['no server knows', { enable: ['Nothing'] }, /^admission\.enable: Nothing is none of /],
    ['is not there', { enable: ['AlwaysDeny'] }, /^admission\.enable: AlwaysDeny is not there/],
    ['is both', { enable: ['Priority'], disable: ['Priority'] }, /^admission: Priority is both enabled/],
  ])('is refused for one that %s', (_, option, message) => {
    expect(refusal(() => chosenPlugins(option)).message).toMatch(message);
  });

  test('are asked about what they look at alone', () => {
    const plugins = new AdmissionPlugins(chosenPlugins({}));
    const names = plugins.of({ group: '', resource: 'nodes' }).map(({ name }) => name);
    expect(names).toContain('TaintNodesByCondition');
    expect(names).not.toContain('Priority');
    expect([plugins.has('Priority'), plugins.has('ServiceAccount')]).toEqual([true, false]);
  });
});
