/** What the endpoints of built-in kinds take no notice of: nobody becomes the owner of it there. */

/** Some paths, and what is below them. */
export interface IgnoredFields {
  readonly except: readonly string[];
}

/** The members of a record that are neither `group` nor `resource` are subresources, `''` the resource itself. */
export interface IgnoredFieldsRecord {
  readonly group: string;
  readonly resource: string;
  readonly [subresource: string]: string | IgnoredFields | undefined;
}

/** Undefined where an endpoint takes notice of all. */
export function ignoredFieldsIn(
  records: readonly IgnoredFieldsRecord[],
  group: string,
  resource: string,
  subresource: string,
): IgnoredFields | undefined {
  const record = records.find((one) => one.group === group && one.resource === resource);
  const fields = record !== undefined && Object.hasOwn(record, subresource) ? record[subresource] : undefined;
  return typeof fields === 'object' ? fields : undefined;
}
