/** The routes under `/_mock/`: what a cluster's user can do from any language. */
import {
  isJsonObject,
  jsonArray,
  jsonObject,
  type JsonObject,
  type JsonValue,
  member,
} from '../ground/json.js';
import { badRequest, bareError, methodNotAllowed } from '../ground/status.js';
import { type ClusterClock } from '../ground/cluster-clock.js';
import { type PodRules } from '../controllers/nodes/pod-rules.js';
import { type Faults } from '../faults/faults.js';
import { readRule, readRuleText, RuleError, ruleFileSchema } from '../faults/rule-reader.js';
import { DocumentError } from '../ground/checked-document.js';
import { type Match } from '../faults/match.js';
import { type Answer } from '../http/answer.js';
import { readBody } from '../http/body.js';
import { type Exchange } from '../http/exchange.js';
import { type Journal } from '../observe/journal.js';
import { type JournalEntry } from '../observe/journal-entry.js';
import { type JournalFilter } from '../observe/journal-view.js';
import { type LogBook } from '../registry/log-book.js';
import { firstValue, type Query, textValue } from '../registry/query.js';
import { clockRoutes } from './clock-routes.js';
import { type ClusterControl } from './cluster-control.js';
import { type ClusterDirectory } from './cluster-directory.js';
import { clusterRoutes } from './cluster-routes.js';
import { fakeNodeRoutes } from './fake-node-routes.js';
import { logRoutes } from './log-routes.js';
import { json, nothingNamed, type RouteRequest, type Routes, text, valueOf } from './route.js';

const PREFIX = '/_mock/';

export interface MockRoutesParts {
  readonly faults: Faults;
  readonly journal: Journal;
  readonly logs: LogBook;
  readonly control: ClusterControl;
  readonly clock: ClusterClock;
  readonly podRules: PodRules;
  readonly directory: ClusterDirectory;
  /** Of the cluster, as YAML. */
  readonly kubeconfig: () => string;
}

export class MockRoutes {
  readonly #parts: MockRoutesParts;
  readonly #frozen: (() => void)[] = [];
  readonly #routes: Routes;

  constructor(parts: MockRoutesParts) {
    this.#parts = parts;
    this.#routes = {
      faults: {
        GET: () => json(200, this.#plan()),
        POST: (request) => this.#addFaults(request),
        DELETE: ({ rest }) => this.#removeFaults(rest),
      },
      signals: {
        POST: ({ rest }) => {
          parts.faults.signal(rest);
          return json(200, { signal: rest });
        },
      },
      journal: {
        GET: ({ query }) => this.#readJournal(query),
        DELETE: () => {
          parts.journal.clear();
          return json(200, {});
        },
      },
      explain: { GET: ({ query }) => text(`${parts.journal.all.where(filterOf(query)).explain()}\n`) },
      timeline: {
        GET: ({ query }) => ({
          kind: 'bytes',
          code: 200,
          contentType: 'text/html; charset=utf-8',
          bytes: Buffer.from(parts.journal.all.where(filterOf(query)).timeline()),
        }),
      },
      watchers: { GET: () => json(200, { watchers: this.#watchers() }) },
      stall: { POST: async (request) => json(200, { stalled: parts.control.stall(await matchOf(request)) }) },
      resume: {
        POST: async (request) => json(200, { resumed: parts.control.resume(await matchOf(request)) }),
      },
      'end-watches': {
        POST: async (request) => json(200, { ended: parts.control.endWatches(await matchOf(request)) }),
      },
      compact: { POST: (request) => this.#compact(request) },
      rewind: { POST: (request) => this.#rewind(request) },
      restart: { POST: (request) => this.#restart(request) },
      freeze: {
        POST: (request) => this.#freeze(request),
        DELETE: () => json(200, { released: this.#thaw() }),
      },
      'fault-schema': { GET: () => json(200, ruleFileSchema() as JsonObject) }, // as: a schema is made of JSON alone
      ...clusterRoutes(parts),
      ...clockRoutes(parts.clock),
      ...logRoutes(parts.logs),
      ...fakeNodeRoutes(parts.podRules),
    };
  }

  /** Shape: undefined for a path that is not below `/_mock/`. Errors: StatusErrors 400, 404, 405. */
  serve(exchange: Exchange, path: string, query: Query): Promise<Answer> | undefined {
    return path.startsWith(PREFIX) ? this.#serve(exchange, path, query) : undefined;
  }

  async #serve(exchange: Exchange, path: string, query: Query): Promise<Answer> {
    const [name = '', ...rest] = path.slice(PREFIX.length).split('/');
    const methods = Object.hasOwn(this.#routes, name) ? this.#routes[name] : undefined;
    if (methods === undefined) throw bareError(404, `there is no ${PREFIX}${name}`);
    const method = exchange.req.method ?? 'GET';
    const serve = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (serve === undefined) throw methodNotAllowed();
    return serve({ exchange, query, rest: decoded(rest.join('/')) });
  }

  #plan(): JsonObject {
    const { faults } = this.#parts;
    return {
      rules: faults.rules.map(({ name, rule, matched, fired }) => ({
        name,
        matched,
        fired,
        rule: jsonObject(rule),
      })),
      unfired: faults.unfired,
    };
  }

  async #addFaults(request: RouteRequest): Promise<Answer> {
    const { faults } = this.#parts;
    const bytes = await readBody(request.exchange);
    try {
      const { rules } = readRuleText(bytes.toString('utf8'), 'body');
      return json(201, { added: rules.map((rule) => faults.add(rule).name) });
    } catch (error) {
      if (error instanceof DocumentError || error instanceof RangeError) throw badRequest(error.message);
      throw error;
    }
  }

  #removeFaults(name: string): Answer {
    const { faults } = this.#parts;
    if (name === '') {
      faults.reset();
      return json(200, {});
    }
    if (faults.remove(name)) return json(200, {});
    throw nothingNamed('rule', name);
  }

  #readJournal(query: Query): Answer {
    const { journal } = this.#parts;
    const view = journal.all.where(filterOf(query));
    const after = Number(textValue(query, 'after') || 0);
    const entries = jsonArray(view.entries.filter(({ seq }) => seq > after));
    return json(200, { dropped: journal.dropped, entries });
  }

  #watchers(): JsonValue[] {
    return this.#parts.control.watches().map(({ request, view, stalled }) => ({
      request,
      client: view.userAgent,
      group: view.group,
      resource: view.resource,
      namespace: view.namespace,
      stalled,
    }));
  }

  async #rewind(request: RouteRequest): Promise<Answer> {
    const { control } = this.#parts;
    const back = wholeNumberIn(await valueOf(request), 'back') ?? 1;
    return json(200, { revision: control.rewind(control.revisionBack(back)) });
  }

  async #restart(request: RouteRequest): Promise<Answer> {
    const value = await valueOf(request);
    const forMs = numberIn(value, 'forMs');
    const keepHistory = isJsonObject(value) && member(value, 'keepHistory') === true;
    const { control } = this.#parts;
    // The answer goes out first: connections are reset then.
    control.clock.soon(() => control.restart({ keepHistory, ...(forMs === undefined ? {} : { forMs }) }));
    return json(200, {});
  }

  async #freeze(request: RouteRequest): Promise<Answer> {
    this.#frozen.push(this.#parts.control.freeze(await matchOf(request)));
    return json(200, {});
  }

  /** Shape: how many calls of freeze were undone. */
  #thaw(): number {
    const frozen = this.#frozen.splice(0);
    for (const release of frozen) release();
    return frozen.length;
  }

  async #compact(request: RouteRequest): Promise<Answer> {
    const revision = wholeNumberIn(await valueOf(request), 'revision');
    return json(200, { compacted: this.#parts.control.compact(revision) });
  }
}

/** Errors: 400 for anything else. */
function numberIn(value: JsonValue, name: string): number | undefined {
  const found = isJsonObject(value) ? member(value, name) : undefined;
  if (found !== undefined && typeof found !== 'number') throw badRequest(`${name}: must be a number`);
  return found;
}

/** Errors: 400 for anything else, also for one below 0. */
function wholeNumberIn(value: JsonValue, name: string): number | undefined {
  const found = numberIn(value, name);
  if (found !== undefined && !(Number.isSafeInteger(found) && found >= 0))
    throw badRequest(`${name}: must be a whole number, at least 0`);
  return found;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const KINDS: readonly JournalEntry['kind'][] = ['request', 'response', 'event', 'queue', 'end', 'fault'];

function filterOf(query: Query): JournalFilter {
  const kind = firstValue(query, 'kind');
  const known = KINDS.find((one) => one === kind);
  if (kind !== undefined && known === undefined)
    throw badRequest(`kind: must be one of ${KINDS.join(', ')}, not ${JSON.stringify(kind)}`);
  return {
    ...texts(query, 'client', 'verb', 'resource', 'namespace'),
    ...(known === undefined ? {} : { kind: known }),
  };
}

/** The members that the query has. */
function texts<Name extends string>(query: Query, ...names: readonly Name[]): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = firstValue(query, name);
    if (value !== undefined) found[name] = value;
  }
  return found;
}

/** A matcher of requests, or everything for an empty body. Errors: 400. */
async function matchOf(request: RouteRequest): Promise<Match> {
  const value = await valueOf(request);
  if (value === null) return {};
  try {
    return readRule({ match: value, effect: { kind: 'reset' } }, 'body').match ?? {};
  } catch (error) {
    if (error instanceof RuleError) throw badRequest(error.message);
    throw error;
  }
}
