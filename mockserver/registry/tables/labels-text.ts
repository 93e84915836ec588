/** Labels and label selectors in one line of text. */
import { type JsonValue, compareUtf8, isJsonObject, member } from '../../ground/json.js';
import { type LabelOperator, type LabelRequirement, LabelSelector } from '../../watch/label-selector.js';
import { objectAt, objectsAt, textAt, textsAt } from './cell.js';

/** `a=b,c=d` by the order of the keys, `<none>` when there are none. Source: apimachinery labels/labels.go. */
export function labelsText(labels: JsonValue | undefined): string {
  if (!isJsonObject(labels)) return '<none>';
  const pairs = Object.keys(labels)
    .sort(compareUtf8)
    .map((key) => `${key}=${textOf(member(labels, key))}`);
  return pairs.length === 0 ? '<none>' : pairs.join(',');
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

const OPERATORS: Readonly<Record<string, LabelOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

/**
 * A selector of the API (matchLabels, matchExpressions) as the text that a labelSelector parameter takes.
 *
 * Shape: `a=b,b in (1,2),!c` by the order of the keys; `''` when it asks for nothing or is absent; undefined when an
 * operator is unknown. Source: apimachinery meta/v1/helpers.go, LabelSelectorAsSelector.
 */
export function selectorText(selector: JsonValue | undefined): string | undefined {
  const requirements: LabelRequirement[] = [];
  const matchLabels = objectAt(selector, 'matchLabels') ?? {};
  for (const key of Object.keys(matchLabels)) {
    requirements.push({ key, operator: '=', values: [textOf(member(matchLabels, key))] });
  }
  for (const expression of objectsAt(selector, 'matchExpressions')) {
    const word = textAt(expression, 'operator');
    const operator = Object.hasOwn(OPERATORS, word) ? OPERATORS[word] : undefined;
    if (operator === undefined) return undefined;
    const values = [...textsAt(expression, 'values')].sort(compareUtf8);
    requirements.push({ key: textAt(expression, 'key'), operator, values });
  }
  return new LabelSelector(requirements).toString();
}

/** The same for most tables: `<none>` when it asks for nothing. Source: FormatLabelSelector. */
export function selectorCell(selector: JsonValue | undefined): string {
  const text = selectorText(selector);
  return text === undefined ? '<error>' : text || '<none>';
}
