/** The proxy of services, to the endpoints behind them. */
import { arrayMember, isJsonObject, numberMember, objectMember, stringMember } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import { notFound, serviceUnavailable } from '../../ground/status.js';
import { type SubresourceRules } from '../kind-rules.js';
import { unreachable } from './node-address.js';
import { proxyTarget } from './proxy-target.js';

const OF = { group: '', resource: 'services' } as const;

/** Source: kubernetes registry/core/service/storage/storage.go, ResourceLocation. */
export const serviceProxy: SubresourceRules = {
  connection: {
    mediaTypes: undefined,
    connect({ name: id, namespace }, context) {
      const { name, port } = proxyTarget(id, 'service');
      let wanted = port;
      if (/^[+-]?\d+$/.test(port)) {
        const service = context.find(OF.group, OF.resource, namespace, name);
        if (service === undefined) throw notFound(OF, name);
        wanted = portName(service, name, Number(port));
      }
      const endpoints = context.find('', 'endpoints', namespace, name);
      if (endpoints === undefined) throw notFound(OF, name);
      const subsets = objects(endpoints, 'subsets');
      if (subsets.length === 0) throw noEndpoints(name);
      for (const subset of subsets) {
        const found = objects(subset, 'ports').find((one) => (stringMember(one, 'name') ?? '') === wanted);
        const [address] = objects(subset, 'addresses');
        if (found === undefined || address === undefined) continue;
        throw unreachable({
          host: stringMember(address, 'ip') ?? '',
          port: numberMember(found, 'port') ?? 0,
        });
      }
      throw noEndpoints(id);
    },
  },
};

function portName(service: ApiObject, name: string, port: number): string {
  const found = objects(objectMember(service, 'spec') ?? {}, 'ports').find(
    (one) => numberMember(one, 'port') === port,
  );
  if (found === undefined) throw serviceUnavailable(`no service port ${port} found for service "${name}"`);
  return stringMember(found, 'name') ?? '';
}

const noEndpoints = (name: string): Error =>
  serviceUnavailable(`no endpoints available for service "${name}"`);

const objects = (parent: Parameters<typeof arrayMember>[0], name: string) =>
  (arrayMember(parent, name) ?? []).filter(isJsonObject);
