/** Validation of ResourceQuotas and LimitRanges. Source: kubernetes apis/core/validation/validation.go. */
import { type JsonObject, jsonEqual, member } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import { labelKeyProblems } from '../../ground/name-syntax.js';
import {
  itemsAt,
  keysAt,
  listAt,
  partAt,
  partOrEmpty,
  plainText,
  textAt,
  textsAt,
} from '../../schema/validation/field-values.js';
import { type Findings, IMMUTABLE } from '../../schema/validation/findings.js';
import { amountOf } from '../../schema/validation/quantities.js';
import { resourceAmount } from './resource-amount.js';
import {
  containerResourceProblems,
  isQuotaResource,
  mayOvercommit,
  quotaResourceProblems,
  resourceNameProblems,
} from './resource-names.js';
import { type KindValidation } from '../kind-validation.js';

const specOf = (object: ApiObject): JsonObject => partOrEmpty(object, 'spec');

function amounts(found: Findings, all: JsonObject, at: string): void {
  for (const [resource, value] of Object.entries(all)) {
    const field = `${at}[${resource}]`;
    found.problems(field, resource, quotaResourceProblems);
    resourceAmount(found, resource, value, field);
  }
}

const EXISTS_ONLY = [
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'CrossNamespacePodAffinity',
];
const SCOPES = [...EXISTS_ONLY, 'PriorityClass', 'VolumeAttributesClass'];
const PAIRS = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;
const POD_COMPUTE =
  /^(pods|cpu|memory|ephemeral-storage|(requests|limits)\.(cpu|memory|ephemeral-storage)|(requests\.)?hugepages-.*)$/;

/** Source: kubernetes apis/core/helper/helpers.go, IsResourceQuotaScopeValidForResource. */
function scopeFits(scope: string, resource: string): boolean {
  switch (scope) {
    case 'BestEffort':
      return resource === 'pods';
    case 'VolumeAttributesClass':
      return resource === 'persistentvolumeclaims' || resource === 'requests.storage';
    default:
      return !SCOPES.includes(scope) || POD_COMPUTE.test(resource);
  }
}

function conflicts(found: Findings, scopes: readonly string[], spec: JsonObject, field: string): void {
  for (const [a, b] of PAIRS)
    if (scopes.includes(a) && scopes.includes(b))
      found.invalid(field, member(spec, 'scopes') ?? null, 'conflicting scopes');
}

function quotaScopes(found: Findings, spec: JsonObject): void {
  const scopes = textsAt(spec, 'scopes');
  const limited = keysAt(spec, 'hard').filter(isQuotaResource).sort();
  for (const scope of scopes) {
    if (!SCOPES.includes(scope)) found.invalid('spec.scopes', scopes, 'unsupported scope');
    for (const resource of limited)
      if (!scopeFits(scope, resource))
        found.invalid('spec.scopes', scopes, 'unsupported scope applied to resource');
  }
  conflicts(found, scopes, spec, 'spec.scopes');
}

function scopeSelector(found: Findings, spec: JsonObject): void {
  const selector = partAt(spec, 'scopeSelector');
  if (selector === undefined) return;
  const at = 'spec.scopeSelector.matchExpressions';
  const limited = keysAt(spec, 'hard').filter(isQuotaResource).sort();
  const requirements = itemsAt(selector, 'matchExpressions');
  for (const one of requirements) {
    const [scope, operator, values] = [
      textAt(one, 'scopeName'),
      textAt(one, 'operator'),
      listAt(one, 'values'),
    ];
    if (!SCOPES.includes(scope)) found.invalid(`${at}.scopeName`, scope, 'unsupported scope');
    for (const resource of limited)
      if (!scopeFits(scope, resource))
        found.invalid(at, shownSelector(requirements), 'unsupported scope applied to resource');
    if (EXISTS_ONLY.includes(scope) && operator !== 'Exists')
      found.invalid(
        `${at}.operator`,
        operator,
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity",
      );
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length === 0)
        found.required(
          `${at}.values`,
          "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
        );
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values.length > 0)
        found.invalid(
          `${at}.values`,
          values,
          "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
        );
    } else found.invalid(`${at}.operator`, operator, 'not a valid selector operator');
  }
  conflicts(
    found,
    requirements.map((one) => textAt(one, 'scopeName')),
    spec,
    at,
  );
}

const shownSelector = (requirements: readonly JsonObject[]): JsonObject => ({
  MatchExpressions: requirements.map((one) => ({
    ScopeName: textAt(one, 'scopeName'),
    Operator: textAt(one, 'operator'),
    Values: member(one, 'values') ?? null,
  })),
});

function quotaSpec(found: Findings, object: ApiObject): void {
  const spec = specOf(object);
  amounts(found, partOrEmpty(spec, 'hard'), 'spec.hard');
  quotaScopes(found, spec);
  scopeSelector(found, spec);
}

function quotaStatus(found: Findings, object: ApiObject): void {
  for (const part of ['hard', 'used'])
    amounts(found, partOrEmpty(partAt(object, 'status'), part), `status.${part}`);
}

export const resourceQuotaValidation: KindValidation = {
  group: '',
  resource: 'resourcequotas',
  create(found, object) {
    quotaSpec(found, object);
    quotaStatus(found, object);
  },
  update(found, next, previous) {
    quotaSpec(found, next);
    const [now, before] = [
      new Set(textsAt(specOf(next), 'scopes')),
      new Set(textsAt(specOf(previous), 'scopes')),
    ];
    if (!jsonEqual([...now].sort(), [...before].sort()))
      found.invalid('spec.scopes', member(specOf(next), 'scopes') ?? null, IMMUTABLE);
  },
  status(found, next) {
    quotaStatus(found, next);
  },
};

const LIMIT_TYPES = ['Pod', 'Container', 'PersistentVolumeClaim'];

function limitRange(found: Findings, object: ApiObject): void {
  const types = new Set<string>();
  itemsAt(specOf(object), 'limits').forEach((limit, i) => {
    const at = `spec.limits[${i}]`;
    const type = textAt(limit, 'type');
    const problems = labelKeyProblems(type);
    for (const problem of problems) found.invalid(`${at}.type`, type, problem);
    if (problems.length === 0 && !type.includes('/') && !LIMIT_TYPES.includes(type))
      found.invalid(`${at}.type`, type, 'must be a standard limit type or fully qualified');
    if (types.has(type)) found.duplicate(`${at}.type`, type);
    types.add(type);
    limitItem(found, limit, at, type);
  });
}

function limitItem(found: Findings, limit: JsonObject, at: string, type: string): void {
  const keys = new Set<string>();
  const namesOf = type === 'Pod' || type === 'Container' ? containerResourceProblems : resourceNameProblems;
  const read = (part: string): void => {
    for (const key of keysAt(limit, part)) {
      found.problems(`${at}.${part}[${key}]`, key, namesOf);
      keys.add(key);
    }
  };
  read('max');
  read('min');
  if (type === 'Pod') {
    for (const part of ['default', 'defaultRequest'])
      if (keysAt(limit, part).length > 0)
        found.forbidden(`${at}.${part}`, "may not be specified when `type` is 'Pod'");
  } else {
    read('default');
    read('defaultRequest');
  }
  if (
    type === 'PersistentVolumeClaim' &&
    ['min', 'max'].every((part) => member(partAt(limit, part), 'storage') === undefined)
  )
    found.required(
      `${at}.limits`,
      'either minimum or maximum storage value is required, but neither was provided',
    );
  read('maxLimitRequestRatio');
  for (const key of [...keys].sort()) limitValues(found, limit, at, key, type !== 'Pod');
}

/** @param withDefaults whether defaults count */
function limitValues(
  found: Findings,
  limit: JsonObject,
  at: string,
  key: string,
  withDefaults: boolean,
): void {
  const value = (part: string): string | undefined => {
    const text = member(partAt(limit, part), key);
    return text === undefined ? undefined : plainText(text);
  };
  const above = (a: string | undefined, b: string | undefined): boolean =>
    a !== undefined && b !== undefined && amountOf(a) > amountOf(b);
  const [min, max, ratio] = [value('min'), value('max'), value('maxLimitRequestRatio')];
  const [usual, asked] = withDefaults ? [value('default'), value('defaultRequest')] : [undefined, undefined];
  const complain = (part: string, shown: string | undefined, detail: string): void => {
    found.invalid(`${at}.${part}[${key}]`, shown ?? '', detail);
  };
  if (above(min, max)) complain('min', min, `min value ${min ?? ''} is greater than max value ${max ?? ''}`);
  if (above(min, asked))
    complain(
      'defaultRequest',
      asked,
      `min value ${min ?? ''} is greater than default request value ${asked ?? ''}`,
    );
  if (above(asked, max))
    complain(
      'defaultRequest',
      asked,
      `default request value ${asked ?? ''} is greater than max value ${max ?? ''}`,
    );
  if (above(asked, usual))
    complain(
      'defaultRequest',
      asked,
      `default request value ${asked ?? ''} is greater than default limit value ${usual ?? ''}`,
    );
  if (above(min, usual))
    complain('default', min, `min value ${min ?? ''} is greater than default value ${usual ?? ''}`);
  if (above(usual, max))
    complain('default', max, `default value ${usual ?? ''} is greater than max value ${max ?? ''}`);
  if (ratio !== undefined) limitRatio(complain, ratio, min, max);
  if (
    !mayOvercommit(key) &&
    usual !== undefined &&
    asked !== undefined &&
    amountOf(usual) !== amountOf(asked)
  )
    complain(
      'defaultRequest',
      asked,
      `default value ${usual} must equal to defaultRequest value ${asked} in ${key}`,
    );
}

const NANO = 1e9;

function limitRatio(
  complain: (part: string, shown: string, detail: string) => void,
  ratio: string,
  min: string | undefined,
  max: string | undefined,
): void {
  if (amountOf(ratio) < 10n ** 9n) complain('maxLimitRequestRatio', ratio, `ratio ${ratio} is less than 1`);
  if (min === undefined || max === undefined || amountOf(min) === 0n) return;
  const most = Number(amountOf(max)) / Number(amountOf(min));
  if (Number(amountOf(ratio)) / NANO > most)
    complain('maxLimitRequestRatio', ratio, `ratio ${ratio} is greater than max/min = ${most.toFixed(6)}`);
}

export const limitRangeValidation: KindValidation = {
  group: '',
  resource: 'limitranges',
  create: limitRange,
  update(found, next) {
    limitRange(found, next);
  },
};
