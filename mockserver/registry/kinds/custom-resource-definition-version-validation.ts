/** What is checked of the parts of one version: deprecation, subresources, columns, selectable fields. */
import { type FieldError, duplicate, invalid, required } from '../../ground/field-error.js';
import {
  type JsonArray,
  type JsonObject,
  arrayMember,
  isJsonObject,
  objectMember,
  stringMember,
} from '../../ground/json.js';
import { compileSchema } from '../../schema/structural/compile-schema.js';
import { followPath } from '../../schema/structural/field-path.js';
import { schemaErrors } from './custom-resource-definition-schema-validation.js';
import { conversionProblem } from './custom-resource-definition-structural-validation.js';
import { type DefinedVersion } from './custom-resource-definition-spec.js';

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];
const MAX_WARNING_BYTES = 256;

export function deprecationErrors(version: DefinedVersion, path: string): readonly FieldError[] {
  const text = stringMember(version.json, 'deprecationWarning');
  if (text === undefined) return [];
  const error = (why: string): FieldError => invalid(`${path}.deprecationWarning`, text, why);
  if (!version.deprecated) return [error('can only be set for deprecated versions')];
  const errors: FieldError[] = [];
  if (Buffer.byteLength(text) > MAX_WARNING_BYTES) errors.push(error('must be <= 256 characters long'));
  if (text === '') errors.push(error('must not be an empty string'));
  const bad = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(text);
  if (bad !== null) {
    const index = Buffer.byteLength(text.slice(0, bad.index));
    errors.push(
      error(`must only contain printable UTF-8 characters; non-printable character found at index ${index}`),
    );
  }
  return errors;
}

export interface VersionPlace {
  /** Where the parts stand. */
  readonly path: string;
  /** The parts that all versions have alike, which are checked once, at `spec`. */
  readonly hoisted: ReadonlySet<string>;
  /** Whether `path` is the spec, so that the hoisted ones are to be checked, or a version. */
  readonly atTop: boolean;
  /** Whether status is a subresource where the schema holds. */
  readonly hasStatus: boolean;
  /** Whether the version had the same schema before. */
  readonly isKnown: boolean;
}

export function versionPartErrors(
  version: JsonObject,
  { path, hoisted, atTop, hasStatus, isKnown }: VersionPlace,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const schema = objectMember(objectMember(version, 'schema'), 'openAPIV3Schema');
  if (hoisted.has('schema') === atTop && schema !== undefined) {
    const field = `${path}.${atTop ? 'validation' : 'schema'}.openAPIV3Schema`;
    errors.push(...schemaErrors(schema, field, hasStatus, isKnown));
  }
  if (hoisted.has('subresources') === atTop) {
    const scale = objectMember(objectMember(version, 'subresources'), 'scale');
    if (scale !== undefined) errors.push(...scaleErrors(scale, `${path}.subresources.scale`));
  }
  if (hoisted.has('additionalPrinterColumns') === atTop) {
    objects(arrayMember(version, 'additionalPrinterColumns')).forEach((column, i) =>
      errors.push(...columnErrors(column, `${path}.additionalPrinterColumns[${i}]`)),
    );
  }
  const selectable = objects(arrayMember(version, 'selectableFields'));
  if (hoisted.has('selectableFields') === atTop && selectable.length > 0) {
    const field = `${path}.selectableFields`;
    // Fields that stand where the schema does not, since only one of the two is alike in all versions.
    if (hoisted.has('schema') !== atTop)
      errors.push(invalid(field, '', atTop ? APART_AT_TOP : APART_IN_VERSION));
    else {
      const problem = schema === undefined ? undefined : conversionProblem(schema);
      if (problem !== undefined) errors.push(invalid(`${path}.schema.openAPIV3Schema`, '', problem));
      errors.push(...selectableErrors(selectable, schema, field));
    }
  }
  return errors;
}

function scaleErrors(scale: JsonObject, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, root] of [
    ['specReplicasPath', '.spec'],
    ['statusReplicasPath', '.status'],
  ] as const) {
    const text = stringMember(scale, name) ?? '';
    const field = `${path}.${name}`;
    if (text === '') errors.push(required(field));
    else if (!text.startsWith('.')) errors.push(simplePathError(field, text));
    else if (!text.startsWith(`${root}.`)) {
      errors.push(invalid(field, text, `should be a json path under ${root}`));
    }
  }
  const selector = stringMember(scale, 'labelSelectorPath') ?? '';
  const field = `${path}.labelSelectorPath`;
  if (selector !== '' && !selector.startsWith('.')) errors.push(simplePathError(field, selector));
  else if (selector !== '' && !/^\.(spec|status)\./.test(selector)) {
    errors.push(invalid(field, selector, 'should be a json path under either .spec or .status'));
  }
  return errors;
}

function columnErrors(column: JsonObject, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (!stringMember(column, 'name')) errors.push(required(`${path}.name`));
  const type = stringMember(column, 'type') ?? '';
  const types = `must be one of ${COLUMN_TYPES.join(',')}`;
  if (type === '') errors.push(required(`${path}.type`, types));
  else if (!COLUMN_TYPES.includes(type)) errors.push(invalid(`${path}.type`, type, types));
  const format = stringMember(column, 'format') ?? '';
  if (format !== '' && !COLUMN_FORMATS.includes(format)) {
    errors.push(invalid(`${path}.format`, format, `must be one of ${COLUMN_FORMATS.join(',')}`));
  }
  const jsonPath = stringMember(column, 'jsonPath') ?? '';
  if (jsonPath === '') errors.push(required(`${path}.JSONPath`));
  else if (!jsonPath.startsWith('.')) errors.push(simplePathError(`${path}.JSONPath`, jsonPath));
  return errors;
}

const MAX_SELECTABLE_FIELDS = 8;
const APART_AT_TOP = 'may only be set when validations.schema is included';
const APART_IN_VERSION = 'may only be set when `version.schema.openAPIV3Schema` is not included';

function selectableErrors(
  fields: readonly JsonObject[],
  schema: JsonObject | undefined,
  path: string,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  const structural = compileSchema(schema ?? {});
  fields.forEach((selectable, i) => {
    const field = `${path}[${i}].jsonPath`;
    const text = stringMember(selectable, 'jsonPath') ?? '';
    if (text === '') {
      errors.push(required(field));
      return;
    }
    const found = followPath(text, structural, false);
    if (!found.ok) {
      errors.push(invalid(field, text, `is an invalid path: ${found.error}`));
      return;
    }
    if (found.steps[0] === 'metadata') {
      errors.push(invalid(field, text, 'must not point to fields in metadata'));
    }
    if (!['string', 'boolean', 'integer'].includes(found.schema?.type ?? '')) {
      const why =
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      errors.push(invalid(field, text, why));
    }
    const place = found.steps.join('.');
    if (seen.has(place)) errors.push(duplicate(field, text));
    seen.add(place);
  });
  if (seen.size > MAX_SELECTABLE_FIELDS) {
    errors.push({
      reason: 'FieldValueTooMany',
      field: path,
      value: seen.size,
      detail: `must have at most ${MAX_SELECTABLE_FIELDS} items`,
    });
  }
  return errors;
}

const simplePathError = (field: string, text: string): FieldError =>
  invalid(field, text, 'must be a simple json path starting with .');

const objects = (list: JsonArray | undefined): readonly JsonObject[] => (list ?? []).filter(isJsonObject);
