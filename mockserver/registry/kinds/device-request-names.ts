/** The names of the requests in a claim, and references to them. Source: kubernetes apis/resource/validation/validation.go. */
import { type JsonObject } from '../../ground/json.js';
import { dns1123LabelProblems } from '../../ground/name-syntax.js';
import { itemsAt, textAt } from '../../schema/validation/field-values.js';
import { type Findings } from '../../schema/validation/findings.js';

/** Names of requests, with those of their alternatives as `<request>/<alternative>`. */
export type RequestNames = ReadonlySet<string>;

export function requestNamesOf(claim: JsonObject): RequestNames {
  return new Set(
    itemsAt(claim, 'requests').flatMap((request) => {
      const name = textAt(request, 'name');
      return [
        name,
        ...itemsAt(request, 'firstAvailable').map((alternative) => `${name}/${textAt(alternative, 'name')}`),
      ];
    }),
  );
}

const NO_SUCH_REQUEST =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

export function requestReference(found: Findings, name: string, field: string, names: RequestNames): void {
  const parts = name.split('/');
  if (parts.length > 2) {
    found.invalid(field, name, NO_SUCH_REQUEST);
    return;
  }
  for (const part of parts) found.problems(field, part, dns1123LabelProblems);
  if (!names.has(name)) found.invalid(field, name, NO_SUCH_REQUEST);
}
