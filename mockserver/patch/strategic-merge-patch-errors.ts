/** What is wrong with strategic merge patches. Source: apimachinery util/mergepatch/errors.go, handlers/patch.go. */
import { type JsonObject, type JsonValue } from '../ground/json.js';
import { badRequest, bareError, type StatusError } from '../ground/status.js';
import { goStringVerb, goTypeText, goValueText } from '../ground/go-value-text.js';

const failed = (message: string): StatusError => bareError(500, message);

export const malformedDirective = (
  what: 'primitive list' | 'retainKeys' | 'setElementOrder list',
): StatusError => badRequest(`invalid patch format of ${what}`);

export const missingMergeKey = (item: JsonObject, key: string): StatusError =>
  failed(`map: ${goValueText(item)} does not contain declared merge key: ${key}`);

export const unknownDirective = (directive: JsonValue, map: JsonObject): StatusError =>
  failed(`unknown patch type: ${goStringVerb(directive)} in map: ${goValueText(map)}`);

export const listDirectiveMerge = (): StatusError =>
  failed('merging lists cannot yet be specified in the patch');

export const notAList = (found: JsonValue): StatusError =>
  failed(`expected a []interface {}, but received a ${goTypeText(found)}`);

export const notAMap = (found: JsonValue): StatusError =>
  failed(`expected a map[string]interface {}, but received a ${goTypeText(found)}`);

export const elementNotAMap = (place: number): StatusError => failed(`value for key ${place} is not a map`);

export const mixedElements = (lists: readonly (readonly JsonValue[])[]): StatusError =>
  failed(`list element types are not identical: ${goValueText(lists)}`);

export const noElements = (): StatusError => failed('no elements in any of the given slices');

export const noMergeKey = (kind: string): StatusError =>
  failed(`cannot merge lists without merge key for ${kind}`);

export const wrongOrder = (patch: readonly JsonValue[], order: readonly JsonValue[]): StatusError =>
  failed(
    `The order in patch list:\n${goValueText(patch)}\n doesn't match $setElementOrder list:\n${goValueText(order)}\n`,
  );

export const unknownField = (struct: string, name: string): StatusError =>
  failed(`unable to find api field in struct ${struct} for the json field "${name}"`);

export const notAStruct = (kind: string): StatusError =>
  failed(`merging an object in json but data type is not struct, instead is: ${kind}`);

export const notAListType = (parentKind: string): StatusError =>
  failed(`expected slice or array type, but got: ${parentKind}`);

export const listOfListType = (): StatusError => failed('unexpected slice of slice');

/** Maps and lists where only scalars can be compared: a real server panics. */
export const incomparable = (): StatusError =>
  failed('This request caused apiserver to panic. Look in the logs for details.');
