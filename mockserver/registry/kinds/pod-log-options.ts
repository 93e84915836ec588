/** What a request for logs asks for. */
import { type FieldError, forbidden, invalid } from '../../ground/field-error.js';
import { badRequest, invalidObject } from '../../ground/status.js';
import { booleanValue, firstValue, integerValue, textValue, type Query } from '../query.js';

const RFC3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/**
 * Shape: the query with which the kubelet would be asked, names in order.
 * Errors: 400 for numbers and times that cannot be read; 422 for impossible ones.
 * Source: kubernetes apis/core/validation, ValidatePodLogOptions.
 */
export function logQuery(query: Query, podName: string): string {
  const tailLines = integerValue(query, 'tailLines');
  const limitBytes = integerValue(query, 'limitBytes');
  const sinceSeconds = integerValue(query, 'sinceSeconds');
  const sinceTime = timeOf(query);
  const errors: FieldError[] = [];
  if (tailLines !== undefined && tailLines < 0)
    errors.push(invalid('tailLines', tailLines, 'must be greater than or equal to 0'));
  if (limitBytes !== undefined && limitBytes < 1)
    errors.push(invalid('limitBytes', limitBytes, 'must be greater than 0'));
  if (sinceSeconds !== undefined && sinceTime !== undefined)
    errors.push(forbidden('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  else if (sinceSeconds !== undefined && sinceSeconds < 1)
    errors.push(invalid('sinceSeconds', sinceSeconds, 'must be greater than 0'));
  if (firstValue(query, 'stream') !== undefined) errors.push(forbidden('stream', 'may not be specified'));
  if (errors.length > 0) throw invalidObject({ group: '', resource: 'PodLogOptions' }, podName, errors);

  const flag = (name: string): string | undefined =>
    booleanValue(query, name) === true ? 'true' : undefined;
  const asked = {
    follow: flag('follow'),
    limitBytes: limitBytes?.toString(),
    previous: flag('previous'),
    sinceSeconds: sinceSeconds?.toString(),
    sinceTime,
    tailLines: tailLines?.toString(),
    timestamps: flag('timestamps'),
  };
  return Object.entries(asked)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .join('&');
}

function timeOf(query: Query): string | undefined {
  const text = textValue(query, 'sinceTime');
  if (text === '') return undefined;
  if (RFC3339.test(text)) return text;
  throw badRequest(`parsing time "${text}" as "2006-01-02T15:04:05Z07:00": cannot parse "${text}" as "2006"`);
}
