/** PartialObjectMetadata: an object reduced to its metadata, for clients that ask for no more. */
import { isJsonObject } from '../ground/json.js';
import { type ApiObject, EMPTY } from '../ground/object.js';
import { OBJECT_META, objectMetaPlans } from './object-meta.js';

/**
 * Makes the function that reduces objects of any kind; it keeps the plan of metadata, so make it once.
 *
 * Shape: kind, apiVersion, metadata in the order of the Go struct, also for custom resources.
 * Source: apimachinery meta/v1/types.go.
 */
export function partialMetadataForm(): (object: ApiObject) => ApiObject {
  const objectMeta = objectMetaPlans().coder(OBJECT_META);
  return (object) => {
    const metadata = objectMeta.arrange?.(object.metadata);
    return {
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: isJsonObject(metadata) ? metadata : EMPTY,
    };
  };
}
