/** The verbs as HTTP speaks them: the order in which a request is checked, and the form of its answer. */
import { readJson, showBody, type JsonReading } from '../ground/json-read.js';
import { apiVersionOf, parseApiVersion } from '../ground/kind.js';
import { badRequest, methodNotSupported, type Status } from '../ground/status.js';
import { isJsonObject } from '../ground/json.js';
import { readYaml } from '../ground/yaml.js';
import { writerName } from '../patch/writer-name.js';
import { applyPatch, type ApplyOrder } from '../registry/apply.js';
import { type Body, decodeBody, unmanageable, unrecognized } from '../registry/body.js';
import { type Call, contextOf, inKindOfSubresource, subresourceOf } from '../registry/call.js';
import { type Connection } from '../registry/connection.js';
import { computedOf } from '../registry/computed.js';
import { create, type WriteResult } from '../registry/create.js';
import { groupResourceOf } from '../registry/resource.js';
import { deleteCollection } from '../registry/delete-collection.js';
import { remove } from '../registry/delete.js';
import {
  deleteOptionsFromBody,
  deleteOptionsFromQuery,
  type DeleteOptions,
} from '../registry/delete-options.js';
import { decodeGetOptions } from '../registry/get-options.js';
import { get } from '../registry/get.js';
import { decodeListOptions, type ListOptions } from '../registry/list-options.js';
import { list } from '../registry/list.js';
import { ownersOf, patch, type PatchRequest, type PatchType } from '../registry/patch.js';
import { firstValue, type Query } from '../registry/query.js';
import { actionOf, runAction } from '../registry/run-action.js';
import { selectableFieldsOf } from '../registry/selection-of.js';
import { applyToView, getView, patchView, updateView, viewOf } from '../registry/subresource-view.js';
import { update, type Wanted } from '../registry/update.js';
import { watch } from '../registry/watch.js';
import {
  decodeCreateOptions,
  decodePatchOptions,
  decodeUpdateOptions,
  type WriteOptions,
} from '../registry/write-options.js';
import { type FeatureSet } from '../ground/features.js';
import { type ProtobufCodec } from '../schema/protobuf/protobuf-codec.js';
import { type Answer } from './answer.js';
import { readBody } from './body.js';
import { bodyType, patchType, type BodyType } from './content-type.js';
import { byteSource } from './byte-stream.js';
import { NoAnswerError, statusValue } from './error-response.js';
import { eventSource } from './event-source.js';
import { type Exchange, firstHeader } from './exchange.js';
import { hookedSource } from './hooked-source.js';
import { type Format } from './format.js';
import { type HttpCounts, type RequestTarget } from './http-counts.js';
import { asksForPretty, builtInRules, customRules, negotiate, watchRefusal } from './negotiation.js';
import { nameParameterError } from './path.js';
import { eventForm, listAnswer, objectAnswer, type Showing, showingOf } from './representations.js';
import { type TableFormats } from '../registry/tables/table-formats.js';
import { type Route } from './resource-route.js';
import { COLLECTION_TYPES, OBJECT_TYPES, routeAcceptRefusal, routePatchRefusal } from './route-checks.js';

export interface VerbRequest {
  readonly exchange: Exchange;
  readonly route: Extract<Route, { kind: 'verb' }>;
  readonly call: Call;
  readonly query: Query;
  /** Those of the cluster, or of an older server that it stands for. */
  readonly features: FeatureSet;
  readonly formats: readonly Format[];
  readonly tables: TableFormats;
  readonly protobuf: ProtobufCodec;
  readonly counts: HttpCounts;
  /** What it is about, as metrics name it. */
  readonly target: RequestTarget;
}

/** Errors: StatusErrors, in the order of checks of a real server. */
export async function serveVerb(request: VerbRequest): Promise<Answer> {
  const connection = subresourceOf(request.call)?.rules?.connection;
  if (connection !== undefined) return serveConnection(request, connection);
  switch (request.route.verb) {
    case 'get':
      return serveGet(request);
    case 'list':
    case 'watch':
      return serveList(request);
    case 'create':
      return serveCreate(request);
    case 'update':
      return serveUpdate(request);
    case 'patch':
      return servePatch(request);
    case 'delete':
      return serveDelete(request);
    case 'deletecollection':
      return serveDeleteCollection(request);
  }
}

async function serveGet(request: VerbRequest): Promise<Answer> {
  const showing = accepted(request, OBJECT_TYPES);
  checkName(request);
  const options = decodeGetOptions(request.query);
  const view = viewOf(request.call);
  const found =
    view === undefined ? await get(request.call, options) : await getView(request.call, view, options);
  return objectAnswer(request.call, found, 200, showing);
}

async function serveList(request: VerbRequest): Promise<Answer> {
  const { call, route } = request;
  const legacyWatch = route.verb === 'watch';
  const showing = accepted(request, COLLECTION_TYPES);
  const options = listOptionsOf(request, legacyWatch && route.name !== '' ? route.name : undefined);
  if (!legacyWatch && !options.watch) return listAnswer(call, await list(call, options), showing);
  if (computedOf(call) !== undefined) throw methodNotSupported(groupResourceOf(call.resource), 'watch');
  const watcher = await watch(call, options);
  const refusal = watchRefusal(showing.representation);
  if (refusal !== undefined) {
    watcher.close('client');
    throw refusal;
  }
  const form = eventForm(call, showing);
  const unneeded = call.resource.webhook?.watch();
  if (unneeded !== undefined) request.exchange.res.once('close', unneeded);
  const watchList = options.sendInitialEvents === true && options.allowWatchBookmarks;
  const counts = request.counts.watchOpened(request.target, watchList);
  const { exchange } = request;
  const { format } = showing.representation;
  const source =
    exchange.hook === undefined
      ? eventSource(watcher, form, counts)
      : hookedSource(watcher, form, {
          exchange,
          hook: exchange.hook,
          format,
          counts,
          clock: call.cluster.clock,
        });
  return { kind: 'watch', source, format };
}

function listOptionsOf({ query, call, features }: VerbRequest, name?: string): ListOptions {
  return decodeListOptions({
    query,
    selectable: selectableFieldsOf(call.resource),
    features,
    name,
  });
}

/** Source: apiserver endpoints/handlers/create.go. */
async function serveCreate(request: VerbRequest): Promise<Answer> {
  const { exchange, query } = request;
  const showing = accepted(request, OBJECT_TYPES);
  const type = chosen(bodyType(firstHeader(exchange.req, 'content-type')));
  const bytes = await readBody(exchange);
  const options = decodeCreateOptions(query);
  const call = { ...request.call, largest: bytes.length, writer: writerOf(request, options) };
  const { object: sent, owners } = sentObject({ ...request, call }, type, bytes, options);
  const action = actionOf(call);
  if (action === undefined) return written(call, create(call, sent, options.dryRun, { owners }), showing);
  const result = runAction(call, action, sent, options.dryRun);
  return result.kind === 'status'
    ? statusAnswer(result.status, 201, showing)
    : objectAnswer(call, result.object, 201, showing);
}

/** Source: apiserver endpoints/handlers/update.go. */
async function serveUpdate(request: VerbRequest): Promise<Answer> {
  const { exchange, query } = request;
  const showing = accepted(request, OBJECT_TYPES);
  const bytes = await readBody(exchange);
  const options = decodeUpdateOptions(query);
  const type = chosen(bodyType(firstHeader(exchange.req, 'content-type')));
  const call = { ...request.call, largest: bytes.length, writer: writerOf(request, options) };
  const sent = sentObject({ ...request, call }, type, bytes, options);
  checkName(request);
  const view = viewOf(call);
  if (view !== undefined) return written(call, updateView(call, view, sent, options.dryRun), showing);
  return written(call, update(call, { sent, next: () => sent, dryRun: options.dryRun }), showing);
}

const PATCH_TYPES: Readonly<Record<string, PatchType | undefined>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
};

/** Source: apiserver endpoints/handlers/patch.go. */
async function servePatch(request: VerbRequest): Promise<Answer> {
  const { exchange, query } = request;
  const { resource } = request.call;
  const contentType = firstHeader(exchange.req, 'content-type');
  if (!resource.custom) {
    const refusal = routePatchRefusal(contentType);
    if (refusal !== undefined) throw refusal;
  }
  const type = chosen(patchType(contentType, resource.custom ? 'custom' : 'built-in'));
  if (resource.custom && request.call.name === '') throw badRequest('name must be provided');
  const showing = accepted(request, OBJECT_TYPES);
  const bytes = await readBody(exchange);
  const options = decodePatchOptions(query, type === 'application/apply-patch+yaml');
  checkName(request);
  const call = { ...request.call, largest: Infinity, writer: writerOf(request, options) };
  const view = viewOf(call);
  const kindOfPatch = PATCH_TYPES[type];
  if (kindOfPatch === undefined) {
    const { dryRun, force, fieldValidation } = options;
    const apply: ApplyOrder = { text: bytes.toString('utf8'), dryRun, force, fieldValidation };
    return written(
      call,
      view === undefined ? applyPatch(call, apply) : applyToView(call, view, apply),
      showing,
    );
  }
  const order: PatchRequest = {
    type: kindOfPatch,
    body: readJson(bytes),
    text: bytes.toString('utf8'),
    fieldValidation: options.fieldValidation,
    dryRun: options.dryRun,
  };
  const result = view === undefined ? patch(call, order) : patchView(call, view, order);
  return written(call, result, showing);
}

/** Source: apiserver endpoints/handlers/delete.go. */
async function serveDelete(request: VerbRequest): Promise<Answer> {
  const { call } = request;
  const showing = accepted(request, OBJECT_TYPES);
  const options = await deleteOptionsOf(request);
  checkName(request);
  const result = remove(call, options);
  if (result.kind === 'status') return statusAnswer(result.status, 200, showing);
  // Accepted, not done: only for the older form of asking that dependents go too.
  const code = !result.removed && options.orphanDependents === false ? 202 : 200;
  return objectAnswer(call, result.object, code, showing);
}

async function serveDeleteCollection(request: VerbRequest): Promise<Answer> {
  const { call } = request;
  const showing = accepted(request, OBJECT_TYPES);
  const listOptions = listOptionsOf(request);
  const options = await deleteOptionsOf(request);
  return listAnswer(call, await deleteCollection(call, listOptions, options), showing);
}

/**
 * What is behind the server, or why it cannot be reached.
 *
 * Source: apiserver endpoints/handlers/rest.go, ConnectResource, and get.go.
 */
function serveConnection(request: VerbRequest, { connect, mediaTypes }: Connection): Answer {
  const { exchange, call, query } = request;
  if (mediaTypes !== undefined) accepted(request, [...mediaTypes, ...OBJECT_TYPES]);
  const stream = connect(
    {
      namespace: call.namespace,
      name: call.name,
      query,
      upgrade: firstHeader(exchange.req, 'upgrade') !== undefined,
    },
    contextOf(call),
  );
  if (stream === undefined) return { kind: 'empty', code: 204 };
  return { kind: 'stream', code: 200, contentType: 'text/plain', source: byteSource(stream) };
}

/** Whose DeleteOptions they are does not matter: all groups have the same. */
const DELETE_OPTIONS = { apiVersion: 'meta.k8s.io/v1', kind: 'DeleteOptions' };

async function deleteOptionsOf({ exchange, query, protobuf }: VerbRequest): Promise<DeleteOptions> {
  const bytes = await readBody(exchange);
  if (bytes.length === 0) return deleteOptionsFromQuery(query);
  const type = chosen(bodyType(firstHeader(exchange.req, 'content-type')));
  if (type !== PROTOBUF) return deleteOptionsFromBody(readAs(type, bytes));
  const reading = protobuf.decode(bytes, DELETE_OPTIONS);
  if (!reading.ok) throw badRequest(reading.error);
  return deleteOptionsFromBody(reading);
}

/** What the client is to be sent; what the router lets through is warned of. Errors: 406, in built-in groups first of all that of the router. */
function accepted(
  { exchange, call, query, formats, tables }: VerbRequest,
  available: readonly string[],
): Showing {
  const { accept, req } = exchange;
  const { custom } = call.resource;
  if (!custom) {
    const refusal = routeAcceptRefusal(accept, available);
    if (refusal !== undefined) throw refusal;
  }
  for (const text of call.resource.requestWarnings) call.warn(text);
  const rules = custom ? customRules(formats) : builtInRules(formats);
  const negotiated = negotiate(accept, rules, asksForPretty(query, firstHeader(req, 'user-agent')));
  if (!negotiated.ok) throw negotiated.error;
  return showingOf(call, negotiated.representation, {
    tables,
    includeObject: firstValue(query, 'includeObject'),
  });
}

/** Errors: 400 of a name that cannot be part of a key. */
function checkName({ call }: VerbRequest): void {
  const error = nameParameterError(call.name);
  if (error !== undefined) throw error;
}

function chosen<T>(
  choice: { readonly ok: true; readonly type: T } | { readonly ok: false; readonly error: Error },
): T {
  if (!choice.ok) throw choice.error;
  return choice.type;
}

function readAs(type: TextType, bytes: Buffer, onDuplicate: 'merge' | 'replace' = 'replace'): JsonReading {
  switch (type) {
    case 'application/json':
      return readJson(bytes, { onDuplicate });
    case 'application/yaml':
      return readYaml(bytes.toString('utf8'));
  }
}

/** The object that a create or an update brings, of the kind that the resource or its subresource takes. */
function sentObject(
  { call, protobuf }: VerbRequest,
  type: BodyType,
  bytes: Buffer,
  options: WriteOptions,
): Wanted {
  const own = inKindOfSubresource(call);
  try {
    const body = type === PROTOBUF ? protobufBody(own, protobuf, bytes) : bodyOf(own, type, bytes);
    const object = decodeBody(own, body, options.fieldValidation, takenVersions(call));
    return { object, owners: isJsonObject(body.value) ? ownersOf(own, body.value) : 'tracked' };
  } catch (error) {
    // The decoder of a custom resource's scale cannot word its errors.
    if (own === call || !call.resource.custom) throw error;
    const { version, kind } = own.resource;
    throw badRequest(
      `no kind is registered for the type ${version}.${kind} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
}

/** Who writes, as managedFields name them. */
const writerOf = ({ exchange }: VerbRequest, { fieldManager }: WriteOptions): string =>
  writerName(fieldManager, firstHeader(exchange.req, 'user-agent') ?? '');

const takenVersions = (call: Call): readonly string[] => subresourceOf(call)?.rules?.alsoTakes ?? [];

const PROTOBUF = 'application/vnd.kubernetes.protobuf';

/** What is read as a text. */
type TextType = Exclude<BodyType, typeof PROTOBUF>;

/**
 * Unknown fields are skipped and nothing can stand twice, so there is nothing to warn of.
 *
 * Errors: 400 for what cannot be decoded. Of a custom resource's, NoAnswerError: it has no decoder of protobuf, and a
 * real server trips over that and drops the connection.
 */
function protobufBody({ resource }: Call, protobuf: ProtobufCodec, bytes: Buffer): Body {
  if (resource.custom) throw new NoAnswerError();
  const reading = protobuf.decode(bytes, { apiVersion: apiVersionOf(resource), kind: resource.kind });
  if (!reading.ok) {
    const { typeMeta, error } = reading;
    if (typeMeta === undefined) throw unrecognized(resource, `${error} (${showBody(bytes)})`);
    const version = parseApiVersion(typeMeta.apiVersion)?.version ?? '';
    throw unmanageable(resource, typeMeta.kind, version, error);
  }
  return {
    value: reading.value,
    nulls: 'zero',
    duplicates: [],
    warnings: [],
    text: () => bytes.toString('utf8'),
    shown: () => showBody(bytes),
  };
}

/** Errors: 400 for what is no JSON or YAML. */
function bodyOf({ resource }: Call, type: TextType, bytes: Buffer): Body {
  const reading = readAs(type, bytes, resource.custom ? 'replace' : 'merge');
  const yaml = type === 'application/yaml';
  if (!reading.ok) {
    const parsed = yaml ? reading.error : `couldn't get version/kind; json parse error: ${reading.error}`;
    throw unrecognized(resource, `${parsed} (${showBody(bytes)})`);
  }
  if (reading.overflow !== undefined && resource.custom) {
    throw badRequest(
      `${resource.kind} in version "${resource.version}" cannot be handled as a ${resource.kind}: json: cannot unmarshal number ${reading.overflow} into Go value of type float64`,
    );
  }
  return {
    value: reading.value,
    nulls: 'unset',
    duplicates: yaml ? [] : reading.duplicates,
    warnings: yaml ? reading.duplicates : [],
    text: () => bytes.toString('utf8'),
    shown: () => showBody(bytes),
  };
}

function written(call: Call, result: WriteResult, showing: Showing): Answer {
  return objectAnswer(call, result.object, result.created ? 201 : 200, showing);
}

function statusAnswer(status: Status, code: number, { representation: { format, pretty } }: Showing): Answer {
  return { kind: 'value', code, value: statusValue(status), encoding: { format, pretty } };
}
