/** Validation of CertificateSigningRequests. Source: kubernetes apis/certificates/validation/validation.go. */
import { type JsonObject, member } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import { dns1123LabelProblems, dns1123SubdomainProblems } from '../../ground/name-syntax.js';
import { integerAt, isSet, partOrEmpty, textAt, textsAt } from '../../schema/validation/field-values.js';
import { type Findings } from '../../schema/validation/findings.js';
import { type KindValidation } from '../kind-validation.js';

const USAGES = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];

const PEM = /-----BEGIN ([^-]*)-----\s/;

function request(found: Findings, object: ApiObject): void {
  const spec: JsonObject = partOrEmpty(object, 'spec');
  const text = Buffer.from(textAt(spec, 'request'), 'base64').toString('latin1');
  if (PEM.exec(text)?.[1] !== 'CERTIFICATE REQUEST')
    found.invalid(
      'spec.request',
      member(spec, 'request') ?? null,
      'PEM block type must be CERTIFICATE REQUEST',
    );
  const usages = textsAt(spec, 'usages');
  if (usages.length === 0) found.required('spec.usages');
  usages.forEach((usage, i) => {
    if (!USAGES.includes(usage)) found.notSupported(`spec.usages[${i}]`, usage, USAGES);
  });
  usages.forEach((usage, i) => {
    if (usages.indexOf(usage) < i) found.duplicate(`spec.usages[${i}]`, usage);
  });
  signer(found, textAt(spec, 'signerName'));
  if (isSet(spec, 'expirationSeconds') && integerAt(spec, 'expirationSeconds') < 600)
    found.invalid(
      'spec.expirationSeconds',
      integerAt(spec, 'expirationSeconds'),
      'may not specify a duration less than 600 seconds (10 minutes)',
    );
}

/** Source: kubernetes apis/core/validation/names.go, ValidateSignerName. */
function signer(found: Findings, name: string): void {
  const field = 'spec.signerName';
  if (name === '') {
    found.required(field);
    return;
  }
  if (name === 'kubernetes.io/legacy-unknown') {
    found.invalid(field, name, 'the legacy signerName is not allowed via this API version');
    return;
  }
  const [domain = '', path = '', ...more] = name.split('/');
  if (!name.includes('/') || more.length > 0) {
    found.invalid(
      field,
      name,
      "must be a fully qualified domain and path of the form 'example.com/signer-name'",
    );
    return;
  }
  for (const problem of dns1123SubdomainProblems(domain))
    found.invalid(field, domain, `validating label ${JSON.stringify(domain)}: ${problem}`);
  if (domain.split('.').length < 2)
    found.invalid(field, domain, 'should be a domain with at least two segments separated by dots');
  for (const part of path.split('.'))
    for (const problem of dns1123LabelProblems(part))
      found.invalid(field, part, `validating label ${JSON.stringify(part)}: ${problem}`);
}

export const certificateSigningRequestValidation: KindValidation = {
  group: 'certificates.k8s.io',
  resource: 'certificatesigningrequests',
  create: request,
};
