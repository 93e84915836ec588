/** Events: stored in their core form, read and written in that of events.k8s.io as well. */
import { type MutableJsonObject, member, objectMember, setMember, stringMember } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import { type KindRules } from '../kind-rules.js';
import { eventCreateErrors, eventUpdateErrors } from './event-validation.js';

/** Name in core v1 and name in events.k8s.io/v1; what has one name in both is not listed. */
const NAMES = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
] as const;

const TO_NEW: ReadonlyMap<string, string> = new Map(NAMES);
const TO_CORE: ReadonlyMap<string, string> = new Map(NAMES.map(([core, other]) => [other, core]));

function renamed(object: ApiObject, apiVersion: string, names: ReadonlyMap<string, string>): ApiObject {
  const out: MutableJsonObject & ApiObject = { ...object, apiVersion };
  for (const name of names.keys()) Reflect.deleteProperty(out, name);
  for (const [name, other] of names) {
    const value = member(object, name);
    if (value !== undefined) setMember(out, other, value);
  }
  return out;
}

const INVOLVED = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const;

const involved =
  (name: string) =>
  (event: ApiObject): string =>
    stringMember(objectMember(event, 'involvedObject'), name) ?? '';

const reporter = (event: ApiObject): string => stringMember(event, 'reportingComponent') ?? '';

function source(event: ApiObject): string {
  const component = stringMember(objectMember(event, 'source'), 'component') ?? '';
  return component === '' ? reporter(event) : component;
}

/** Source: kubernetes registry/core/event/strategy.go, apis/events/v1/conversion.go. */
export const eventRules: KindRules = {
  group: '',
  resource: 'events',
  uncached: true,
  expires: true,
  fields: {
    ...Object.fromEntries(INVOLVED.map((name) => [`regarding.${name}`, involved(name)])),
    reportingController: reporter,
    source,
  },
  conversions: [
    {
      apiVersion: 'events.k8s.io/v1',
      fromStorage: (object) => renamed(object, 'events.k8s.io/v1', TO_NEW),
      toStorage: (object) => renamed(object, 'v1', TO_CORE),
    },
  ],
  validateCreate: eventCreateErrors,
  placesMetadata: true,
  validateUpdate: eventUpdateErrors,
};
