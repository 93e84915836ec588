/** NamespaceLifecycle, of which creates ask on their way into a namespace: some namespaces stay. */
import { nameOf } from '../../ground/object.js';
import { forbiddenObject } from '../../ground/status.js';
import { type AdmissionPlugin } from '../admission-plugin.js';

const OF = { group: '', resource: 'namespaces' } as const;
const PROTECTED: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

/** Source: apiserver admission/plugin/namespace/lifecycle. */
export const namespaceLifecycle: AdmissionPlugin = {
  name: 'NamespaceLifecycle',
  resources: [OF],
  validate({ operation, object }) {
    if (operation === 'delete' && PROTECTED.has(nameOf(object)))
      throw forbiddenObject(OF, nameOf(object), 'this namespace may not be deleted');
  },
};
