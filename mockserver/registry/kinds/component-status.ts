/** ComponentStatuses: what a server without scheduler and controller manager answers; nothing of it is stored. */
import { type ApiObject } from '../../ground/object.js';
import { type KindRules } from '../kind-rules.js';

const refused = (port: number): string =>
  `Get "https://127.0.0.1:${port}/healthz": dial tcp 127.0.0.1:${port}: connect: connection refused`;

const componentStatus = (name: string, status: 'True' | 'False', message: string): ApiObject => ({
  apiVersion: 'v1',
  kind: 'ComponentStatus',
  metadata: { name },
  conditions: [{ type: 'Healthy', status, message }],
});

export const componentStatusRules: KindRules = {
  group: '',
  resource: 'componentstatuses',
  requestWarning: 'v1 ComponentStatus is deprecated in v1.19+',
  computed: {
    objects: () => [
      componentStatus('scheduler', 'False', refused(10259)),
      componentStatus('controller-manager', 'False', refused(10257)),
      componentStatus('etcd-0', 'True', 'ok'),
    ],
    notFoundResource: 'componentstatus',
  },
};
