/** StorageObjectInUseProtection: what is in use does not go. */
import { qualifiedName } from '../../ground/kind.js';
import { finalizersOf, withMetadata } from '../../ground/object.js';
import { type AdmissionPlugin } from '../admission-plugin.js';

const FINALIZERS: Readonly<Record<string, string>> = {
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
  persistentvolumes: 'kubernetes.io/pv-protection',
  'volumeattributesclasses.storage.k8s.io': 'kubernetes.io/vac-protection',
};

/** Source: kubernetes plugin/pkg/admission/storage/storageobjectinuseprotection. */
export const storageObjectInUseProtection: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  resources: [
    { group: '', resource: 'persistentvolumeclaims' },
    { group: '', resource: 'persistentvolumes' },
    { group: 'storage.k8s.io', resource: 'volumeattributesclasses' },
  ],
  admit({ operation, of, subresource, object }) {
    const finalizer = FINALIZERS[qualifiedName(of)];
    const own = finalizersOf(object);
    if (operation !== 'create' || subresource !== '' || finalizer === undefined || own.includes(finalizer))
      return object;
    return withMetadata(object, { ...object.metadata, finalizers: [...own, finalizer] });
  },
};
