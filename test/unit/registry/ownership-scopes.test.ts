import { definitionNameOf } from '../../../openapi/resource-definition.js';
import { loadBuiltInApi } from '../../../openapi/built-in-api.js';
import { VirtualClock } from '../../../mockserver/ground/clock.js';
import { type JsonObject } from '../../../mockserver/ground/json.js';
import { seededRandom } from '../../../mockserver/ground/random.js';
import { encodeFields } from '../../../mockserver/patch/fields-v1.js';
import { setOfPaths } from '../../../mockserver/patch/field-set.js';
import { ConversionError } from '../../../mockserver/patch/ownership-scope.js';
import { fieldElement } from '../../../mockserver/patch/path-element.js';
import { Blueprint } from '../../../mockserver/registry/blueprint.js';
import { Cluster } from '../../../mockserver/registry/cluster.js';
import { DEFAULT_CLUSTER } from '../../../mockserver/registry/cluster-options.js';
import { type OwnershipSources, ownershipScope } from '../../../mockserver/registry/ownership-scopes.js';
import { type Resource } from '../../../mockserver/registry/resource.js';
import { MemoryStore } from '../../../mockserver/store/memory-store.js';
import { messageTable } from '../../../mockserver/schema/message-table.js';
import { DEDUCED } from '../../../mockserver/schema/schema-node.js';
import { SchemaTree } from '../../../mockserver/schema/schema-tree.js';
import { MessagePlans } from '../../../mockserver/schema/typed-codec.js';

const api = loadBuiltInApi();
const tree = new SchemaTree((name) => api.definitionOf(name));
const { protobuf, goTypes } = api.messageDocuments;
const plans = new MessagePlans(messageTable(protobuf, goTypes));
const cluster = new Cluster({
  store: new MemoryStore(),
  blueprint: new Blueprint(api, {
    plans: () => plans,
    schemas: () => tree,
    valueTypes: () => {
      throw new Error('no patch here');
    },
  }),
  clock: new VirtualClock(),
  random: seededRandom(1),
  options: DEFAULT_CLUSTER,
});

const sources: OwnershipSources = {
  schemaOf: ({ group, version, kind }) => tree.definition(definitionNameOf(group, version, kind)) ?? DEDUCED,
  ignoredFieldsOf: (of, subresource) => api.ignoredFieldsOf(of, subresource),
  inVersion(resource, apiVersion) {
    const [version = '', group = ''] = apiVersion.split('/').reverse();
    return cluster.resources.find(group, version, resource.resource);
  },
};

function resource(group: string, version: string, name: string): Resource {
  const found = cluster.resources.find(group, version, name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

const paths = setOfPaths(
  [
    'spec',
    'spec.a',
    'status',
    'status.b',
    'status.conditions',
    'status.certificate',
    'metadata.labels',
    'metadata.ownerReferences',
  ].map((path) => path.split('.').map(fieldElement)),
);
const names = (fields: JsonObject, prefix = ''): string[] =>
  Object.entries(fields).flatMap(([name, below]) =>
    name === '.' ? [] : [prefix + name.slice(2), ...names(below as JsonObject, `${prefix + name.slice(2)}.`)],
  );

test.each<[string, string, string, string, string[]]>([
  [
    '',
    'configmaps',
    '',
    'v1',
    [
      'metadata',
      'metadata.labels',
      'metadata.ownerReferences',
      'spec',
      'spec.a',
      'status',
      'status.b',
      'status.certificate',
      'status.conditions',
    ],
  ],
  ['', 'pods', '', 'v1', ['metadata', 'metadata.labels', 'metadata.ownerReferences', 'spec', 'spec.a']],
  [
    '',
    'pods',
    'status',
    'v1',
    ['metadata', 'metadata.labels', 'status', 'status.b', 'status.certificate', 'status.conditions'],
  ],
  [
    '',
    'pods',
    'resize',
    'v1',
    [
      ...['metadata', 'metadata.labels', 'metadata.ownerReferences', 'spec', 'spec.a', 'status'],
      ...['status.b', 'status.certificate', 'status.conditions'],
    ],
  ],
  [
    'apps',
    'deployments',
    'status',
    'v1',
    ['metadata', 'metadata.ownerReferences', 'status', 'status.b', 'status.certificate', 'status.conditions'],
  ],
  [
    'flowcontrol.apiserver.k8s.io',
    'flowschemas',
    'status',
    'v1',
    ['status', 'status.b', 'status.certificate', 'status.conditions'],
  ],
  [
    'certificates.k8s.io',
    'certificatesigningrequests',
    'approval',
    'v1',
    ['metadata', 'metadata.labels', 'metadata.ownerReferences', 'status', 'status.b', 'status.conditions'],
  ],
])('%s %s takes notice of fields through "%s"', (group, name, subresource, version, expected) => {
  const scope = ownershipScope(sources, resource(group, version, name), subresource);
  const filter = scope.filterOf(scope.apiVersion);
  expect(names(encodeFields(filter === undefined ? paths : filter(paths))).sort()).toEqual(expected);
});

describe('a resource in two versions', () => {
  const v1 = ownershipScope(sources, resource('autoscaling', 'v1', 'horizontalpodautoscalers'), '');
  const object = {
    apiVersion: 'autoscaling/v1',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'x' },
    spec: { maxReplicas: 3, targetCPUUtilizationPercentage: 50, scaleTargetRef: { kind: 'D', name: 'd' } },
  };

  test('is converted into the other one, with that one’s schema', () => {
    const other = v1.convert(object, 'autoscaling/v2');
    expect(other?.object.apiVersion).toBe('autoscaling/v2');
    expect(other?.object['spec']).toMatchObject({ maxReplicas: 3, metrics: [{ type: 'Resource' }] });
    expect(other?.schema).toBe(tree.definition('io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler'));
    expect(
      other === undefined ? undefined : v1.convert(other.object, 'autoscaling/v1')?.object['spec'],
    ).toMatchObject({ targetCPUUtilizationPercentage: 50 });
  });

  test('is not converted in its own, nor into one that is not served', () => {
    expect(v1.convert(object, 'autoscaling/v1')?.object).toBe(object);
    expect(v1.convert(object, 'autoscaling/v9')).toBeUndefined();
  });
});

describe('a custom resource', () => {
  // What a definition makes of it, as far as ownership asks.
  const widgets: Resource = {
    ...resource('', 'v1', 'configmaps'),
    group: 'ex.io',
    custom: true,
    store: { ...resource('apps', 'v1', 'deployments').store },
  };
  const custom: OwnershipSources = {
    ...sources,
    schemaOf: () => DEDUCED,
    inVersion: (_, apiVersion) => (apiVersion === 'ex.io/v1' ? widgets : undefined),
  };

  test('ignores its status in its own version, and through status all else in all versions', () => {
    const main = ownershipScope(custom, widgets, '');
    const status = ownershipScope(custom, widgets, 'status');
    expect(names(encodeFields(main.filterOf('ex.io/v1')?.(paths) ?? paths))).not.toContain('status');
    expect(main.filterOf('ex.io/v2')).toBeUndefined();
    expect(names(encodeFields(status.filterOf('ex.io/v2')?.(paths) ?? paths))[0]).toBe('status');
    expect(main.order).toBe('sorted');
  });

  test.each([
    ['ex.io/v9', 'request to convert CR to an invalid group/version: ex.io/v9'],
    ['other/v1', 'ex.io/v1, Kind=ConfigMap is unstructured and is not suitable for converting to "other/v1"'],
  ])('cannot be had in %s', (wanted, message) => {
    const scope = ownershipScope(custom, widgets, '');
    const act = (): unknown => scope.convert({ apiVersion: 'ex.io/v1', kind: 'W', metadata: {} }, wanted);
    expect(act).toThrow(ConversionError);
    expect(act).toThrow(message);
  });
});
