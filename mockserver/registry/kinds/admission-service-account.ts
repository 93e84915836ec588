/** ServiceAccount: each pod runs as an account of its namespace, and finds the account's token. */
import { type JsonObject, member, objectMember } from '../../ground/json.js';
import { type ApiObject, EMPTY } from '../../ground/object.js';
import { forbiddenObject, type StatusError } from '../../ground/status.js';
import { isSet, itemsAt, partAt, textAt } from '../../schema/validation/field-values.js';
import { type AdmissionPlugin, type AdmissionRequest } from '../admission-plugin.js';
import { MIRROR, withServiceAccount } from './pod-service-account.js';

const PODS = { group: '', resource: 'pods' } as const;

const isNewPod = ({ operation, subresource }: AdmissionRequest): boolean =>
  operation === 'create' && subresource === '';
const isMirror = (pod: ApiObject): boolean =>
  member(objectMember(pod.metadata, 'annotations'), MIRROR) !== undefined;
const refused = ({ name }: AdmissionRequest, why: string): StatusError => forbiddenObject(PODS, name, why);

/** Source: kubernetes plugin/pkg/admission/serviceaccount. Deviation: which secrets a pod may mount is not limited. */
export const serviceAccount: AdmissionPlugin = {
  name: 'ServiceAccount',
  resources: [PODS],
  admit: (request, context) =>
    isNewPod(request) && !isMirror(request.object)
      ? withServiceAccount(request.object, context)
      : request.object,
  validate(request) {
    if (!isNewPod(request) || !isMirror(request.object)) return;
    const spec = objectMember(request.object, 'spec') ?? EMPTY;
    if (textAt(spec, 'serviceAccountName') !== '')
      throw refused(request, 'a mirror pod may not reference service accounts');
    const volumes = itemsAt(spec, 'volumes');
    if (volumes.some((volume) => isSet(volume, 'secret')))
      throw refused(request, 'a mirror pod may not reference secrets');
    if (volumes.some(projectsToken))
      throw refused(request, 'a mirror pod may not use ServiceAccountToken volume projections');
  },
};

const projectsToken = (volume: JsonObject): boolean =>
  itemsAt(partAt(volume, 'projected'), 'sources').some((source) => isSet(source, 'serviceAccountToken'));
