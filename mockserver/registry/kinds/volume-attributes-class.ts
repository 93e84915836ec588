/** VolumeAttributesClasses: held back from deletion while they may be in use. */
import { type KindRules } from '../kind-rules.js';
import { withFinalizer } from './protection-finalizer.js';

/** Source: kubernetes plugin/pkg/admission/storage/storageobjectinuseprotection. */
export const volumeAttributesClassRules: KindRules = {
  group: 'storage.k8s.io',
  resource: 'volumeattributesclasses',
  admit: (object, previous) =>
    previous === undefined ? withFinalizer(object, 'kubernetes.io/vac-protection') : object,
};
