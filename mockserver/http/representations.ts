/** The forms in which objects are shown: as they are, or as their metadata alone. */
import { type JsonObject, type MutableJsonObject } from '../ground/json.js';
import { apiVersionOf } from '../ground/kind.js';
import { type ApiObject } from '../ground/object.js';
import { NO_REVISION, toResourceVersion } from '../ground/revision.js';
import { notAcceptable, bareError } from '../ground/status.js';
import { type StoredObject } from '../ground/stored-object.js';
import { type Call } from '../registry/call.js';
import { type ListResult } from '../registry/list.js';
import { present } from '../registry/resource.js';
import { partialMetadataForm } from '../schema/partial-metadata.js';
import { type Answer } from './answer.js';
import { type EventForm } from './event-source.js';
import { type Representation, type Target } from './negotiation.js';

const PARTIAL = 'PartialObjectMetadata';
const PARTIAL_LIST = 'PartialObjectMetadataList';

/** An object in the form that was asked for. Errors: 406 where a form for lists was asked for. */
export function objectAnswer(
  call: Call,
  object: StoredObject,
  code: number,
  representation: Representation,
): Answer {
  const { target, format, pretty } = representation;
  const encoding = { format, pretty };
  if (target === undefined) return { kind: 'object', code, object, encoding };
  if (target.kind !== PARTIAL) throw notAList(call);
  return { kind: 'object', code, object: partial(object, target), encoding };
}

/** A list in the form that was asked for. Errors: 406 where a form for single objects was asked for. */
export function listAnswer(call: Call, result: ListResult, representation: Representation): Answer {
  const { resource } = call;
  const { target, format, pretty } = representation;
  const encoding = { format, pretty };
  const { revision, continueToken, remaining, items } = result;
  const custom = resource.custom && target === undefined;
  const metadata: MutableJsonObject = {};
  // Members in wire order: custom resources are sorted and always say `continue`.
  if (custom) metadata['continue'] = continueToken;
  if (custom && remaining !== undefined) metadata['remainingItemCount'] = remaining;
  if (revision !== NO_REVISION) metadata['resourceVersion'] = toResourceVersion(revision);
  if (!custom && continueToken !== '') metadata['continue'] = continueToken;
  if (!custom && remaining !== undefined) metadata['remainingItemCount'] = remaining;

  if (target === undefined) {
    const apiVersion = apiVersionOf(resource);
    const head: JsonObject = custom
      ? { apiVersion, kind: resource.listKind, metadata }
      : { kind: resource.listKind, apiVersion, metadata };
    return {
      kind: 'list',
      head,
      items,
      itemForm: custom ? 'whole' : 'bare',
      memberOrder: custom ? 'sorted' : 'typed',
      encoding,
    };
  }
  if (target.kind !== PARTIAL_LIST) throw isAList(call, target);
  const head = { kind: PARTIAL_LIST, apiVersion: apiVersionOf(target), metadata };
  if (items.length === 0 && !resource.custom) {
    // A slice that was never made: written as null.
    return { kind: 'value', code: 200, value: { ...head, items: null }, encoding };
  }
  return {
    kind: 'list',
    head,
    items: items.map((object) => partial(object, target)),
    itemForm: 'whole',
    memberOrder: 'typed',
    encoding,
  };
}

/** How a watch shows its objects. A form of lists is accepted and then fails at the first event. */
export function eventForm(call: Call, { target }: Representation): EventForm {
  const { resource } = call;
  const apiVersion = apiVersionOf(resource);
  if (target === undefined) {
    return {
      name: apiVersion,
      present: (object) => present(resource, object),
      empty: (metadata) => resource.codec.empty(metadata),
    };
  }
  return {
    ...(target.kind === PARTIAL ? {} : { impossible: true as const }),
    name: `${apiVersion} ${target.kind} ${target.version}`,
    present: (object) => partial(present(resource, object), target),
    empty: (metadata) => ({ kind: PARTIAL, apiVersion: apiVersionOf(target), metadata }),
  };
}

const reduce = partialMetadataForm();

function partial(object: StoredObject, target: Target): StoredObject {
  const apiVersion = apiVersionOf(target);
  return object.form(`${PARTIAL} ${apiVersion}`, (whole): ApiObject => ({ ...reduce(whole), apiVersion }));
}

function notAList(call: Call): Error {
  const { resource } = call;
  return resource.custom
    ? bareError(500, 'content is not a list')
    : notAcceptable(
        `you requested ${PARTIAL_LIST}, but the requested object is not a list (*${goPackage(call)}.${resource.kind})`,
      );
}

function isAList(call: Call, target: Target): Error {
  const { resource } = call;
  const type = resource.custom ? 'unstructured.UnstructuredList' : `${goPackage(call)}.${resource.listKind}`;
  return notAcceptable(`you requested ${target.kind}, but the requested object is a list (*${type})`);
}

/** The Go package of a built-in kind's internal type, which two error messages show. */
const goPackage = ({ resource }: Call): string =>
  resource.group === '' ? 'core' : (resource.group.split('.')[0] ?? '');
