/** Selectors of workloads against the labels of their templates. */
import { type JsonObject } from '../../ground/json.js';
import { labelKeyProblems, labelValueProblems } from '../../ground/name-syntax.js';
import {
  itemsAt,
  keysAt,
  listAt,
  partAt,
  partOrEmpty,
  plainText,
  textAt,
} from '../../schema/validation/field-values.js';
import { labelSelectorOf } from '../label-selector.js';

/** An empty selector as errors show it. */
export const emptySelector: JsonObject = Object.freeze({});

export const isEmptySelector = (selector: JsonObject): boolean =>
  keysAt(selector, 'matchLabels').length === 0 && listAt(selector, 'matchExpressions').length === 0;

export const labelsIn = (template: JsonObject): JsonObject =>
  partOrEmpty(partAt(template, 'metadata'), 'labels');

/**
 * Whether a selector can be made of it: keys, values and operators are good. An absent one can: it selects nothing.
 * Source: apimachinery meta/v1/helpers.go, LabelSelectorAsSelector.
 */
export function isUsableSelector(selector: JsonObject | undefined): boolean {
  if (selector === undefined) return true;
  for (const [key, value] of Object.entries(partOrEmpty(selector, 'matchLabels')))
    if (labelKeyProblems(key).length > 0 || labelValueProblems(plainText(value)).length > 0) return false;
  return itemsAt(selector, 'matchExpressions').every((one) => {
    const values = listAt(one, 'values');
    if (labelKeyProblems(textAt(one, 'key')).length > 0) return false;
    if (!values.every((value) => labelValueProblems(plainText(value)).length === 0)) return false;
    switch (textAt(one, 'operator')) {
      case 'In':
      case 'NotIn':
        return values.length > 0;
      case 'Exists':
      case 'DoesNotExist':
        return values.length === 0;
      default:
        return false;
    }
  });
}

/** Whether the selector selects pods made of the template. An empty one does; an absent one selects nothing. */
export function matchesTemplate(selector: JsonObject | undefined, template: JsonObject): boolean {
  return labelSelectorOf(selector)?.matches(labelsIn(template)) ?? false;
}
