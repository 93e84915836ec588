/** ObjectMeta as every kind has it, built in or not. */
import { type MessageField, type MessageTable } from './message-table.js';
import { MessagePlans } from './typed-codec.js';

const META = 'k8s.io.apimachinery.pkg.apis.meta.v1';
export const OBJECT_META = `${META}.ObjectMeta`;

const text = (name: string, more: Partial<MessageField> = {}): MessageField => ({
  name,
  type: 'string',
  label: 'opt',
  emission: 'omit',
  ...more,
});
const time = (name: string, emission: 'ptr' | 'omitzero'): MessageField =>
  text(name, { type: `${META}.Time`, emission });

const FIELDS: Readonly<Record<string, readonly MessageField[]>> = {
  [OBJECT_META]: [
    text('name'),
    text('generateName'),
    text('namespace'),
    text('selfLink'),
    text('uid', { goType: 'types.UID' }),
    text('resourceVersion'),
    text('generation', { type: 'int64' }),
    time('creationTimestamp', 'omitzero'),
    time('deletionTimestamp', 'ptr'),
    text('deletionGracePeriodSeconds', { type: 'int64', emission: 'ptr' }),
    text('labels', { label: 'map' }),
    text('annotations', { label: 'map' }),
    text('ownerReferences', { type: `${META}.OwnerReference`, label: 'rep' }),
    text('finalizers', { label: 'rep' }),
    text('managedFields', { type: `${META}.ManagedFieldsEntry`, label: 'rep' }),
  ],
  [`${META}.OwnerReference`]: [
    text('apiVersion', { emission: 'always' }),
    text('kind', { emission: 'always' }),
    text('name', { emission: 'always' }),
    text('uid', { emission: 'always', goType: 'types.UID' }),
    text('controller', { type: 'bool', emission: 'ptr' }),
    text('blockOwnerDeletion', { type: 'bool', emission: 'ptr' }),
  ],
  [`${META}.ManagedFieldsEntry`]: [
    text('manager'),
    text('operation', { goType: 'v1.ManagedFieldsOperationType' }),
    text('apiVersion'),
    time('time', 'ptr'),
    text('fieldsType'),
    text('fieldsV1', { type: `${META}.FieldsV1`, emission: 'ptr' }),
    text('subresource'),
  ],
};

/** The messages of metadata alone; the same rows as in the table of any version from 1.34 on. */
export const OBJECT_META_TABLE: MessageTable = {
  fields: (message) => FIELDS[message],
  hasTypeMeta: () => false,
};

export const objectMetaPlans = (): MessagePlans => new MessagePlans(OBJECT_META_TABLE);
