/** Reviews of what somebody may do: everybody may do everything here. */
import { type FieldError, invalid } from '../../ground/field-error.js';
import { arrayMember, isJsonObject, objectMember, stringMember, type JsonObject } from '../../ground/json.js';
import { labelKeyProblems, labelValueProblems } from '../../ground/name-syntax.js';
import { type ApiObject, editMetadata, namespaceOf } from '../../ground/object.js';
import { badRequest, invalidObject } from '../../ground/status.js';
import { itemsAt, textAt } from '../../schema/validation/field-values.js';
import { Findings } from '../../schema/validation/findings.js';
import { isSetRequirement, labelRequirement } from '../../schema/validation/label-selectors.js';
import { parseFieldSelector } from '../../watch/field-selector.js';
import { parseLabelSelector } from '../../watch/label-selector-parser.js';
import { SelectorError } from '../../watch/selector-error.js';
import { type Action, answering, withStatus } from '../action.js';
import { type KindRules } from '../kind-rules.js';

const GROUP = 'authorization.k8s.io';

const reviewed =
  (errorsOf: (review: ApiObject) => readonly FieldError[]): Action =>
  (review) => {
    const errors = errorsOf(review);
    // The error of a real server names no kind here.
    if (errors.length > 0) throw invalidObject({ group: GROUP, resource: '' }, '', errors);
    const evaluationError = selectorProblems(review);
    return answering(
      withStatus(review, { allowed: true, ...(evaluationError === '' ? {} : { evaluationError }) }),
    );
  };

/** Source: kubernetes apis/authorization/validation/validation.go; the errors of all three. */
function attributeErrors(review: ApiObject, namesUser: boolean): FieldError[] {
  const spec = objectMember(review, 'spec');
  const resource = objectMember(spec, 'resourceAttributes');
  const other = objectMember(spec, 'nonResourceAttributes');
  const errors: FieldError[] = [];
  if (resource !== undefined && other !== undefined) {
    errors.push(
      invalid(
        'spec.nonResourceAttributes',
        internalForm(other),
        'cannot be specified in combination with resourceAttributes',
      ),
    );
  }
  if (resource === undefined && other === undefined) {
    errors.push(
      invalid(
        'spec.resourceAttributes',
        null,
        'exactly one of nonResourceAttributes or resourceAttributes must be specified',
      ),
    );
  }
  const user = stringMember(spec, 'user') ?? '';
  if (namesUser && user === '' && (arrayMember(spec, 'groups') ?? []).length === 0) {
    errors.push(invalid('spec.user', user, 'at least one of user or group must be specified'));
  }
  for (const name of ['fieldSelector', 'labelSelector']) {
    const selector = objectMember(resource, name);
    if (selector !== undefined)
      errors.push(...selectorErrors(selector, `spec.resourceAttributes.${name}`, name === 'labelSelector'));
  }
  return errors;
}

function selectorErrors(selector: JsonObject, field: string, isOfLabels: boolean): readonly FieldError[] {
  const found = new Findings();
  const raw = stringMember(selector, 'rawSelector') ?? '';
  const requirements = itemsAt(selector, 'requirements');
  if (raw !== '' && requirements.length > 0)
    found.invalid(`${field}.rawSelector`, raw, 'may not specified at the same time as requirements');
  if (raw === '' && requirements.length === 0)
    found.required(
      `${field}.requirements`,
      `when ${field} is specified, requirements or rawSelector is required`,
    );
  requirements.forEach((one, i) => {
    const at = `${field}.requirements[${i}]`;
    if (isOfLabels) labelRequirement(found, one, at);
    else {
      if (textAt(one, 'key') === '') found.required(`${at}.key`, 'must be specified');
      isSetRequirement(found, one, at);
    }
  });
  return found.errors;
}

const isReadableField = (requirement: JsonObject): boolean =>
  ['In', 'NotIn'].includes(stringMember(requirement, 'operator') ?? '') &&
  arrayMember(requirement, 'values')?.length === 1;

/** Source: apimachinery labels/selector.go, NewRequirement. */
function isReadableLabel(requirement: JsonObject): boolean {
  const values = (arrayMember(requirement, 'values') ?? []).filter((one) => typeof one === 'string');
  const operator = stringMember(requirement, 'operator') ?? '';
  const counted = ['In', 'NotIn'].includes(operator)
    ? values.length > 0
    : ['Exists', 'DoesNotExist'].includes(operator) && values.length === 0;
  return (
    counted &&
    labelKeyProblems(stringMember(requirement, 'key') ?? '').length === 0 &&
    values.every((value) => labelValueProblems(value).length === 0)
  );
}

function isSelector(parse: (text: string) => unknown, text: string): boolean {
  try {
    parse(text);
    return true;
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}

/** A selector of a review: its name, which of its requirements can be read, and how its text is. */
const SELECTORS = [
  ['fieldSelector', isReadableField, parseFieldSelector],
  ['labelSelector', isReadableLabel, parseLabelSelector],
] as const;

/**
 * What is said of selectors that cannot be read; they restrict nothing then.
 * Shape: empty when all can be.
 * Source: kubernetes registry/authorization/util/helpers.go, ResourceAttributesFrom, BuildEvaluationError.
 */
function selectorProblems(review: ApiObject): string {
  const resource = objectMember(objectMember(review, 'spec'), 'resourceAttributes');
  return SELECTORS.flatMap(([name, isReadable, parse]) => {
    const selector = objectMember(resource, name);
    const requirements = (arrayMember(selector, 'requirements') ?? []).filter(isJsonObject);
    const readable = requirements.filter(isReadable).length;
    if (requirements.length === readable && isSelector(parse, stringMember(selector, 'rawSelector') ?? ''))
      return [];
    return [`spec.resourceAttributes.${name} ${readable > 0 ? 'partially ' : ''}ignored due to parse error`];
  }).join('; ');
}

/** As Go prints the attributes: by the names of its own struct. */
const internalForm = (attributes: JsonObject): JsonObject => ({
  Path: stringMember(attributes, 'path') ?? '',
  Verb: stringMember(attributes, 'verb') ?? '',
});

function metadataErrors({ metadata }: ApiObject, withNamespace: boolean): FieldError[] {
  const own = editMetadata(metadata, {
    managedFields: undefined,
    creationTimestamp: undefined,
    ...(withNamespace ? { namespace: undefined } : {}),
  });
  if (Object.keys(own).length === 0) return [];
  return [invalid('metadata', metadata, `must be empty${withNamespace ? ' except for namespace' : ''}`)];
}

function localErrors(review: ApiObject): FieldError[] {
  const spec = objectMember(review, 'spec');
  const resource = objectMember(spec, 'resourceAttributes');
  const other = objectMember(spec, 'nonResourceAttributes');
  const errors = [...attributeErrors(review, true), ...metadataErrors(review, true)];
  const namespace = stringMember(resource, 'namespace') ?? '';
  if (resource !== undefined && namespace !== namespaceOf(review)) {
    errors.push(invalid('spec.resourceAttributes.namespace', namespace, 'must match metadata.namespace'));
  }
  if (other !== undefined) {
    errors.push(
      invalid('spec.nonResourceAttributes', internalForm(other), 'disallowed on this kind of request'),
    );
  }
  return errors;
}

const rulesReview: Action = (review) => {
  if ((stringMember(objectMember(review, 'spec'), 'namespace') ?? '') === '')
    throw badRequest('no namespace on request');
  return answering({
    kind: review.kind,
    apiVersion: review.apiVersion,
    metadata: {},
    spec: {},
    status: {
      resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
      incomplete: false,
    },
  });
};

export const subjectAccessReviewRules: KindRules = {
  group: GROUP,
  resource: 'subjectaccessreviews',
  action: reviewed((review) => [...attributeErrors(review, true), ...metadataErrors(review, false)]),
};

export const selfSubjectAccessReviewRules: KindRules = {
  group: GROUP,
  resource: 'selfsubjectaccessreviews',
  action: reviewed((review) => [...attributeErrors(review, false), ...metadataErrors(review, false)]),
};

export const localSubjectAccessReviewRules: KindRules = {
  group: GROUP,
  resource: 'localsubjectaccessreviews',
  action: reviewed(localErrors),
};

export const selfSubjectRulesReviewRules: KindRules = {
  group: GROUP,
  resource: 'selfsubjectrulesreviews',
  action: rulesReview,
};
