/** One of x-kubernetes-validations, compiled. Source: apiextensions-apiserver apiserver/schema/cel/compilation.go. */
import { type JsonObject, booleanMember, member, stringMember } from '../../ground/json.js';
import { followPath } from '../structural/field-path.js';
import { type StructuralSchema } from '../structural/structural-schema.js';
import { type Compiled, type Run } from './compiled.js';
import { type Sized } from './declared-size.js';
import { compileExpression } from './expression.js';
import { Scope } from './scope.js';
import { type CelType, isSimple, optionalOf } from './types.js';

export interface ValidationRule {
  readonly json: JsonObject;
  /** `''` for a rule that is none. */
  readonly text: string;
  /** As given, without white space around it. */
  readonly message: string;
  readonly reason: string | undefined;
  /** `''` or what is appended to the path: `.a.b`, `[c]`. */
  readonly fieldPath: string;
  readonly optionalOldSelf: boolean;
  readonly usesOldSelf: boolean;
  /** Undefined where the rule is none, or does not compile. */
  readonly run: Run | undefined;
  readonly messageRun: Run | undefined;
  /** Units that one evaluation costs at worst; 0 where there is none. */
  readonly cost: number;
  readonly messageCost: number;
  /** Why the rule does not compile, in the words of a definition's refusal. */
  readonly problem: string | undefined;
  readonly messageProblem: string | undefined;
}

/** What is known of `self`. */
export interface SelfDeclaration {
  readonly type: CelType;
  /** Undefined: not known, which makes rules dear. */
  readonly sized: Sized | undefined;
  /** Along which fieldPath leads. */
  readonly schema: StructuralSchema;
}

export function compileRule(json: JsonObject, { type, sized, schema }: SelfDeclaration): ValidationRule {
  const text = (stringMember(json, 'rule') ?? '').trim();
  const optionalOldSelf = booleanMember(json, 'optionalOldSelf') === true;
  const scope = Scope.of([
    ['self', type],
    ['oldSelf', optionalOldSelf ? optionalOf(type) : type],
  ]);
  const rule = text === '' ? NOTHING : compiledText(stringMember(json, 'rule') ?? '', scope, sized);
  const notBool = rule.compiled !== undefined && !isSimple(rule.compiled.type, 'bool');
  const problem =
    rule.problem === undefined
      ? notBool
        ? 'cel expression must evaluate to a bool'
        : undefined
      : `compilation failed: ${rule.problem}`;
  const expression = problem === undefined ? (stringMember(json, 'messageExpression') ?? '') : '';
  const message = expression === '' || text === '' ? NOTHING : compiledText(expression, scope, sized);
  const notText = message.compiled !== undefined && !isSimple(message.compiled.type, 'string');
  const messageProblem =
    message.problem === undefined
      ? notText
        ? 'messageExpression must evaluate to a string'
        : undefined
      : `messageExpression compilation failed: ${message.problem}`;
  return {
    json,
    text,
    message: (stringMember(json, 'message') ?? '').trim(),
    reason: stringMember(json, 'reason'),
    fieldPath: normalPath(stringMember(json, 'fieldPath') ?? '', schema),
    optionalOldSelf,
    usesOldSelf: problem === undefined && rule.usesOldSelf,
    run: problem === undefined ? rule.compiled?.run : undefined,
    messageRun: messageProblem === undefined ? message.compiled?.run : undefined,
    cost: problem === undefined ? (rule.compiled?.estimate.cost ?? 0) : 0,
    messageCost: messageProblem === undefined ? (message.compiled?.estimate.cost ?? 0) : 0,
    problem,
    messageProblem,
  };
}

/** Whether the rule says anything of optionalOldSelf. */
export const saysOptionalOldSelf = (rule: ValidationRule): boolean =>
  (member(rule.json, 'optionalOldSelf') ?? null) !== null;

interface CompiledText {
  readonly compiled?: Compiled;
  readonly problem?: string;
  readonly usesOldSelf: boolean;
}

const NOTHING: CompiledText = { usesOldSelf: false };

function compiledText(source: string, scope: Scope, sized: Sized | undefined): CompiledText {
  const result = compileExpression(source, scope, sized);
  return result.ok
    ? { compiled: result.compiled, usesOldSelf: result.used.has('oldSelf') }
    : { problem: result.problem, usesOldSelf: false };
}

/** As paths are written: `.a['b.c']` is `.a.b.c` where the schema has such a property, `.a[b.c]` where it is a map. */
function normalPath(path: string, schema: StructuralSchema): string {
  if (path === '') return '';
  const found = followPath(path, schema, true);
  if (!found.ok) return '';
  let text = '';
  let at: StructuralSchema | undefined = schema;
  for (const step of found.steps) {
    const named: boolean = at !== undefined && at.properties.size > 0;
    text += named ? `.${step}` : `[${step}]`;
    at = named ? at?.properties.get(step) : at?.additional?.schema;
  }
  return text;
}
