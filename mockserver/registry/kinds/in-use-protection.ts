/** The finalizer that keeps volumes and claims while they are in use; a new one has it from the start. */
import { type ApiObject, editMetadata, finalizersOf, withMetadata } from '../../ground/object.js';

/** Source: kubernetes plugin/pkg/admission/storage/storageobjectinuseprotection/admission.go. */
export function withInUseProtection(object: ApiObject, finalizer: string): ApiObject {
  const finalizers = finalizersOf(object);
  if (finalizers.includes(finalizer)) return object;
  return withMetadata(object, editMetadata(object.metadata, { finalizers: [...finalizers, finalizer] }));
}
