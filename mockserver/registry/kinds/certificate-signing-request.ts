/** CertificateSigningRequests: who asks, and the two ways to write their status. */
import { formatTime } from '../../ground/clock.js';
import {
  type FieldError,
  duplicate,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../../ground/field-error.js';
import {
  arrayMember,
  isJsonObject,
  jsonEqual,
  member,
  objectMember,
  stringMember,
  type JsonArray,
  type JsonObject,
} from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import { type User } from '../../access/user.js';
import { type KindRules } from '../kind-rules.js';
import { without } from './members.js';

const FINAL_TYPES = ['Approved', 'Denied', 'Failed'] as const;
const DECISIONS = ['Approved', 'Denied'] as const;

const statusOf = (csr: ApiObject): JsonObject => objectMember(csr, 'status') ?? {};
const conditionsOf = (csr: ApiObject): readonly JsonObject[] =>
  (arrayMember(statusOf(csr), 'conditions') ?? []).filter(isJsonObject);
const typeOf = (condition: JsonObject): string => stringMember(condition, 'type') ?? '';
const ofType = (csr: ApiObject, type: string): readonly JsonObject[] =>
  conditionsOf(csr).filter((one) => typeOf(one) === type);

/** Source: kubernetes registry/certificates/certificates/strategy.go. */
export const certificateSigningRequestRules: KindRules = {
  group: 'certificates.k8s.io',
  resource: 'certificatesigningrequests',

  prepareForCreate: (csr, { user }) => (user === undefined ? csr : requestedBy(csr, user)),

  prepareForUpdate(next, previous, { subresource }, { clock }) {
    const now = formatTime(clock.now());
    const spec = objectMember(previous, 'spec') ?? {};
    switch (subresource) {
      case 'approval':
        return withConditions(
          { ...next, spec, status: statusOf(previous) },
          timed(conditionsOf(next), previous, now),
        );
      case 'status':
        return withConditions({ ...next, spec }, timed(decisionsKept(next, previous), previous, now));
      default:
        return { ...next, spec, status: statusOf(previous) };
    }
  },

  validateUpdate: (next, previous, { subresource }) => [
    ...conditionErrors(next, previous),
    ...changeErrors(next, previous, subresource),
  ],
};

/** The request as asked for by `user`; what the client says of it is dropped. */
export function requestedBy(request: ApiObject, user: User): ApiObject {
  const spec = without(objectMember(request, 'spec') ?? {}, 'username', 'uid', 'groups', 'extra');
  return {
    ...request,
    spec: {
      ...spec,
      username: user.name,
      ...(user.uid === '' ? {} : { uid: user.uid }),
      ...(user.groups.length === 0 ? {} : { groups: user.groups }),
      ...(user.extra === undefined ? {} : { extra: user.extra }),
    },
  };
}

function withConditions(csr: ApiObject, conditions: JsonArray): ApiObject {
  const status = without(statusOf(csr), 'conditions');
  return { ...csr, status: conditions.length === 0 ? status : { ...status, conditions } };
}

/** A write of the status leaves the decisions as they are, unless it adds or takes one: that is refused later. */
function decisionsKept(next: ApiObject, previous: ApiObject): readonly JsonObject[] {
  let conditions = conditionsOf(next);
  for (const type of DECISIONS) {
    const kept = [...ofType(previous, type)];
    if (kept.length !== ofType(next, type).length) continue;
    conditions = conditions.map((one) => (typeOf(one) === type ? (kept.shift() ?? one) : one));
  }
  return conditions;
}

/** Conditions with the times that they do not bring themselves. */
function timed(conditions: readonly JsonObject[], previous: ApiObject, now: string): JsonArray {
  return conditions.map((condition) => {
    const known = ofType(previous, typeOf(condition)).find(
      (one) => stringMember(one, 'status') === stringMember(condition, 'status'),
    );
    return {
      ...condition,
      lastUpdateTime: stringMember(condition, 'lastUpdateTime') ?? now,
      lastTransitionTime:
        stringMember(condition, 'lastTransitionTime') ?? stringMember(known, 'lastTransitionTime') ?? now,
    };
  });
}

/** Source: kubernetes apis/certificates/validation, validateConditions; what was so before is let be. */
function conditionErrors(csr: ApiObject, previous: ApiObject): FieldError[] {
  const errors: FieldError[] = [];
  const field = 'status.conditions';
  const before = conditionsOf(previous).map(typeOf);
  const both = DECISIONS.every((type) => before.includes(type));
  const repeated = new Set(before).size < before.length;
  const seen = new Set<string>();
  conditionsOf(csr).forEach((condition, i) => {
    const type = typeOf(condition);
    const status = stringMember(condition, 'status') ?? '';
    const allowed = FINAL_TYPES.some((one) => one === type) ? ['True'] : ['False', 'True', 'Unknown'];
    if (type === '' && !before.includes('')) errors.push(required(`${field}[${i}].type`));
    if (status === '') errors.push(required(`${field}[${i}].status`));
    else if (!allowed.includes(status)) errors.push(notSupported(`${field}[${i}].status`, status, allowed));
    const other = type === 'Approved' ? 'Denied' : type === 'Denied' ? 'Approved' : undefined;
    if (!both && other !== undefined && seen.has(other))
      errors.push(invalid(field, type, 'Approved and Denied conditions are mutually exclusive'));
    if (!repeated && seen.has(type)) errors.push(duplicate(`${field}[${i}].type`, type));
    seen.add(type);
  });
  const certificate = stringMember(statusOf(csr), 'certificate') ?? '';
  if (
    certificate !== (stringMember(statusOf(previous), 'certificate') ?? '') &&
    !isCertificate(certificate)
  ) {
    errors.push(
      invalid('status.certificate', '<certificate data>', 'must contain at least one CERTIFICATE PEM block'),
    );
  }
  return errors;
}

const isCertificate = (base64: string): boolean =>
  base64 === '' || Buffer.from(base64, 'base64').toString('latin1').includes('-----BEGIN CERTIFICATE-----');

/** Source: the same, validateCertificateSigningRequestUpdate. */
function changeErrors(next: ApiObject, previous: ApiObject, subresource: string): FieldError[] {
  const errors: FieldError[] = [];
  const field = 'status.conditions';
  for (const type of FINAL_TYPES) {
    if (ofType(next, type).length < ofType(previous, type).length)
      errors.push(forbidden(field, `updates may not remove a condition of type "${type}"`));
  }
  if (subresource !== 'approval') {
    for (const type of DECISIONS) {
      const [after, before] = [ofType(next, type), ofType(previous, type)];
      if (after.length > before.length)
        errors.push(forbidden(field, `updates may not add a condition of type "${type}"`));
      else if (after.length === before.length && !jsonEqual(after, before))
        errors.push(
          forbidden(field, `updates may not modify a condition of type "${type}"\n`, {
            goType: '[]certificates.CertificateSigningRequestCondition',
            before,
            after,
          }),
        );
    }
  }
  const [certificate, before] = [next, previous].map((csr) => member(statusOf(csr), 'certificate'));
  if (!jsonEqual(certificate, before)) {
    if (subresource !== 'status')
      errors.push(forbidden('status.certificate', 'updates may not set certificate content'));
    else if (before !== undefined)
      errors.push(forbidden('status.certificate', 'updates may not modify existing certificate content'));
  }
  return errors;
}
