import { type JsonObject } from '../../../../mockserver/ground/json.js';
import { type ApiObject } from '../../../../mockserver/ground/object.js';
import { formatWarnings } from '../../../../mockserver/registry/kinds/custom-resource-definition-format-warnings.js';

const definition = (...schemas: JsonObject[]): ApiObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'a' },
  spec: {
    versions: schemas.map((openAPIV3Schema, i) => ({ name: `v${i + 1}`, schema: { openAPIV3Schema } })),
  },
});

const formatted = (format: string, more: JsonObject = {}): JsonObject => ({
  type: 'string',
  format,
  ...more,
});
const WARNING = 'unrecognized format "shape"';

test.each<[string, ApiObject, ApiObject | undefined, readonly string[]]>([
  ['a format that is checked is not warned of', definition(formatted('date')), undefined, []],
  ['one that is not is', definition(formatted('shape')), undefined, [WARNING]],
  [
    'once for versions of the same schema',
    definition(formatted('shape'), formatted('shape')),
    undefined,
    [WARNING],
  ],
  [
    'twice for versions whose schemas differ, by a number past 2^53 too',
    definition(formatted('shape', { maximum: 9007199254740993n }), formatted('shape')),
    undefined,
    [WARNING, WARNING],
  ],
  ['not again on an update', definition(formatted('shape')), definition(formatted('shape')), []],
])('%s', (_, next, previous, expected) => {
  expect(formatWarnings(next, previous)).toEqual(expected);
});
