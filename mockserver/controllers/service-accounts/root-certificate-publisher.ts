/** Every namespace has a ConfigMap with the certificate that the server's own is signed by. */
import { jsonEqual, objectMember, stringMember, type JsonObject } from '../../ground/json.js';
import { editMetadata, nameOf, namespaceOf, withMetadata } from '../../ground/object.js';
import { isOfEndingNamespace, isRefusal } from '../client.js';
import { type Controller } from '../controller.js';

const MAPS = { group: '', resource: 'configmaps' } as const;
const NAMESPACES = { group: '', resource: 'namespaces' } as const;
const NAME = 'kube-root-ca.crt';
const NOTE = 'kubernetes.io/description';
const TEXT =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

/**
 * @param certificate in PEM
 * Source: kubernetes pkg/controller/certificates/rootcacertpublisher/publisher.go.
 */
export const rootCertificatePublisher = (certificate: string): Controller => ({
  name: 'root-ca-certificate-publisher-controller',
  start(frame) {
    const data: JsonObject = { 'ca.crt': certificate };
    const queue = frame.queue<string>((namespace) => {
      const map = maps.get(namespace, NAME);
      if (map === undefined) {
        try {
          frame.client.create(MAPS, {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: NAME, namespace, annotations: { [NOTE]: TEXT } },
            data,
          });
        } catch (error) {
          if (!isOfEndingNamespace(error) && !isRefusal(error, 'NotFound')) throw error;
        }
      } else {
        const annotations = objectMember(map.metadata, 'annotations');
        const noted = (stringMember(annotations, NOTE) ?? '') !== '';
        if (noted && jsonEqual(map['data'], data)) return;
        const metadata = editMetadata(map.metadata, { annotations: { ...annotations, [NOTE]: TEXT } });
        frame.client.update(MAPS, { ...withMetadata(map, metadata), data });
      }
      queue.forget(namespace);
    });
    const maps = frame.view(MAPS, (next, previous) => {
      const changed = next ?? previous;
      if (previous !== undefined && changed !== undefined && nameOf(changed) === NAME)
        queue.add(namespaceOf(changed));
    });
    frame.view(NAMESPACES, (next) => {
      if (next !== undefined) queue.add(nameOf(next));
    });
  },
});
