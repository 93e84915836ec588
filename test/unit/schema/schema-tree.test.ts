import { loadBuiltInApi } from '../../../openapi/built-in-api.js';
import { type JsonObject, type JsonValue } from '../../../mockserver/ground/json.js';
import { type SchemaNode, DEDUCED, UNTYPED, formOf, partOf } from '../../../mockserver/schema/schema-node.js';
import { SchemaTree } from '../../../mockserver/schema/schema-tree.js';

const api = loadBuiltInApi();
const tree = new SchemaTree((name) => api.definitionOf(name));

function at(root: SchemaNode | undefined, path: string): SchemaNode | undefined {
  let node = root;
  for (const step of path.split('.').filter((one) => one !== ''))
    node = step === '*' ? (node?.list?.items ?? node?.map?.others) : node?.map?.fields.get(step)?.node;
  return node;
}

const shown = (node: SchemaNode | undefined): string =>
  [
    node?.scalar,
    node?.list && `list ${node.list.relationship} [${node.list.keys.join(',')}]`,
    node?.map && `map ${node.map.relationship}`,
  ]
    .filter((part) => part !== undefined)
    .join(', ');

const ANYTHING = 'untyped, list atomic [], map separable';

test.each([
  ['a list by keys', 'spec.containers', 'list associative [name]'],
  ['a list by two keys', 'spec.containers.*.ports', 'list associative [containerPort,protocol]'],
  ['an atomic list', 'spec.containers.*.args', 'list atomic []'],
  ['a set, by its patch strategy too', 'metadata.finalizers', 'list associative []'],
  ['a map', 'metadata.labels', 'map separable'],
  ['a member of a map', 'metadata.labels.*', 'string'],
  ['an atomic object', 'spec.nodeSelector', 'map atomic'],
  [
    'an atomic object of a definition',
    'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution',
    'map atomic',
  ],
  ['a quantity', 'spec.containers.*.resources.limits.*', 'untyped'],
  ['a time', 'metadata.creationTimestamp', 'untyped'],
  ['a port that may be a name', 'spec.containers.*.livenessProbe.httpGet.port', ANYTHING],
  ['a number', 'spec.priority', 'numeric'],
  ['a boolean', 'spec.hostNetwork', 'boolean'],
  ['a map that is owned member by member', 'spec.containers.*.resources.limits', 'map separable'],
])('of a built-in kind it knows %s', (_, path, expected) => {
  expect(shown(at(tree.definition('io.k8s.api.core.v1.Pod'), path))).toBe(expected);
});

test('defaults of keys are known', () => {
  const container = at(tree.definition('io.k8s.api.core.v1.Pod'), 'spec.containers.*.ports.*');
  expect(container?.map?.fields.get('protocol')?.default).toBe('TCP');
});

test('definitions are resolved once and shared', () => {
  const pod = at(tree.definition('io.k8s.api.core.v1.Pod'), 'spec');
  const template = at(tree.definition('io.k8s.api.apps.v1.Deployment'), 'spec.template.spec');
  expect(template).toBe(pod);
  expect(tree.definition('io.k8s.api.core.v1.Nothing')).toBeUndefined();
});

test('types that hold themselves can be walked', () => {
  const path = 'spec.versions.*.schema.openAPIV3Schema.properties.*.properties.*.type';
  expect(
    shown(
      at(
        tree.definition('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition'),
        path,
      ),
    ),
  ).toBe('string');
});

test.each<[string, JsonObject, string, string]>([
  [
    'a set',
    { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    '',
    'list associative []',
  ],
  ['a list without a type of list', { type: 'array', items: { type: 'string' } }, '', 'list atomic []'],
  ['an atomic map', { type: 'object', 'x-kubernetes-map-type': 'atomic' }, '', 'map atomic'],
  ['a map without members', { type: 'object' }, '*', ANYTHING],
  [
    'what is kept though unknown',
    { type: 'object', properties: { a: { type: 'string' } }, 'x-kubernetes-preserve-unknown-fields': true },
    '*',
    ANYTHING,
  ],
  [
    'what is kept further down',
    {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { o: { type: 'object', properties: { a: { type: 'string' } } } },
    },
    'o.*',
    ANYTHING,
  ],
  ['what is not declared', { type: 'object', properties: { a: { type: 'string' } } }, '*', ''],
  ['a number or a text', { 'x-kubernetes-int-or-string': true }, '', ANYTHING],
  ['a text of a format', { type: 'string', format: 'date-time' }, '', 'untyped'],
  ['bytes', { type: 'string', format: 'byte' }, '', 'string'],
  [
    'metadata of an embedded resource',
    { type: 'object', 'x-kubernetes-embedded-resource': true },
    'metadata.finalizers',
    'list associative []',
  ],
])('of a custom resource it knows %s', (_, schema, path, expected) => {
  const root = tree.custom({ type: 'object', properties: { x: schema } });
  expect(shown(at(root, path === '' ? 'x' : `x.${path}`))).toBe(expected);
});

test('a custom resource has metadata, whatever its schema says', () => {
  expect(shown(at(tree.custom({ type: 'object' }), 'metadata.ownerReferences'))).toBe(
    'list associative [uid]',
  );
  expect(tree.custom(undefined)).toBe(DEDUCED);
});

test('maps that take anything do not follow the schema', () => {
  const deduced = (schema: JsonObject): boolean | undefined =>
    at(tree.custom({ type: 'object', properties: { x: schema } }), 'x')?.map?.deduced;
  expect(deduced({ type: 'object' })).toBe(true);
  expect(deduced({ type: 'object', additionalProperties: { 'x-kubernetes-int-or-string': true } })).toBe(
    true,
  );
  expect(deduced({ type: 'object', additionalProperties: { type: 'string' } })).toBe(false);
  expect(UNTYPED.map?.deduced).toBe(false);
});

test.each<[string, JsonValue, string, string | undefined]>([
  ['null', null, 'any', 'map'],
  ['a text', 'a', 'scalar', 'scalar'],
  ['a list', [], 'list', 'list'],
  ['an object', {}, 'map', 'map'],
])('%s has a form where anything may stand', (_, value, form, part) => {
  expect(formOf(DEDUCED, value)).toBe(form);
  expect(partOf(DEDUCED, formOf(DEDUCED, value))).toBe(part);
});
