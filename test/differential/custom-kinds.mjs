/** Custom resource definitions with random structural schemas, and the kinds that they make. */

const GROUP = '{{p}}x.example.com';

/** Properties that a schema may have, with values that are valid there. */
const PROPERTIES = {
  size: [{ type: 'integer', default: 1, minimum: 0, maximum: 10 }, [1, 2, 10]],
  color: [{ type: 'string', enum: ['red', 'blue'], default: 'red' }, ['red', 'blue']],
  tags: [{ type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' }, [['x'], ['x', 'y']]],
  parts: [
    {
      type: 'array',
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, count: { type: 'integer', default: 3 } },
      },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    },
    [[{ name: 'x' }], [{ name: 'y', count: 1 }, { name: 'x' }], []],
  ],
  free: [{ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, [{ any: [1, 'x'] }, {}]],
  both: [{ 'x-kubernetes-int-or-string': true }, [1, '50%']],
  when: [{ type: 'string', format: 'date-time' }, ['2024-01-02T03:04:05Z']],
  words: [{ type: 'object', additionalProperties: { type: 'string', maxLength: 5 } }, [{ a: 'b' }, {}]],
  short: [{ type: 'string', maxLength: 5, pattern: '^[a-z]*$' }, ['abc', '']],
  maybe: [{ type: 'string', nullable: true }, ['x', null]],
  inner: [
    {
      type: 'object',
      default: { deep: 2 },
      properties: { deep: { type: 'integer', default: 5 }, flag: { type: 'boolean' } },
    },
    [{ deep: 3 }, { flag: true }, {}],
  ],
  ratio: [{ type: 'number', multipleOf: 0.5 }, [0.5, 2]],
};

/** A random definition; all of one episode have the same name. @param {import('./random.mjs').Random} random */
export function definition(random) {
  const properties = {};
  for (const name of Object.keys(PROPERTIES)) if (random.chance(0.45)) properties[name] = PROPERTIES[name][0];
  properties.size ??= PROPERTIES.size[0];
  const rules = random.chance(0.3)
    ? { 'x-kubernetes-validations': [{ rule: 'self.size < 10', message: random.pick(['too big', 'no']) }] }
    : {};
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: { type: 'object', properties, ...rules },
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
            ? { additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }] }
            : {}),
        },
      ],
    },
  };
}

/** The kind of a definition. @returns {import('./kinds.mjs').Kind} */
export function customKind(random, made) {
  const [version] = made.spec.versions;
  const { properties } = version.schema.openAPIV3Schema.properties.spec;
  return {
    kind: 'Widget',
    apiVersion: `${GROUP}/v1`,
    plural: 'widgets',
    namespaced: true,
    object: { spec: {} },
    changes: Object.keys(properties).map((name) => [['spec', name], PROPERTIES[name][1]]),
    status: version.subresources?.status !== undefined,
    scale: version.subresources?.scale !== undefined,
    weight: 0,
  };
}
