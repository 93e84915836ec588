/** Custom resource definitions with random structural schemas, and the kinds that they make. */
import { randomProperties } from './structural-schemas.mjs';

const GROUP = '{{p}}x.example.com';
export const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Rules of the whole spec, each with the properties that it speaks of. */
const RULES = [
  [['size'], { rule: 'self.size < 10', message: 'too big' }],
  [['size'], { rule: 'self.size >= oldSelf.size', message: 'no shrinking' }],
  [
    ['size'],
    { rule: 'self.size > 1', messageExpression: 'self.size == 1 ? "one" : "none"', fieldPath: '.size' },
  ],
  [['short'], { rule: '!has(self.short) || self.short.startsWith("a")', reason: 'FieldValueForbidden' }],
  [['tags'], { rule: '!has(self.tags) || self.tags.size() < 2' }],
  [
    ['parts', 'size'],
    { rule: '!has(self.parts) || self.parts.all(p, p.count >= self.size)', message: 'parts' },
  ],
  [['color'], { rule: 'self.color == "red" || oldSelf.hasValue()', optionalOldSelf: true }],
  [['words'], { rule: '!has(self.words) || self.words.all(k, k != "b")', message: 'no b' }],
];

/**
 * A random version of a definition.
 * Shape: `version` as the definition holds it; `values` says which values are valid for each property of its spec.
 *
 * @param {import('./random.mjs').Random} random
 * @param {string} name
 * @param {number} [mark] a default that tells this schema from others
 */
export function definedVersion(random, name, mark) {
  const { properties, values } = randomProperties(random);
  const rules = RULES.filter(([needed]) => needed.every((one) => one in properties)).map(([, rule]) => rule);
  const chosen = random.chance(0.4) ? rules.filter(() => random.chance(0.5)) : [];
  const version = {
    name,
    served: true,
    storage: true,
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            properties: {
              ...properties,
              ...(mark === undefined ? {} : { mark: { type: 'integer', default: mark } }),
            },
            ...(chosen.length === 0 ? {} : { 'x-kubernetes-validations': chosen }),
          },
          status: {
            type: 'object',
            properties: { replicas: { type: 'integer' }, phase: { type: 'string' } },
          },
        },
      },
    },
    ...(random.chance(0.6)
      ? {
          subresources: {
            status: {},
            ...(random.chance(0.5)
              ? { scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.replicas' } }
              : {}),
          },
        }
      : {}),
    ...(random.chance(0.3) ? { selectableFields: [{ jsonPath: '.spec.size' }] } : {}),
    ...(random.chance(0.3)
      ? {
          additionalPrinterColumns: [
            { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
            ...(random.chance(0.5)
              ? [{ name: 'Phase', type: 'string', jsonPath: '.status.phase', priority: 1 }]
              : []),
          ],
        }
      : {}),
  };
  return { version, values };
}

/** A definition of that version; all of one episode have the same name. */
export const definitionOf = (version) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [version],
  },
});

/** What the kind of a version is. @returns {import('./kind-row.mjs').Kind} */
export const customKind = ({ version, values }) => ({
  kind: 'Widget',
  apiVersion: `${GROUP}/${version.name}`,
  plural: 'widgets',
  namespaced: true,
  object: { spec: {} },
  changes: Object.entries(values).map(([name, valid]) => [['spec', name], valid]),
  status: version.subresources?.status !== undefined,
  scale: version.subresources?.scale !== undefined,
  weight: 0,
});

/** Waits until a definition, which a step has sent, is served and told of. Shape: steps. */
export function untilServed(kind, path, after) {
  const group = kind.apiVersion.split('/')[0];
  return [
    {
      path: `${DEFINITIONS}/${kind.plural}.${group}`,
      until: { path: ['status', 'conditions', 1, 'status'], value: 'True' },
    },
    { path, until: { path: ['kind'], value: `${kind.kind}List` } },
    // What describes the API follows a moment later on a real server.
    ...['/apis', '/openapi/v3'].map((document) => ({ path: document, until: { text: group } })),
  ].map((step) => ({ ...step, op: 'await', after }));
}
