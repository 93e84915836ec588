/** The annotation in which a client that applies by itself keeps what it applied, where the server goes along with it. */
import {
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  compareUtf8,
  isJsonArray,
  isJsonObject,
  objectMember,
  setMember,
  stringMember,
} from '../ground/json.js';
import { readJson } from '../ground/json-read.js';
import { writeJson } from '../ground/json-write.js';
import { type ApiObject, editMetadata } from '../ground/object.js';
import { changedFields } from './changed-fields.js';
import { type FieldSet, difference } from './field-set.js';
import { ownedFields } from './owned-fields.js';
import { type OwnershipScope } from './ownership-scope.js';
import { typedErrors } from './typed-errors.js';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** The writer whose annotation counts. */
export const LAST_APPLIED_WRITER = 'kubectl';

/** Annotations may be so long together, names and values. */
const LONGEST_ANNOTATIONS = 262_144;

/**
 * What the annotation says was applied and stands in the object still: its writer may apply it without a conflict.
 *
 * Shape: undefined without a usable annotation.
 * Source: apimachinery managedfields/internal/lastappliedmanager.go.
 */
export function fieldsOfLastApplied(scope: OwnershipScope, live: ApiObject): FieldSet | undefined {
  const text = stringMember(objectMember(live.metadata, 'annotations'), LAST_APPLIED) ?? '';
  if (text === '') return undefined;
  const reading = readJson(Buffer.from(text));
  if (!reading.ok || !isJsonObject(reading.value)) return undefined;
  const applied = reading.value;
  if (stringMember(applied, 'apiVersion') !== scope.apiVersion) return undefined;
  if (
    typedErrors(scope.schema, applied, 'once').length > 0 ||
    typedErrors(scope.schema, live, 'once').length > 0
  )
    return undefined;
  const { modified, added, removed } = changedFields(scope.schema, applied, live);
  return difference(difference(difference(ownedFields(scope.schema, applied), modified), added), removed);
}

/**
 * The object with the annotation saying what is applied now; unchanged where it has none, and without it where it would
 * be too long.
 *
 * Source: apimachinery managedfields/internal/lastappliedupdater.go, lastapplied.go.
 */
export function withLastApplied(object: ApiObject, applied: JsonObject): ApiObject {
  const annotations = objectMember(object.metadata, 'annotations');
  if ((stringMember(annotations, LAST_APPLIED) ?? '') === '') return object;
  const next: MutableJsonObject = { ...annotations, [LAST_APPLIED]: `${writeJson(sorted(bare(applied)))}\n` };
  const size = Object.entries(next).reduce(
    (sum, [name, value]) =>
      sum + Buffer.byteLength(name) + (typeof value === 'string' ? Buffer.byteLength(value) : 0),
    0,
  );
  if (size > LONGEST_ANNOTATIONS) Reflect.deleteProperty(next, LAST_APPLIED);
  return { ...object, metadata: { ...object.metadata, annotations: next } };
}

/** What is applied, without the annotation itself. */
function bare(applied: JsonObject): JsonObject {
  const metadata = objectMember(applied, 'metadata');
  const annotations = objectMember(metadata, 'annotations');
  if (metadata === undefined || annotations === undefined) return applied;
  const others = editMetadata(annotations, { [LAST_APPLIED]: undefined });
  return { ...applied, metadata: editMetadata(metadata, { annotations: others }) };
}

function sorted(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const out: MutableJsonObject = {};
  for (const name of Object.keys(value).sort(compareUtf8)) setMember(out, name, sorted(value[name] ?? null));
  return out;
}
