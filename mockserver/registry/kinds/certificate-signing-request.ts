/** CertificateSigningRequests: by whom they are asked for. */
import { type User } from '../../access/authentication.js';
import { objectMember } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import { without } from './members.js';

/**
 * The request as asked for by `user`; what the client says of it is dropped.
 *
 * Source: kubernetes registry/certificates/certificates/strategy.go, PrepareForCreate.
 */
export function requestedBy(request: ApiObject, user: User): ApiObject {
  const spec = without(objectMember(request, 'spec') ?? {}, 'username', 'uid', 'groups', 'extra');
  return {
    ...request,
    spec: {
      ...spec,
      ...(user.name === '' ? {} : { username: user.name }),
      ...(user.uid === '' ? {} : { uid: user.uid }),
      ...(user.groups.length === 0 ? {} : { groups: user.groups }),
    },
  };
}
