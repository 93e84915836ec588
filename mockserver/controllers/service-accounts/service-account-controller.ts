/** Every namespace has its ServiceAccount `default`. */
import { objectMember, stringMember } from '../../ground/json.js';
import { nameOf, namespaceOf } from '../../ground/object.js';
import { isOfEndingNamespace, isRefusal } from '../client.js';
import { type Controller } from '../controller.js';

const ACCOUNTS = { group: '', resource: 'serviceaccounts' } as const;
const NAMESPACES = { group: '', resource: 'namespaces' } as const;
const NAME = 'default';

/** Source: kubernetes pkg/controller/serviceaccount/serviceaccounts_controller.go. */
export const serviceAccountController: Controller = {
  name: 'serviceaccount-controller',
  start(frame) {
    const queue = frame.queue<string>((namespace) => {
      const found = namespaces.get('', namespace);
      if (stringMember(objectMember(found, 'status'), 'phase') !== 'Active') return;
      if (accounts.get(namespace, NAME) !== undefined) return;
      try {
        frame.client.create(ACCOUNTS, {
          apiVersion: 'v1',
          kind: 'ServiceAccount',
          metadata: { name: NAME, namespace },
        });
      } catch (error) {
        if (
          !isOfEndingNamespace(error) &&
          !isRefusal(error, 'NotFound') &&
          !isRefusal(error, 'AlreadyExists')
        )
          throw error;
      }
      queue.forget(namespace);
    });
    const accounts = frame.view(ACCOUNTS, (next, previous) => {
      if (next === undefined && previous !== undefined && nameOf(previous) === NAME)
        queue.add(namespaceOf(previous));
    });
    const namespaces = frame.view(NAMESPACES, (next) => {
      if (next !== undefined) queue.add(nameOf(next));
    });
  },
};
