import { fieldErrorText } from '../../../../mockserver/ground/field-error.js';
import { type JsonObject } from '../../../../mockserver/ground/json.js';
import { type ApiObject } from '../../../../mockserver/ground/object.js';
import { certificateSigningRequestRules as rules } from '../../../../mockserver/registry/kinds/certificate-signing-request.js';
import { context, NOW, object } from './objects.js';

const API = 'certificates.k8s.io/v1';
const csr = (conditions: readonly JsonObject[], status: JsonObject = {}): ApiObject =>
  object(
    API,
    'CertificateSigningRequest',
    { name: 'c' },
    {
      spec: { signerName: 'x.io/y' },
      status: { ...status, ...(conditions.length === 0 ? {} : { conditions }) },
    },
  );
const condition = (type: string, status = 'True'): JsonObject => ({ type, status });
const timed = (one: JsonObject): JsonObject => ({ ...one, lastUpdateTime: NOW, lastTransitionTime: NOW });
const through = (subresource: string) => ({ apiVersion: API, subresource });

test('an approval writes conditions, with their times, and nothing else', () => {
  const sent = { ...csr([condition('Approved')], { certificate: 'eA==' }), spec: { signerName: 'z' } };
  expect(rules.prepareForUpdate?.(sent, csr([]), through('approval'), context)).toMatchObject({
    spec: { signerName: 'x.io/y' },
    status: { conditions: [timed(condition('Approved'))] },
  });
});

test('the main resource writes neither spec nor status', () => {
  const sent = { ...csr([condition('Approved')]), spec: { signerName: 'z' } };
  expect(rules.prepareForUpdate?.(sent, csr([]), through(''), context)).toMatchObject({
    spec: { signerName: 'x.io/y' },
    status: {},
  });
});

test('the request says who asked, whatever was sent', () => {
  const user = { name: 'jane', uid: '7', groups: ['g'] };
  const sent = object(API, 'CertificateSigningRequest', {}, { spec: { username: 'root', extra: {} } });
  expect(rules.prepareForCreate?.(sent, { ...context, user })).toMatchObject({
    spec: { username: 'jane', uid: '7', groups: ['g'] },
  });
});

test.each<[string, string, ApiObject, ApiObject, readonly string[]]>([
  ['an approval', 'approval', csr([condition('Approved')]), csr([]), []],
  [
    'an approval that is not True',
    'approval',
    csr([condition('Approved', 'False')]),
    csr([]),
    ['status.conditions[0].status: Unsupported value: "False": supported values: "True"'],
  ],
  [
    'an approval through the status',
    'status',
    csr([condition('Approved')]),
    csr([]),
    ['status.conditions: Forbidden: updates may not add a condition of type "Approved"'],
  ],
  [
    'a decision taken back',
    'approval',
    csr([condition('Denied')]),
    csr([condition('Approved')]),
    ['status.conditions: Forbidden: updates may not remove a condition of type "Approved"'],
  ],
  [
    'both decisions',
    'approval',
    csr([condition('Approved'), condition('Denied')]),
    csr([condition('Approved')]),
    ['status.conditions: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive'],
  ],
  [
    'a failure beside an approval',
    'status',
    csr([condition('Approved'), condition('Failed')]),
    csr([condition('Approved')]),
    [],
  ],
  [
    'a certificate that is none',
    'status',
    csr([], { certificate: 'eA==' }),
    csr([]),
    [
      'status.certificate: Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block',
    ],
  ],
])('validation of %s', (_, subresource, next, previous, errors) => {
  const found = rules.validateUpdate?.(next, previous, through(subresource)) ?? [];
  expect(found.map((one) => `${one.field}: ${fieldErrorText(one)}`)).toEqual(errors);
});
