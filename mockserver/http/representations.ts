/** The forms in which objects are shown: as they are, as their metadata alone, or as rows of a table. */
import { type JsonObject, type MutableJsonObject, stringMember } from '../ground/json.js';
import { apiVersionOf } from '../ground/kind.js';
import { NO_REVISION, toResourceVersion } from '../ground/revision.js';
import { StatusError, bareError, notAcceptable } from '../ground/status.js';
import { type StoredObject } from '../ground/stored-object.js';
import { type Call, inKindOfSubresource } from '../registry/call.js';
import { type ListResult } from '../registry/list.js';
import { type Resource, present } from '../registry/resource.js';
import { readIncludeObject } from '../registry/tables/include-object.js';
import { type TableFormats } from '../registry/tables/table-formats.js';
import { TableFrames } from '../registry/tables/table-frames.js';
import { tableFrameJson } from '../registry/tables/table-json.js';
import { metadataOf, tableOf, type TableView } from '../registry/tables/table.js';
import { AwaitsConversion } from '../registry/webhook-conversion.js';
import { partialMetadataForm } from '../schema/partial-metadata.js';
import { type Answer } from './answer.js';
import { type EventForm, type SharedForm } from './event-source.js';
import { type Representation, type Target } from './negotiation.js';

/** What a client asked for, with what it takes to show objects so. */
export interface Showing {
  readonly representation: Representation;
  /** Of the target's version; present when metadata or a table was asked for. */
  readonly table?: TableView;
}

/**
 * How the objects of a call are to be shown.
 *
 * Errors: 400 for a bad `includeObject` of a table.
 */
export function showingOf(
  call: Call,
  representation: Representation,
  { tables, includeObject }: { readonly tables: TableFormats; readonly includeObject: string | undefined },
): Showing {
  const { target } = representation;
  if (target === undefined) return { representation };
  const include = target.kind === TABLE ? readIncludeObject(includeObject) : 'Metadata';
  return {
    representation,
    table: {
      format: tables.of(call.resource, call.subresource),
      apiVersion: target.version === 'v1beta1' ? 'meta.k8s.io/v1beta1' : 'meta.k8s.io/v1',
      includeObject: include,
      partialMetadata: reduce,
    },
  };
}

const TABLE = 'Table';
const PARTIAL = 'PartialObjectMetadata';
const PARTIAL_LIST = 'PartialObjectMetadataList';

/** An object in the form that was asked for. Errors: 406 where a form for lists was asked for. */
export function objectAnswer(call: Call, object: StoredObject, code: number, showing: Showing): Answer {
  const { target, format, pretty } = showing.representation;
  const encoding = { format, pretty };
  if (target === undefined || showing.table === undefined) return { kind: 'object', code, object, encoding };
  if (target.kind === TABLE) {
    const version = stringMember(object.object.metadata, 'resourceVersion');
    const metadata = version === undefined ? {} : { resourceVersion: version };
    const now = call.cluster.clock.now();
    return {
      kind: 'table',
      code,
      table: tableOf(showing.table, { objects: [object], list: false, metadata, now }),
      encoding,
    };
  }
  if (target.kind !== PARTIAL) throw notAList(call);
  return { kind: 'object', code, object: metadataOf(showing.table, object), encoding };
}

/** A list in the form that was asked for. Errors: 406 where a form for single objects was asked for. */
export function listAnswer(call: Call, result: ListResult, showing: Showing): Answer {
  const { resource } = call;
  const { target, format, pretty } = showing.representation;
  const { table } = showing;
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

  if (target === undefined || table === undefined) {
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
  if (target.kind === TABLE) {
    const now = call.cluster.clock.now();
    return {
      kind: 'table',
      code: 200,
      table: tableOf(table, { objects: items, list: true, metadata, now }),
      encoding,
    };
  }
  if (target.kind !== PARTIAL_LIST) throw isAList(call, target);
  const head = { kind: PARTIAL_LIST, apiVersion: apiVersionOf(target), metadata };
  if (items.length === 0) {
    // A slice that was never made: written as null.
    return { kind: 'value', code: 200, value: { ...head, items: null }, encoding };
  }
  return {
    kind: 'list',
    head,
    items: items.map((object) => metadataOf(table, object)),
    itemForm: 'whole',
    memberOrder: 'typed',
    encoding,
  };
}

/** How a watch shows its objects. A form of lists is accepted and then fails at the first event. */
export function eventForm(call: Call, { representation, table }: Showing): EventForm {
  const { resource, cluster } = call;
  const { target } = representation;
  const apiVersion = apiVersionOf(resource);
  const shown = (object: StoredObject): StoredObject => present(resource, object);
  if (target === undefined || table === undefined) {
    return {
      kind: 'shared',
      name: apiVersion,
      present: shown,
      empty: (metadata) => resource.codec.empty(resource.store.rules?.blankMetadata?.(metadata) ?? metadata),
      ...shownWhere(call),
    };
  }
  if (target.kind === TABLE) {
    const { codec, store } = resource;
    const frames = new TableFrames({ view: table, codec, storedCodec: store.codec, present: shown });
    return { kind: 'own', frame: (event) => tableFrameJson(frames.next(event, cluster.clock.now())) };
  }
  if (target.kind !== PARTIAL) return { kind: 'impossible' };
  return {
    kind: 'shared',
    name: `${apiVersion} ${target.kind} ${target.version}`,
    present: (object) => metadataOf(table, shown(object)),
    empty: (metadata) => ({ kind: PARTIAL, apiVersion: apiVersionOf(target), metadata }),
    ...shownWhere(call),
  };
}

/** What a webhook cannot convert is left out of a watch, as by a real server. */
function shownWhere({ resource }: Call): Pick<SharedForm, 'canShow'> {
  if (resource.webhook === undefined) return {};
  return {
    canShow(object) {
      try {
        present(resource, object);
        return true;
      } catch (error) {
        if (error instanceof AwaitsConversion || error instanceof StatusError) return false;
        throw error;
      }
    },
  };
}

const reduce = partialMetadataForm();

function notAList(call: Call): Error {
  const { resource } = inKindOfSubresource(call);
  return resource.custom
    ? bareError(500, 'content is not a list')
    : notAcceptable(
        `you requested ${PARTIAL_LIST}, but the requested object is not a list (*${goPackage(resource)}.${resource.kind})`,
      );
}

function isAList(call: Call, target: Target): Error {
  const { resource } = call;
  const type = resource.custom
    ? 'unstructured.UnstructuredList'
    : `${goPackage(resource)}.${resource.listKind}`;
  return notAcceptable(`you requested ${target.kind}, but the requested object is a list (*${type})`);
}

/** The Go package of a built-in kind's internal type, which two error messages show. */
const goPackage = ({ group }: Resource): string => (group === '' ? 'core' : (group.split('.')[0] ?? ''));
