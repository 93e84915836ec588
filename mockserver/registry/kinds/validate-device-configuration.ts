/** Validation of the configuration that goes to drivers of devices. Source: kubernetes apis/resource/validation/validation.go. */
import { type JsonObject, type JsonValue, isJsonObject, member } from '../../ground/json.js';
import { eachOfSet } from '../../schema/validation/bounded-lists.js';
import { partAt, textAt, textsAt } from '../../schema/validation/field-values.js';
import { type Findings } from '../../schema/validation/findings.js';
import { type RequestNames, requestReference } from './device-request-names.js';
import { driverName } from './validate-device-names.js';

const MOST_REQUESTS = 32;
const LONGEST_PARAMETERS = 10 * 1024;

/** What the list `requests` of a constraint or a configuration refers to. */
export function requestReferences(found: Findings, owner: JsonObject, at: string, names: RequestNames): void {
  eachOfSet(
    found,
    textsAt(owner, 'requests'),
    `${at}.requests`,
    MOST_REQUESTS,
    (name, place) => {
      requestReference(found, name, place, names);
    },
    (name) => name,
  );
}

/** @param isStored whether it was so before: then it may be longer than is allowed now */
export function deviceConfiguration(
  found: Findings,
  config: JsonObject,
  at: string,
  isStored: boolean,
): void {
  const opaque = partAt(config, 'opaque');
  if (opaque === undefined) {
    found.required(`${at}.opaque`);
    return;
  }
  driverName(found, textAt(opaque, 'driver'), `${at}.opaque.driver`);
  const parameters = member(opaque, 'parameters') ?? null;
  rawObject(found, parameters, `${at}.opaque.parameters`, isStored ? Infinity : LONGEST_PARAMETERS);
}

/** @param longest bytes of JSON */
export function rawObject(found: Findings, value: JsonValue, field: string, longest: number): void {
  if (value === null) found.required(field);
  else if (Buffer.byteLength(JSON.stringify(value)) > longest) found.tooLong(field, longest);
  else if (!isJsonObject(value)) found.invalid(field, '<value omitted>', 'must be a valid JSON object');
}
