/** Whether the service behind an APIService can be asked, as far as the cluster's objects tell. */
import { arrayMember, isJsonObject, numberMember, objectMember, stringMember } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import { goQuote } from '../../ground/revision.js';
import { type OwnCondition } from '../own-condition.js';

const HTTPS = 443;

/**
 * A service that is there and listens is taken to have no endpoints: nothing here runs any.
 *
 * Source: kube-aggregator controllers/status/remote/remote_available_controller.go.
 */
export const availableCondition: OwnCondition = {
  group: 'apiregistration.k8s.io',
  resource: 'apiservices',
  writer: 'kube-apiserver',
  operation: 'Update',
  dependsOn: [{ group: '', resource: 'services' }],
  conditionOf(apiService, find) {
    const reference = objectMember(objectMember(apiService, 'spec'), 'service');
    // Those that this server answers itself say so from the start.
    if (reference === undefined) return undefined;
    const name = stringMember(reference, 'name') ?? '';
    const namespace = stringMember(reference, 'namespace') ?? '';
    const port = numberMember(reference, 'port') ?? HTTPS;
    const place = `service/${name} in ${goQuote(namespace)}`;
    const unavailable = (reason: string, message: string) =>
      ({ type: 'Available', status: 'False', reason, message }) as const;
    const service = find('', 'services', namespace, name);
    if (service === undefined) return unavailable('ServiceNotFound', `${place} is not present`);
    if (!listensOn(service, port))
      return unavailable('ServicePortError', `${place} is not listening on port ${port}`);
    return unavailable('EndpointsNotFound', `cannot find endpointslices for ${place}`);
  },
};

const listensOn = (service: ApiObject, port: number): boolean =>
  (arrayMember(objectMember(service, 'spec'), 'ports') ?? []).some(
    (one) => isJsonObject(one) && one['port'] === port,
  );
