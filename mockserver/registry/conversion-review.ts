/** What is asked of a conversion webhook, and what of its answer counts. Source: apiextensions apiserver/conversion/webhook_converter.go. */
import {
  type JsonObject,
  type JsonValue,
  arrayMember,
  isJsonObject,
  objectMember,
  stringMember,
} from '../ground/json.js';
import { readJson } from '../ground/json-read.js';
import { goTypeName } from '../ground/go-json-type.js';
import { parseApiVersion } from '../ground/kind.js';
import { type ApiObject, editMetadata, nameOf, namespaceOf, uidOf, withMetadata } from '../ground/object.js';

export interface Review {
  /** Of ConversionReview: `v1` or `v1beta1`. */
  readonly version: string;
  readonly uid: string;
  readonly desired: string;
  readonly objects: readonly ApiObject[];
}

export const reviewBody = ({ version, uid, desired, objects }: Review): JsonObject => ({
  kind: 'ConversionReview',
  apiVersion: `apiextensions.k8s.io/${version}`,
  request: { uid, desiredAPIVersion: desired, objects: [...objects] },
});

/** Converted objects in the order of the request; `error`: what follows "conversion webhook for …". */
export type Reviewed =
  | { readonly ok: true; readonly objects: readonly ApiObject[] }
  | { readonly ok: false; readonly error: string };

const failed = (why: string): Reviewed => ({ ok: false, error: `failed: ${why}` });

export function reviewed(review: Review, body: Buffer): Reviewed {
  const read = readJson(body);
  if (!read.ok || !isJsonObject(read.value)) {
    // What is no JSON is taken for YAML, where nearly anything is a text.
    const found = read.ok ? goTypeName(read.value) : 'string';
    return failed(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${found} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  }
  const answer = read.value;
  const [apiVersion, kind] = [stringMember(answer, 'apiVersion'), stringMember(answer, 'kind')];
  if (apiVersion === `apiextensions.k8s.io/${review.version}` && kind !== 'ConversionReview') {
    return failed(
      `no kind ${JSON.stringify(kind ?? '')} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  const response = objectMember(answer, 'response');
  if (response === undefined) return failed('no response provided');
  const uid = stringMember(response, 'uid') ?? '';
  if (review.version === 'v1' && uid !== review.uid) {
    return failed(`expected response.uid=${JSON.stringify(review.uid)}, got ${JSON.stringify(uid)}`);
  }
  const result = objectMember(response, 'result');
  const status = stringMember(result, 'status') ?? '';
  if (status !== 'Success') {
    const message = stringMember(result, 'message') ?? '';
    return failed(message === '' ? `response.result.status was '${status}', not 'Success'` : message);
  }
  const objects = arrayMember(response, 'convertedObjects') ?? [];
  if (objects.length !== review.objects.length) {
    return { ok: false, error: `returned ${objects.length} objects, expected ${review.objects.length}` };
  }
  return checked(review, objects);
}

function checked({ desired, objects }: Review, converted: readonly JsonValue[]): Reviewed {
  const out: ApiObject[] = [];
  for (const [i, original] of objects.entries()) {
    const one = converted[i];
    const json: JsonObject = isJsonObject(one) ? one : {};
    const problem = problemOf(original, json, desired);
    if (problem !== undefined) return { ok: false, error: `returned invalid ${problem(i)}` };
    out.push(restored(original, json, desired));
  }
  return { ok: true, objects: out };
}

/** Undefined where the object is one of the wanted version and still the same object. */
function problemOf(
  original: ApiObject,
  converted: JsonObject,
  desired: string,
): ((index: number) => string) | undefined {
  const apiVersion = stringMember(converted, 'apiVersion') ?? '';
  const kind = stringMember(converted, 'kind') ?? '';
  if (apiVersion !== desired) {
    const shown = (one: string): string => (one === '' ? '/' : one);
    return (i) =>
      `object at index ${i}: invalid groupVersion (expected ${shown(desired)}, received ${shown(apiVersion)})`;
  }
  if (kind !== original.kind) {
    return (i) => `object at index ${i}: invalid kind (expected ${original.kind}, received ${kind})`;
  }
  const metadata = objectMember(converted, 'metadata');
  const given = (name: string): string => stringMember(metadata, name) ?? '';
  for (const [what, name, expected] of [
    ['name', 'name', nameOf(original)],
    ['namespace', 'namespace', namespaceOf(original)],
    ['UID', 'uid', uidOf(original)],
  ] as const) {
    if (given(name) !== expected)
      return () => `object: must have the same ${what}: ${expected} != ${given(name)}`;
  }
  return undefined;
}

/** Labels and annotations may be changed; the rest of the metadata is the original's. */
function restored(original: ApiObject, converted: JsonObject, desired: string): ApiObject {
  const metadata = objectMember(converted, 'metadata');
  const own = editMetadata(original.metadata, {
    labels: objectMember(metadata, 'labels'),
    annotations: objectMember(metadata, 'annotations'),
  });
  return withMetadata({ ...converted, apiVersion: desired, kind: original.kind, metadata: own }, own);
}

/** `example.com/v1, Kind=Lamp`, as errors name what was to be converted. */
export const shownSource = (object: ApiObject): string => {
  const { group, version } = parseApiVersion(object.apiVersion) ?? { group: '', version: object.apiVersion };
  return `${group}/${version}, Kind=${object.kind}`;
};
