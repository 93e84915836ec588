/** How dear the rules of a definition may be. Source: apiextensions apis/apiextensions/validation, cel_validation.go. */
import { type FieldError, forbidden } from '../../ground/field-error.js';
import { ENDLESS } from '../../schema/cel/size.js';
import { type Sized, mostRepetitions } from '../../schema/cel/declared-size.js';
import { type StructuralSchema } from '../../schema/structural/structural-schema.js';
import { member } from '../../ground/json.js';

const RULE_LIMIT = 10_000_000;
const SCHEMA_LIMIT = 100_000_000;
/** Of the schema's limit; rules that cost less are not named. */
const NAMED_SHARE = 0.01;
const MOST_NAMED = 4;

/** How often a value may stand in an object; undefined where the lists and maps above it have no bound. */
export type Repetitions = number | undefined;

/** Of what stands in values of the schema. */
export function repetitionsBelow(schema: StructuralSchema, repetitions: Repetitions): Repetitions {
  const bound = schema.type === 'array' ? 'maxItems' : isMap(schema) ? 'maxProperties' : undefined;
  if (bound === undefined) return repetitions;
  const most = member(schema.json, bound);
  if (typeof most !== 'number' && typeof most !== 'bigint') return undefined;
  return repetitions === undefined ? undefined : repetitions * Math.max(0, Number(most));
}

const isMap = ({ type, additional }: StructuralSchema): boolean =>
  type === 'object' && additional !== undefined;

/** @param cost of one evaluation */
export const costIn = (cost: number, repetitions: Repetitions, sized: Sized): number =>
  Math.min(cost * (repetitions ?? mostRepetitions(sized)), ENDLESS);

/** Undefined where a rule is cheap enough. @param subject `estimated rule cost` */
export const ruleCostError = (subject: string, cost: number, field: string): FieldError | undefined =>
  cost > RULE_LIMIT ? forbidden(field, costText(subject, cost, RULE_LIMIT)) : undefined;

function costText(subject: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const shown = factor > 100 ? 'more than 100' : factor.toFixed(factor < 1.5 ? 6 : 1);
  return `${subject} exceeds budget by factor of ${shown}x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

/** The rules of one schema together. */
export class TotalCost {
  #total = 0;
  #dearest: { readonly field: string; readonly cost: number }[] = [];

  add(field: string, cost: number): void {
    this.#total = Math.min(this.#total + cost, ENDLESS);
    if (cost < SCHEMA_LIMIT * NAMED_SHARE) return;
    this.#dearest = [...this.#dearest, { field, cost }].sort((a, b) => b.cost - a.cost).slice(0, MOST_NAMED);
  }

  /** @param path of the schema */
  errors(path: string): readonly FieldError[] {
    if (this.#total <= SCHEMA_LIMIT) return [];
    const subject = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    const share = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    return [
      ...this.#dearest.map(({ field }) => forbidden(field, share)),
      forbidden(path, costText(subject, this.#total, SCHEMA_LIMIT)),
    ];
  }
}
