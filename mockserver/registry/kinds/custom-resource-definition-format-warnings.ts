/** Formats in schemas of definitions that no server checks. */
import { type JsonObject, objectMember, stringMember } from '../../ground/json.js';
import { writeJson } from '../../ground/json-write.js';
import { type ApiObject } from '../../ground/object.js';
import { goQuote } from '../../ground/revision.js';
import { checkedFormat } from '../../schema/structural/value-rules.js';
import { allSchemas, typeOf } from './custom-resource-definition-schema-json.js';
import { versionsOf } from './custom-resource-definition-spec.js';

/**
 * Texts of warnings, one for each place, in schemas that all versions share only once.
 * @param previous on an update: what it had already is not warned of again
 * Source: apiextensions registry/customresourcedefinition/strategy.go, WarningsOnCreate and WarningsOnUpdate.
 */
export function formatWarnings(next: ApiObject, previous: ApiObject | undefined): readonly string[] {
  const known = new Set(previous === undefined ? [] : uncheckedFormats(previous));
  return uncheckedFormats(next)
    .filter((format) => !known.has(format))
    .map((format) => `unrecognized format ${goQuote(format)}`);
}

function uncheckedFormats(crd: ApiObject): readonly string[] {
  return distinctSchemas(crd).flatMap((schema) =>
    [...allSchemas(schema)].flatMap((one) => {
      const format = stringMember(one, 'format') ?? '';
      const type = typeOf(one);
      return format === '' || checkedFormat(format, type === '' ? [] : [type]) !== '' ? [] : [format];
    }),
  );
}

function distinctSchemas(crd: ApiObject): readonly JsonObject[] {
  const schemas = versionsOf(crd).flatMap(({ json }) => {
    const schema = objectMember(objectMember(json, 'schema'), 'openAPIV3Schema');
    return schema === undefined ? [] : [schema];
  });
  const texts = new Set(schemas.map(writeJson));
  return texts.size === 1 ? schemas.slice(0, 1) : schemas;
}
