/** A request's label and field selectors as one question about stored objects. */
import { type ApiObject } from '../ground/object.js';
import { Selection } from '../watch/selection.js';
import { type SelectableFields, labelNotSupported, METADATA_FIELDS } from '../watch/field-selector.js';
import { apiVersionOf } from '../ground/kind.js';
import { type Call } from './call.js';
import { fieldValue } from './fields.js';
import { type ListOptions } from './list-options.js';
import { type Resource } from './resource.js';

/** Shape: undefined when the selectors leave nothing out. */
export function selectionOf(
  { resource }: Pick<Call, 'resource'>,
  options: Pick<ListOptions, 'labels' | 'fields'>,
): ((object: ApiObject) => boolean) | undefined {
  const { store, view } = resource;
  const read = (object: ApiObject, field: string): string =>
    // Metadata is the same however an object is shown.
    fieldValue(
      store,
      view === undefined || field.startsWith('metadata.') ? object : view.show(object),
      field,
    );
  return new Selection({ labels: options.labels, fields: options.fields }, read).filter;
}

/** The fields that a fieldSelector may name on this resource, and what is said of others. */
export function selectableFieldsOf(resource: Resource): SelectableFields {
  const { strategy } = resource.store;
  const fields = resource.fieldSelectors;
  const own = resource.store.rules?.fieldRefused;
  if (own !== undefined) return { fields, refusal: own };
  switch (strategy.fieldRefusal) {
    case 'not known':
      return { fields, refusal: METADATA_FIELDS.refusal };
    case 'not supported':
      return { fields, refusal: labelNotSupported };
    case 'not supported for kind':
      return { fields, refusal: (field) => `field label "${field}" not supported for ${resource.kind}` };
    case 'not supported for version':
      return {
        fields,
        refusal: (field) =>
          `field label not supported for ${apiVersionOf(resource)}, Kind=${resource.kind}: ${field}`,
      };
  }
}
