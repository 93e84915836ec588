/** Objects made from the schema: what a minimal object may have besides, in values that are plausible for a field of that name or at a boundary. */
import { resolved, schemaInside, schemaOfKind } from './api-schema.mjs';
import { edited, valueAt } from './edits.mjs';

const DEEPEST = 4;
/** Of these exactly one member besides the required ones is right. */
const UNIONS = new Set([
  'Volume',
  'EnvVarSource',
  'LifecycleHandler',
  'Probe',
  'VolumeProjection',
  'ProjectedVolumeSource',
  'PersistentVolumeSpec',
  'VolumeAttachmentSource',
  'IngressBackend',
  'ServiceBackendPort',
  'DeviceRequest',
]);

/** Texts by the name of their field; the first expression that matches counts. */
const TEXTS = [
  [/image$/i, ['i:2', 'r.io/x/y:1']],
  [/(^ip|IP|address)$/, ['10.1.2.3', '10.200.0.7']],
  [/cidr/i, ['10.8.0.0/24']],
  [/hostnames?$|^hosts?$/i, ['h.example', 'h']],
  [/Time(stamp)?$/, ['2024-01-02T03:04:05Z']],
  [/url$/i, ['https://e.example/x']],
  [/path$/i, ['/t', 't']],
  [/^apiVersion$/, ['v1', 'apps/v1']],
  [/^(apiGroup|group)$/, ['g.io', '']],
  [/^(verbs|verb)$/, ['get', '*']],
  [/^(driver|attacher|provisioner|signerName|controllerName)$/, ['d.io/x', 'd.io']],
  [/expression|^rule$/i, ['true', 'object.metadata.name == "a"', '1 +']],
];
const PLAIN = ['x', 'x', 'y', 'a-b'];
const STRANGE = ['', 'X_Y', 'a b', 'x'.repeat(64), 'x'.repeat(254), '1', '日本', '../x', '-'];
const WHOLE = [1, 1, 2, 5, 30];
const EDGES = [0, -1, 100, 101, 65_535, 65_536, 2_147_483_647, 2_147_483_648];
const QUANTITIES = ['1', '100m', '1Gi', '2k'];
const STRANGE_QUANTITIES = ['0', '-1', '1e3', '0.5', '1.5Gi', '1n', '', 'x', '1 Gi', 5];
const NAMED = {
  Quantity: (random, edge) => random.pick(edge ? STRANGE_QUANTITIES : QUANTITIES),
  IntOrString: (random, edge) =>
    random.pick(edge ? [0, -1, '', '101%', 65_536, 'x_y'] : [1, 80, '50%', 'http']),
  Time: (random, edge) => random.pick(edge ? ['x', '2024-01-02', 5] : ['2024-01-02T03:04:05Z']),
  MicroTime: (random, edge) =>
    random.pick(edge ? ['x', '2024-01-02T03:04:05Z'] : ['2024-01-02T03:04:05.000006Z']),
  RawExtension: (random) => random.pick([{ a: 1 }, { apiVersion: 'v1', kind: 'X' }]),
  FieldsV1: () => ({ 'f:metadata': {} }),
  LabelSelector: (random, edge) =>
    random.pick(
      edge
        ? [
            { matchLabels: { 'a b': 'c' } },
            { matchExpressions: [{ key: 'a', operator: 'In' }] },
            { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] },
            { matchExpressions: [{ key: 'a', operator: 'X' }] },
          ]
        : [
            { matchLabels: { app: 'a' } },
            {},
            { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] },
            { matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] },
          ],
    ),
};

/**
 * A value for a field.
 * @param {import('./random.mjs').Random} random
 * @param {object} of its schema
 * @param {string} name of the field
 * @param {{ edge: number, full?: boolean }} how edge: the share of values at a boundary; full: with every member
 */
export function madeValue(random, of, name, how, depth = 0) {
  const { name: type, schema } = resolved(of);
  const edge = random.chance(how.edge);
  if (type !== undefined && Object.hasOwn(NAMED, type)) return NAMED[type](random, edge);
  if (schema.enum !== undefined)
    return random.pick(edge ? ['', 'Bad', schema.enum[0].toLowerCase()] : schema.enum);
  switch (schema.type) {
    case 'boolean':
      return random.chance(0.5);
    case 'integer':
    case 'number':
      if (edge) return random.pick(EDGES);
      return /port/i.test(name) ? random.pick([80, 81, 8080]) : random.pick(WHOLE);
    case 'string':
      return madeText(random, schema, name, edge);
    case 'array': {
      const count = edge ? random.pick([0, 2]) : 1;
      return Array.from({ length: count }, () => madeValue(random, schema.items, name, how, depth + 1));
    }
    default:
      return madeObject(random, type, schema, how, depth);
  }
}

function madeText(random, { format }, name, edge) {
  if (format === 'byte') return random.pick(edge ? ['', 'x', '?'] : ['eA==', 'AAE=']);
  if (format === 'date-time') return random.pick(edge ? ['x', ''] : ['2024-01-02T03:04:05Z']);
  if (edge) return random.pick(STRANGE);
  return random.pick(TEXTS.find(([expression]) => expression.test(name))?.[1] ?? PLAIN);
}

function madeObject(random, type, { properties, required = [], additionalProperties }, how, depth) {
  if (properties === undefined) {
    if (additionalProperties === undefined) return random.pick([{}, { a: 1 }]);
    // One key only: of two that are wrong a real server tells in changing order.
    const key = resolved(additionalProperties).name === 'Quantity' ? random.pick(['cpu', 'cpu', 'a']) : 'a';
    return { [key]: madeValue(random, additionalProperties, '', how, depth + 1) };
  }
  const optional = Object.keys(properties).filter((key) => !required.includes(key));
  const many = required.length > 0 ? random.below(2) : 1;
  const chosen = how.full ? optional : some(random, optional, UNIONS.has(type) ? 1 : many);
  const keys =
    depth >= DEEPEST
      ? required
      : Object.keys(properties).filter((key) => required.includes(key) || chosen.includes(key));
  return Object.fromEntries(
    keys
      .filter((key) => depth <= 2 * DEEPEST && (key !== 'status' || depth > 0))
      .map((key) => [key, madeValue(random, properties[key], key, how, depth + 1)]),
  );
}

function some(random, values, count) {
  const rest = [...values];
  return Array.from(
    { length: Math.min(count, rest.length) },
    () => rest.splice(random.below(rest.length), 1)[0],
  );
}

/** Members of the metadata that a server decides on. */
const OWN = new Set(['metadata', 'status', 'apiVersion', 'kind']);

/**
 * Fields that an object of a kind does not have but may.
 * Shape: `count` paths with a value for each, as `edited` takes them.
 *
 * @param {import('./random.mjs').Random} random
 * @param {import('./kinds.mjs').Kind} kind
 * @param {object} object
 * @param {number} count
 * @param {{ edge: number, full?: boolean }} how as madeValue
 */
export function growth(random, kind, object, count, how) {
  const root = schemaOfKind(kind.apiVersion, kind.kind);
  if (root === undefined) return [];
  const edits = [];
  let grown = object;
  for (let i = 0; i < count; i += 1) {
    const free = vacant(root, grown, []);
    if (free.length === 0) break;
    const { path, schema } = random.pick(free);
    const value = madeValue(random, schema, path.at(-1), how);
    edits.push([path, value]);
    grown = edited(grown, path, value);
  }
  return edits;
}

/** Every member that objects within may have and have not. Shape: `{ path, schema }`, those nearer to the root more often. */
function vacant(of, value, path) {
  const { schema } = resolved(of);
  if (Array.isArray(value))
    return value.flatMap((item, i) =>
      schema.items === undefined ? [] : vacant(schema.items, item, [...path, i]),
    );
  if (value === null || typeof value !== 'object' || schema.properties === undefined) return [];
  return Object.keys(schema.properties)
    .filter((key) => path.length > 0 || !OWN.has(key))
    .flatMap((key) => {
      const inside = schemaInside(of, key);
      return valueAt(value, [key]) === undefined
        ? [{ path: [...path, key], schema: inside }]
        : vacant(inside, value[key], [...path, key]);
    });
}
