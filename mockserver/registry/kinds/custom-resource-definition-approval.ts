/** The annotation that groups of the Kubernetes community need. */
import { type JsonObject, stringMember } from '../../ground/json.js';
import { goQuote } from '../../ground/revision.js';

export const APPROVAL_ANNOTATION = 'api-approved.kubernetes.io';
const WHERE = 'see https://github.com/kubernetes/enhancements/pull/1111';
const NEED = `protected groups must have approval annotation "${APPROVAL_ANNOTATION}"`;

export interface Approval {
  readonly conforms: boolean;
  readonly reason: 'MissingAnnotation' | 'UnapprovedAnnotation' | 'ApprovedAnnotation' | 'InvalidAnnotation';
  readonly message: string;
}

/** Source: apiextensions apihelpers/helpers.go, IsProtectedCommunityGroup. */
export const isProtectedGroup = (group: string): boolean => /(^|\.)(k8s|kubernetes)\.io$/.test(group);

/** Source: apiextensions apihelpers/helpers.go, GetAPIApprovalState. */
export function approvalOf(annotations: JsonObject | undefined): Approval {
  const text = stringMember(annotations, APPROVAL_ANNOTATION) ?? '';
  if (text === '') return { conforms: false, reason: 'MissingAnnotation', message: `${NEED}, ${WHERE}` };
  if (text.startsWith('unapproved')) {
    return { conforms: false, reason: 'UnapprovedAnnotation', message: `not approved: ${goQuote(text)}` };
  }
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#\s]+/.test(text)) {
    return { conforms: true, reason: 'ApprovedAnnotation', message: `approved in ${text}` };
  }
  return {
    conforms: false,
    reason: 'InvalidAnnotation',
    message: `${NEED} with either a URL or a reason starting with "unapproved", ${WHERE}`,
  };
}
