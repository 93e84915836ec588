/** Label selectors: requirements on an object's labels, joined by "and". */
import { type JsonObject, compareUtf8, stringMember } from '../ground/json.js';
import { parseInt64 } from '../ground/go-number.js';

/** `==` and `!=` keep their spelling, because a selector is written back as it came. */
export type LabelOperator = 'in' | 'notin' | '=' | '==' | '!=' | 'gt' | 'lt' | 'exists' | '!';

export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Distinct, in the order of their bytes. None for `exists` and `!`, one for `=`, `==`, `!=`, `gt`, `lt`. */
  readonly values: readonly string[];
}

/** Frozen; requirements stand in the order of their keys. */
export class LabelSelector {
  readonly requirements: readonly LabelRequirement[];

  constructor(requirements: readonly LabelRequirement[]) {
    this.requirements = Object.freeze([...requirements].sort((a, b) => compareUtf8(a.key, b.key)));
  }

  /** True when it matches everything because it asks for nothing. */
  get isEmpty(): boolean {
    return this.requirements.length === 0;
  }

  matches(labels: JsonObject): boolean {
    return this.requirements.every((requirement) =>
      meets(requirement, stringMember(labels, requirement.key)),
    );
  }

  /** The one value that `key` must have; undefined when other values, or none, would do. */
  exactValueOf(key: string): string | undefined {
    const requirement = this.requirements.find((one) => one.key === key);
    if (requirement?.values.length !== 1) return undefined;
    return ['in', '=', '=='].includes(requirement.operator) ? requirement.values[0] : undefined;
  }

  /** The form that parses to the same selector: `a in (x,y),!b,c=z`. */
  toString(): string {
    return this.requirements.map(showRequirement).join(',');
  }
}

export const ALL_LABELS = new LabelSelector([]);

/** Without the label, only the negative requirements are met. Source: apimachinery labels/selector.go. */
function meets({ operator, values }: LabelRequirement, value: string | undefined): boolean {
  switch (operator) {
    case 'in':
    case '=':
    case '==':
      return value !== undefined && values.includes(value);
    case 'notin':
    case '!=':
      return value === undefined || !values.includes(value);
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case 'gt':
    case 'lt': {
      const actual = value === undefined ? undefined : parseInt64(value);
      const bound = parseInt64(values[0] ?? '');
      if (actual?.ok !== true || !bound.ok) return false;
      return operator === 'gt' ? actual.value > bound.value : actual.value < bound.value;
    }
  }
}

function showRequirement({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${values.join(',')})`;
    case 'gt':
      return `${key}>${values.join(',')}`;
    case 'lt':
      return `${key}<${values.join(',')}`;
    case '=':
    case '==':
    case '!=':
      return `${key}${operator}${values.join(',')}`;
  }
}
