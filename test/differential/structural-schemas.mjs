/** Random properties of structural schemas, with values that are valid there. */

/** Properties with something of their own. */
const PROPERTIES = {
  size: [{ type: 'integer', default: 1, minimum: 0, maximum: 10 }, [1, 2, 10]],
  color: [{ type: 'string', enum: ['red', 'blue'], default: 'red' }, ['red', 'blue']],
  tags: [
    { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set', maxItems: 9 },
    [['x'], ['x', 'y']],
  ],
  parts: [
    {
      type: 'array',
      maxItems: 9,
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
  words: [
    { type: 'object', additionalProperties: { type: 'string', maxLength: 5 }, maxProperties: 9 },
    [{ a: 'b' }, {}],
  ],
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
  whole: [
    { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: { type: 'string' } } },
    [{ a: 'x' }, {}],
  ],
  either: [
    {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    [{ a: 'x' }, { b: 'y' }],
  ],
  object: [
    { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, spec: {} }],
  ],
  host: [{ type: 'string', format: 'hostname' }, ['h.example']],
  far: [{ type: 'string', format: 'duration', default: '5s' }, ['1h', '5s']],
};

const DEEPEST = 3;

/** Leaves of trees: a schema with valid values. @param {import('./random.mjs').Random} random */
const leaf = (random) =>
  random.choose([
    [3, () => [{ type: 'string', ...maybe(random, { minLength: 1 }) }, ['x', 'yy']]],
    [
      2,
      () => [
        { type: 'integer', ...maybe(random, { format: 'int32' }), ...maybe(random, { maximum: 7 }) },
        [1, 7],
      ],
    ],
    [1, () => [{ type: 'boolean' }, [true, false]]],
    [1, () => [{ type: 'string', enum: ['a', 'b'] }, ['a', 'b']]],
    [1, () => [{ type: 'number', exclusiveMinimum: true, minimum: 0 }, [0.5, 3]]],
  ]);

const maybe = (random, what) => (random.chance(0.4) ? what : {});

/** A tree of objects, lists and maps. Shape: `[schema, valid values]`. */
function tree(random, depth) {
  if (depth >= DEEPEST) return leaf(random);
  return random.choose([
    [3, () => withDefault(random, leaf(random))],
    [
      2,
      () => {
        const inner = Object.fromEntries(
          ['p', 'q'].filter(() => random.chance(0.7)).map((name) => [name, tree(random, depth + 1)]),
        );
        const names = Object.keys(inner);
        const value = Object.fromEntries(names.map((name) => [name, inner[name][1][0]]));
        const schema = {
          type: 'object',
          properties: Object.fromEntries(names.map((name) => [name, inner[name][0]])),
          ...(names.length > 0 && random.chance(0.3) ? { required: [names[0]] } : {}),
        };
        return [schema, [value]];
      },
    ],
    [
      1,
      () => {
        const [items, [value]] = tree(random, depth + 1);
        return [{ type: 'array', items, ...maybe(random, { maxItems: 2 }) }, [[value], []]];
      },
    ],
    [
      1,
      () => {
        const [additionalProperties, [value]] = tree(random, depth + 1);
        return [{ type: 'object', additionalProperties }, [{ k: value }, {}]];
      },
    ],
  ]);
}

const withDefault = (random, [schema, values]) => [
  { ...schema, ...(random.chance(0.3) ? { default: values[0] } : {}) },
  values,
];

/**
 * Shape: `properties` by name, `size` always among them; `values` are valid ones of each.
 * @param {import('./random.mjs').Random} random
 */
export function randomProperties(random) {
  const chosen = Object.entries(PROPERTIES).filter(([name]) => name === 'size' || random.chance(0.35));
  for (const name of ['tree', 'other']) if (random.chance(0.5)) chosen.push([name, tree(random, 0)]);
  return {
    properties: Object.fromEntries(chosen.map(([name, [schema]]) => [name, schema])),
    values: Object.fromEntries(chosen.map(([name, [, values]]) => [name, values])),
  };
}
