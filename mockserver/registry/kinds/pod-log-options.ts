/** What a request for logs asks for. */
import { timeMs } from '../../ground/clock.js';
import { type FieldError, forbidden, invalid } from '../../ground/field-error.js';
import { badRequest, invalidObject } from '../../ground/status.js';
import { booleanValue, firstValue, integerValue, textValue, type Query } from '../query.js';

const RFC3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

export interface LogOptions {
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
  readonly sinceSeconds: number | undefined;
  /** As it was sent. */
  readonly sinceTime: string | undefined;
}

/**
 * Errors: 400 for numbers and times that cannot be read; 422 for impossible ones.
 * Source: kubernetes apis/core/validation, ValidatePodLogOptions.
 */
export function logOptions(query: Query, podName: string): LogOptions {
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
  const flag = (name: string): boolean => booleanValue(query, name) === true;
  return {
    follow: flag('follow'),
    previous: flag('previous'),
    timestamps: flag('timestamps'),
    tailLines,
    limitBytes,
    sinceSeconds,
    sinceTime,
  };
}

/** The query with which the kubelet would be asked, names in order. */
export function kubeletQuery(options: LogOptions): string {
  const flag = (holds: boolean): string | undefined => (holds ? 'true' : undefined);
  const asked = {
    follow: flag(options.follow),
    limitBytes: options.limitBytes?.toString(),
    previous: flag(options.previous),
    sinceSeconds: options.sinceSeconds?.toString(),
    sinceTime: options.sinceTime,
    tailLines: options.tailLines?.toString(),
    timestamps: flag(options.timestamps),
  };
  return Object.entries(asked)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .join('&');
}

/** Milliseconds since 1970 from which on lines count. */
export function sinceMs({ sinceSeconds, sinceTime }: LogOptions, nowMs: number): number {
  if (sinceTime !== undefined) return timeMs(sinceTime);
  return sinceSeconds === undefined ? -Infinity : nowMs - 1000 * sinceSeconds;
}

function timeOf(query: Query): string | undefined {
  const text = textValue(query, 'sinceTime');
  if (text === '') return undefined;
  if (RFC3339.test(text)) return text;
  throw badRequest(`parsing time "${text}" as "2006-01-02T15:04:05Z07:00": cannot parse "${text}" as "2006"`);
}
