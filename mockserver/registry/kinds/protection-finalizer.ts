/** Admission that keeps what is in use from going. */
import { type ApiObject, finalizersOf, withMetadata } from '../../ground/object.js';

/** The object with a finalizer that it may have already. Source: kubernetes plugin/pkg/admission/storage/storageobjectinuseprotection. */
export function withFinalizer(object: ApiObject, finalizer: string): ApiObject {
  const own = finalizersOf(object);
  if (own.includes(finalizer)) return object;
  return withMetadata(object, { ...object.metadata, finalizers: [...own, finalizer] });
}
