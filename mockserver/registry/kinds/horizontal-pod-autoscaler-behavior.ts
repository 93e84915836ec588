/** spec.behavior of a HorizontalPodAutoscaler inside an annotation: by the names of Go's fields. */
import {
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  arrayMember,
  isJsonArray,
  isJsonObject,
  member,
  objectMember,
} from '../../ground/json.js';
import { writeJson } from '../../ground/json-write.js';
import { memberAnyCase, parsedAnnotation } from './parsed-annotation.js';

const RULES = ['StabilizationWindowSeconds', 'SelectPolicy', 'Policies', 'Tolerance'] as const;
const POLICY = ['Type', 'Value', 'PeriodSeconds'] as const;

const jsonName = (goName: string): string => goName.charAt(0).toLowerCase() + goName.slice(1);

/** `{"ScaleUp":{…},"ScaleDown":{…}}`, with null for what is not set. */
export function behaviorToText(behavior: JsonObject): string {
  return writeJson({
    ScaleUp: rulesToGo(objectMember(behavior, 'scaleUp')),
    ScaleDown: rulesToGo(objectMember(behavior, 'scaleDown')),
  });
}

function rulesToGo(rules: JsonObject | undefined): JsonValue {
  if (rules === undefined) return null;
  return {
    StabilizationWindowSeconds: member(rules, 'stabilizationWindowSeconds') ?? null,
    SelectPolicy: member(rules, 'selectPolicy') ?? null,
    Policies: arrayMember(rules, 'policies')?.filter(isJsonObject).map(policyToGo) ?? null,
    Tolerance: member(rules, 'tolerance') ?? null,
  };
}

const policyToGo = (policy: JsonObject): JsonObject => ({
  Type: member(policy, 'type') ?? '',
  Value: member(policy, 'value') ?? 0,
  PeriodSeconds: member(policy, 'periodSeconds') ?? 0,
});

/** Errors: undefined when there is no annotation, or nothing that can be read in it. */
export function behaviorFromText(text: string | undefined): JsonObject | undefined {
  const value = parsedAnnotation(text);
  if (!isJsonObject(value)) return undefined;
  const behavior: MutableJsonObject = {};
  for (const direction of ['ScaleUp', 'ScaleDown']) {
    const rules = memberAnyCase(value, direction);
    if (isJsonObject(rules)) behavior[jsonName(direction)] = rulesFromGo(rules);
  }
  return Object.keys(behavior).length === 0 ? undefined : behavior;
}

function rulesFromGo(rules: JsonObject): JsonObject {
  const read = fromGo(rules, RULES);
  const policies = read['policies'];
  if (isJsonArray(policies)) {
    read['policies'] = policies.filter(isJsonObject).map((policy) => fromGo(policy, POLICY));
  }
  return read;
}

function fromGo(object: JsonObject, names: readonly string[]): MutableJsonObject {
  const read: MutableJsonObject = {};
  for (const name of names) {
    const value = memberAnyCase(object, name);
    if (value !== undefined && value !== null) read[jsonName(name)] = value;
  }
  return read;
}
