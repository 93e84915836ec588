/** The table of certificate signing requests. */
import { type ApiObject } from '../../ground/object.js';
import { objectsAt, textAt, textOr, valueAt } from '../tables/cell.js';
import { humanDuration } from '../tables/elapsed.js';
import { type KindTable } from '../tables/kind-table.js';

export const certificateSigningRequestTable: KindTable = {
  group: 'certificates.k8s.io',
  kind: 'CertificateSigningRequest',
  cells: {
    SignerName: textOr('<none>', 'spec', 'signerName'),
    RequestedDuration: (request) => {
      const seconds = valueAt(request, ['spec', 'expirationSeconds']);
      return typeof seconds === 'number' ? humanDuration(seconds * 1000) : '<none>';
    },
    Condition: conditionText,
  },
};

/** A condition counts by being there, whatever its status. */
function conditionText(request: ApiObject): string {
  const types = new Set(
    objectsAt(request, 'status', 'conditions').map((condition) => textAt(condition, 'type')),
  );
  const decision = types.has('Denied') ? 'Denied' : types.has('Approved') ? 'Approved' : 'Pending';
  const failed = types.has('Failed') ? ',Failed' : '';
  return `${decision}${failed}${textAt(request, 'status', 'certificate') === '' ? '' : ',Issued'}`;
}
