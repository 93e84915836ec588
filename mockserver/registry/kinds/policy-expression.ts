/**
 * Expressions of webhooks and admission policies: the variables that they may use, and that they compile.
 *
 * Source: apiserver pkg/admission/plugin/cel/compile.go. Deviation: what asks the authorizer is not looked at.
 */
import { compileExpression } from '../../schema/cel/expression.js';
import { Scope } from '../../schema/cel/scope.js';
import {
  type CelType,
  DYN,
  type ObjectType,
  isSimple,
  listOf,
  mapOf,
  simple,
  typeText,
} from '../../schema/cel/types.js';

const object = (fields: Readonly<Record<string, CelType>>): ObjectType => ({
  kind: 'object',
  fields: new Map(Object.entries(fields)),
});

const STRING = simple('string');
const STRINGS = listOf(STRING);
const TIME = simple('timestamp');
const KIND = object({ group: STRING, version: STRING, kind: STRING });
const RESOURCE = object({ group: STRING, version: STRING, resource: STRING });
const REQUEST = object({
  kind: KIND,
  resource: RESOURCE,
  subResource: STRING,
  requestKind: KIND,
  requestResource: RESOURCE,
  requestSubResource: STRING,
  name: STRING,
  namespace: STRING,
  operation: STRING,
  userInfo: object({ username: STRING, uid: STRING, groups: STRINGS, extra: mapOf(STRING, STRINGS) }),
  dryRun: simple('bool'),
  options: DYN,
});
const NAMESPACE = object({
  metadata: object({
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    labels: mapOf(STRING, STRING),
    annotations: mapOf(STRING, STRING),
    UID: STRING,
    creationTimestamp: TIME,
    deletionGracePeriodSeconds: simple('int'),
    deletionTimestamp: TIME,
    generation: simple('int'),
    resourceVersion: STRING,
    finalizers: STRINGS,
  }),
  spec: object({ finalizers: STRINGS }),
  status: object({
    phase: STRING,
    conditions: listOf(
      object({ status: STRING, type: STRING, lastTransitionTime: TIME, message: STRING, reason: STRING }),
    ),
  }),
});

/** What an expression may name beside the object, the request and the namespace. */
export interface PolicyVariables {
  readonly params: boolean;
  readonly authorizer: boolean;
  /** Those of the policy, by name, with the types of their values; undefined: the policy has none. */
  readonly variables: ReadonlyMap<string, CelType> | undefined;
}

/** What is wrong with the text; undefined: nothing. `type`: of the value, where it is known. */
export interface PolicyExpression {
  readonly problem: string | undefined;
  readonly type: CelType;
}

type ResultType = 'bool' | 'string' | 'null';

/** @param results types of which the value must be one; empty: any will do */
export function policyExpression(
  source: string,
  variables: PolicyVariables,
  results: readonly ResultType[],
): PolicyExpression {
  if (variables.authorizer && /\bauthorizer\b/.test(source)) return { problem: undefined, type: DYN };
  const result = compileExpression(source, scopeOf(variables));
  if (!result.ok) return { problem: `compilation failed: ${result.problem}`, type: DYN };
  const { type } = result.compiled;
  if (results.length === 0 || results.some((one) => isSimple(type, one))) return { problem: undefined, type };
  const names = results.map((one) => typeText(simple(one)));
  const wanted = names.length === 1 ? (names[0] ?? '') : `one of [${names.join(' ')}]`;
  return { problem: `must evaluate to ${wanted} but got ${typeText(type)}`, type };
}

function scopeOf({ params, variables }: PolicyVariables): Scope {
  return Scope.of([
    ['object', DYN],
    ['oldObject', DYN],
    ['namespaceObject', NAMESPACE],
    ['request', REQUEST],
    ...(params ? [['params', DYN] as const] : []),
    ...(variables === undefined ? [] : [['variables', { kind: 'object', fields: variables }] as const]),
  ]);
}

const RESERVED: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

export const isIdentifier = (name: string): boolean =>
  /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !RESERVED.has(name);
