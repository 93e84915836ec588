/** CertificateSubjectRestriction: nobody asks for a certificate of the group that may do everything. */
import { objectMember, stringMember } from '../../ground/json.js';
import { forbiddenObject } from '../../ground/status.js';
import { type AdmissionPlugin } from '../admission-plugin.js';
import { organizationsOf } from './certificate-request.js';

const OF = { group: 'certificates.k8s.io', resource: 'certificatesigningrequests' } as const;
const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client';

/** Source: kubernetes plugin/pkg/admission/certificates/subjectrestriction. */
export const certificateSubjectRestriction: AdmissionPlugin = {
  name: 'CertificateSubjectRestriction',
  resources: [OF],
  validate({ operation, subresource, name, object }) {
    if (operation !== 'create' || subresource !== '') return;
    const spec = objectMember(object, 'spec');
    if (stringMember(spec, 'signerName') !== CLIENT_SIGNER) return;
    if (organizationsOf(stringMember(spec, 'request') ?? '').includes('system:masters'))
      throw forbiddenObject(
        OF,
        name,
        `use of ${CLIENT_SIGNER} signer with system:masters group is not allowed`,
      );
  },
};
