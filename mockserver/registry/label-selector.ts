/** The label selectors that objects hold (matchLabels, matchExpressions), as selectors that match. */
import {
  arrayMember,
  compareUtf8,
  isJsonObject,
  objectMember,
  stringMember,
  type JsonObject,
} from '../ground/json.js';
import { LabelSelector, type LabelOperator, type LabelRequirement } from '../watch/label-selector.js';

const OPERATORS: Readonly<Record<string, LabelOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

/**
 * Shape: undefined for an absent selector, which matches nothing, and for an operator that nobody knows. An empty one
 * matches everything.
 * Source: apimachinery meta/v1/helpers.go, LabelSelectorAsSelector.
 */
export function labelSelectorOf(selector: JsonObject | undefined): LabelSelector | undefined {
  if (selector === undefined) return undefined;
  const requirements: LabelRequirement[] = [];
  for (const [key, value] of Object.entries(objectMember(selector, 'matchLabels') ?? {})) {
    requirements.push({ key, operator: '=', values: [typeof value === 'string' ? value : ''] });
  }
  for (const expression of (arrayMember(selector, 'matchExpressions') ?? []).filter(isJsonObject)) {
    const name = stringMember(expression, 'operator') ?? '';
    const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
    if (operator === undefined) return undefined;
    const values = (arrayMember(expression, 'values') ?? []).filter((one) => typeof one === 'string');
    requirements.push({
      key: stringMember(expression, 'key') ?? '',
      operator,
      values: [...new Set(values)].sort(compareUtf8),
    });
  }
  return new LabelSelector(requirements);
}
