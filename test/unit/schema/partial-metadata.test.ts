/** Objects reduced to their metadata. */
import { partialMetadataForm } from '../../../mockserver/schema/partial-metadata.js';
import { OBJECT_META_TABLE, OBJECT_META } from '../../../mockserver/schema/object-meta.js';
import { table } from './recorded.js';

test('metadata of a custom resource stands in the order of the Go struct', () => {
  const partial = partialMetadataForm()({
    apiVersion: 'ex.io/v1',
    kind: 'Widget',
    metadata: {
      labels: { b: '1' },
      name: 'w',
      ownerReferences: [{ uid: 'u', name: 'n', kind: 'K', apiVersion: 'v1' }],
      uid: 'x',
    },
    spec: { a: 1 },
  });
  expect(JSON.stringify(partial)).toBe(
    '{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"w","uid":"x","labels":{"b":"1"},"ownerReferences":[{"apiVersion":"v1","kind":"K","name":"n","uid":"u"}]}}',
  );
});

test.each(['ObjectMeta', 'OwnerReference', 'ManagedFieldsEntry'])(
  '%s is the same as in the table of the API',
  (name) => {
    const message = OBJECT_META.replace('ObjectMeta', name);
    expect(OBJECT_META_TABLE.fields(message)).toEqual(table.fields(message));
  },
);
