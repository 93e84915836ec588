/** Server-side apply: a patch that says what its writer wants to own. */
import { isJsonObject, type JsonObject, stringMember } from '../ground/json.js';
import { readYaml } from '../ground/yaml.js';
import { type ApiObject, uidOf } from '../ground/object.js';
import { badRequest, bareError, conflict } from '../ground/status.js';
import { addressOf } from '../store/key.js';
import { fromUnstructured } from '../patch/from-unstructured.js';
import { type Call, inKindOfSubresource } from './call.js';
import { withManagedFields } from './cluster-ownership.js';
import { create, type WriteResult } from './create.js';
import { groupResourceOf } from './resource.js';
import { checkPlace, update } from './update.js';
import { type FieldValidation } from './write-options.js';

export interface ApplyOrder {
  /** YAML or JSON. */
  readonly text: string;
  readonly force: boolean;
  readonly fieldValidation: FieldValidation;
  readonly dryRun: boolean;
}

/**
 * Applies a partial object to a resource or to a part of it; what is not there yet is created.
 *
 * Errors: those of the body, of ownership, and of create or update.
 * Source: apiserver endpoints/handlers/patch.go, applyPatcher.
 */
export function applyPatch(call: Call, order: ApplyOrder): WriteResult {
  const { resource, cluster, name, namespace } = call;
  const address = addressOf(resource.store.prefix, resource.namespaced ? namespace : '', name);
  if (call.subresource === '' && cluster.store.get(address.key) === undefined)
    return appliedAnew(call, order);
  return update(call, {
    dryRun: order.dryRun,
    next: (live) => ({ object: appliedTo(call, order, live), owners: 'settled' }),
  });
}

/** Nothing of that name is stored: the object is what was applied. A version that the body names counts for nothing. */
function appliedAnew(call: Call, order: ApplyOrder): WriteResult {
  const object = appliedTo(call, order, call.resource.codec.zero());
  const uid = uidOf(object);
  if (uid !== '') {
    throw conflict(
      groupResourceOf(call.resource),
      call.name,
      `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
    );
  }
  checkPlace(call, object);
  return create(call, object, order.dryRun, { owners: 'settled', byUpdate: true });
}

/**
 * What an apply makes of an object, with its managedFields.
 *
 * Shape: in the version of the call, decoded and with its defaults.
 * Errors: 400 for what is no YAML object; those of ownership; 500 for what does not convert.
 */
export function appliedTo(call: Call, order: ApplyOrder, live: ApiObject): ApiObject {
  const body = inKindOfSubresource(call);
  const reading = readYaml(order.text);
  if (!reading.ok) throw badRequest(`error decoding YAML: ${NOT_READ}${reading.error}`);
  const applied = reading.value ?? {};
  if (!isJsonObject(applied)) throw badRequest(`error decoding YAML: ${notAMap(applied)}`);
  const { object, managedFields } = call.cluster.ownership.applied(call, {
    live,
    applied,
    force: order.force,
    empty: body.resource.codec.zero(),
  });
  const typed = object === live ? live : converted(body, applied, object);
  if (reading.duplicates.length > 0) {
    if (order.fieldValidation === 'Strict')
      throw badRequest(`error strict decoding YAML: ${strictErrors(reading.duplicates)}`);
    if (order.fieldValidation === 'Warn') for (const text of reading.duplicates) call.warn(text);
  }
  return withManagedFields(body.resource, typed, managedFields);
}

/** Source: sigs.k8s.io/yaml. */
const NOT_READ = 'error converting YAML to JSON: ';

const strictErrors = (duplicates: readonly string[]): string =>
  `${NOT_READ}yaml: unmarshal errors:\n${duplicates.map((one) => `  ${one}`).join('\n')}`;

/** Source: sigs.k8s.io/yaml and encoding/json. */
function notAMap(value: unknown): string {
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${found} into Go value of type map[string]interface {}`;
}

/** The merged object as its kind holds it. Errors: 500, as a conversion between forms fails. */
function converted({ cluster, resource }: Call, applied: JsonObject, merged: ApiObject): ApiObject {
  const type = `${resource.group}/${resource.version}, Kind=${resource.kind}`;
  const unfit = (why: string): Error =>
    bareError(500, `failed to convert new object (${shown(applied)}) to proper version: ${why}`);
  let value: JsonObject = merged;
  if (resource.valueType !== undefined) {
    const conversion = fromUnstructured(merged, resource.valueType());
    if (!conversion.ok) {
      throw unfit(`unable to convert unstructured object to ${type}: ${conversion.error}`);
    }
    value = conversion.value;
  }
  const decoding = resource.codec.decode(value);
  if (!decoding.ok) throw unfit(decoding.error);
  return resource.fill(decoding.object, cluster.clock.now());

  function shown(object: JsonObject): string {
    const { metadata } = object;
    const named = isJsonObject(metadata) ? metadata : {};
    return `${stringMember(named, 'namespace') ?? ''}/${stringMember(named, 'name') ?? ''}; ${type}`;
  }
}
