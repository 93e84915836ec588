/** Serves requests: from the wire to a verb and back. */
import { impersonated } from '../access/impersonation.js';
import { invalidToken } from '../access/token-review.js';
import { type Clock } from '../ground/clock.js';
import { type Random } from '../ground/random.js';
import { firstValue, parseQuery } from '../registry/query.js';
import { type CacheSource } from '../registry/call.js';
import { type Cluster } from '../registry/cluster.js';
import { requestTimeoutMs } from '../registry/request-timeout.js';
import { type ProtobufCodec } from '../schema/protobuf/protobuf-codec.js';
import { AnswerWriter } from './answer-writer.js';
import { pageNotFound, type Answer } from './answer.js';
import { type ClusterHooks } from './cluster-hooks.js';
import { ConnectionNumbers } from './connection-numbers.js';
import { type Decision, type Interruption, type RequestView } from './exchange-hooks.js';
import { documentView, verbView } from './request-view.js';
import { resetConnection } from './reset-connection.js';
import { splitCluster } from './cluster-prefix.js';
import { askBefore, withConversions } from './conversions.js';
import { documentAnswer } from './document-writer.js';
import { errorAnswer } from './error-response.js';
import { type ApiHandler, Exchange, firstHeader } from './exchange.js';
import { type Format } from './format.js';
import { reportedVerb, targetOf } from './http-counts.js';
import { jsonFormat } from './json-format.js';
import { type Logger } from './logger.js';
import { asksForPretty } from './negotiation.js';
import { isLongRunning, parsePath, splitTarget } from './path.js';
import { type RequestObserver } from './request-observer.js';
import { routeOf } from './resource-route.js';
import { protobufFormat } from './protobuf-format.js';
import { type ServedCluster } from './served-cluster.js';
import { serveVerb, type VerbRequest } from './verbs.js';
import { yamlFormat } from './yaml-format.js';

/** Nothing is answered. */
type Silence = Extract<Interruption, { kind: 'reset' | 'hang' }>;

const isSilence = (answer: Answer | Silence): answer is Silence =>
  answer.kind === 'reset' || answer.kind === 'hang';

/** An answer that will not be written: its watch, or its log, must not stay open. */
function letGo(answer: Answer): void {
  if (answer.kind === 'watch' || answer.kind === 'stream') answer.source.close();
}

/** Shape: a promise only for what has to wait: every request comes by here. */
function begun(
  exchange: Exchange,
  hooks: ClusterHooks,
  view: RequestView,
): Decision | undefined | Promise<Decision | undefined> {
  exchange.hook = hooks.begin(view);
  return exchange.hook?.beforeVerb();
}

/** Errors: the decision's own. */
function carriedOut(decision: Interruption): Answer | Silence {
  if (decision.kind === 'error') throw decision.error;
  return decision.kind === 'answer' ? decision.answer : decision;
}

export interface ApiHost {
  /** The cluster of a name, or the default one for undefined. Shape: undefined when there is none of that name. */
  clusterNamed(name: string | undefined): ServedCluster | undefined;
}

export interface ApiServerParts {
  readonly host: ApiHost;
  readonly logger: Logger;
  /** Of the API's newest version: messages only ever gain fields. */
  readonly protobuf: ProtobufCodec;
  readonly random: Random;
  /** Real time: it bounds how long connections linger, not what clusters do. */
  readonly clock: Clock;
  /** Told of every request. */
  readonly observer?: RequestObserver | undefined;
}

export class ApiServer {
  readonly #parts: ApiServerParts;
  readonly #writer: AnswerWriter;
  readonly #connections = new ConnectionNumbers();
  /** In the order in which a client that does not say gets them. */
  readonly #formats: readonly Format[];

  constructor(parts: ApiServerParts) {
    this.#parts = parts;
    this.#formats = [jsonFormat, yamlFormat, protobufFormat(parts.protobuf)];
    this.#writer = new AnswerWriter({ logger: parts.logger });
  }

  /** Serves one request; never throws and never rejects. */
  readonly handler: ApiHandler = (req, res, upgrade) => this.#handle(this.#exchange(req, res, upgrade));

  /** As `handler`, for a further address of the same clusters: what it reads comes from elsewhere. */
  handlerReading(replicaOf: (cluster: Cluster) => CacheSource | undefined): ApiHandler {
    return (req, res, upgrade) => {
      const exchange = this.#exchange(req, res, upgrade);
      exchange.replicaOf = replicaOf;
      this.#handle(exchange);
    };
  }

  #exchange(...[req, res, upgrade]: Parameters<ApiHandler>): Exchange {
    const { random, clock } = this.#parts;
    const connection = this.#connections.of(req.socket);
    return new Exchange(req, res, { random, clock, upgrade, connection });
  }

  #handle(exchange: Exchange): void {
    const { logger, observer } = this.#parts;
    if (observer !== undefined) observe(exchange, observer);
    this.#serve(exchange).catch((error: unknown) => {
      logger.error('an answer could not be written', error);
      exchange.res.destroy();
    });
  }

  get openWatches(): number {
    return this.#writer.openWatches;
  }

  /** Ends all open watches in good order. */
  endWatches(): void {
    this.#writer.endWatches();
  }

  async #serve(exchange: Exchange): Promise<void> {
    const warnings: string[] = [];
    let answer: Answer | Silence | undefined;
    try {
      answer = await this.#answer(exchange, warnings);
    } catch (error) {
      answer = this.#error(exchange, error, warnings);
    }
    const { hook } = exchange;
    if (hook !== undefined && answer !== undefined && !isSilence(answer)) {
      const pending = hook.beforeAnswer(answer);
      const interruption = pending instanceof Promise ? await pending : pending;
      if (interruption?.kind === 'paced') exchange.pacing = interruption;
      else if (interruption !== undefined) {
        letGo(answer);
        answer = this.#interrupted(exchange, interruption, warnings);
      }
    }
    if (answer === undefined) {
      exchange.res.destroy();
      return;
    }
    if (isSilence(answer)) {
      if (answer.kind === 'reset') resetConnection(exchange);
      return;
    }
    exchange.answered?.(answer.kind === 'list' || answer.kind === 'watch' ? 200 : answer.code);
    try {
      await this.#writer.write(exchange, answer);
    } catch (error) {
      // Encoding failed before anything was sent (a text that YAML cannot hold, say).
      const instead = this.#error(exchange, error, warnings);
      if (instead !== undefined) await this.#writer.write(exchange, instead);
    }
  }

  #interrupted(
    exchange: Exchange,
    interruption: Interruption,
    warnings: readonly string[],
  ): Answer | Silence | undefined {
    switch (interruption.kind) {
      case 'answer':
        return interruption.answer;
      case 'error':
        return this.#error(exchange, interruption.error, warnings);
      case 'reset':
      case 'hang':
        return interruption;
    }
  }

  async #answer(exchange: Exchange, warnings: string[]): Promise<Answer | Silence> {
    const { req } = exchange;
    const { cluster: name, url } = splitCluster(req.url ?? '/');
    const served = this.#parts.host.clusterNamed(name);
    if (served === undefined) return pageNotFound();
    const target = splitTarget(url);
    const query = parseQuery(target.query);
    // Refused before anybody asks who it is. The limit itself is not kept: every answer here comes in less time.
    requestTimeoutMs(query);
    const { hooks } = served;
    const own = hooks?.own(exchange, target.path, query);
    if (own !== undefined) return own;
    const user = impersonated(
      served.authenticator.authenticate(firstHeader(req, 'authorization')),
      req.rawHeaders,
    );
    const path = parsePath(target.path);
    if (!isLongRunning(path)) exchange.flow = served.flow;

    const method = req.method ?? 'GET';
    switch (path.kind) {
      case 'bad':
        return { kind: 'text', code: path.code, text: path.text };
      case 'document': {
        if (hooks !== undefined) {
          const pending = begun(exchange, hooks, documentView(exchange, url, query, user));
          const decision = pending instanceof Promise ? await pending : pending;
          if (decision !== undefined && decision.kind !== 'change') return carriedOut(decision);
        }
        return documentAnswer(exchange, served, path.path, target.query, this.#formats) ?? pageNotFound();
      }
      case 'resource': {
        // Some documents lie where resources do: /apis/<group>/<version> without anything behind.
        const route = routeOf(served.cluster.resources, path, method);
        switch (route.kind) {
          case 'page not found':
            return pageNotFound();
          case 'refused':
            throw route.error;
          case 'verb': {
            const call = {
              cluster: served.cluster,
              resource: route.resource,
              subresource: route.subresource?.name ?? '',
              namespace: route.namespace,
              name: route.name,
              largest: 0,
              user,
              reviewToken: (token: string, audiences: readonly string[]) =>
                served.authenticator.review?.(token, audiences) ?? invalidToken(),
              warn: (text: string) => void warnings.push(text),
            };
            const { counts } = served;
            const target = targetOf(route);
            exchange.answered = (code) => {
              const asked = firstValue(query, 'watch');
              const watches = route.verb === 'list' && (asked === 'true' || asked === '1');
              const apply = firstHeader(req, 'content-type')?.startsWith('application/apply-patch') === true;
              const verb = watches ? 'WATCH' : reportedVerb(route.verb, apply);
              counts.answered({ target, verb, dryRun: firstValue(query, 'dryRun') === 'All', code });
            };
            let asked = query;
            let reads = exchange.replicaOf?.(served.cluster);
            let { features } = served.cluster.options;
            if (hooks !== undefined) {
              const pending = begun(exchange, hooks, verbView(exchange, url, query, route, user));
              const decision = pending instanceof Promise ? await pending : pending;
              if (decision?.kind === 'change') {
                asked = decision.query ?? query;
                reads = decision.reads ?? reads;
                features = decision.features ?? features;
              } else if (decision !== undefined) return carriedOut(decision);
            }
            const request = {
              exchange,
              counts,
              target,
              route,
              call: reads === undefined ? call : { ...call, reads },
              query: asked,
              features,
              formats: this.#formats,
              protobuf: this.#parts.protobuf,
              tables: served.tables,
            };
            const answer =
              route.resource.webhook === undefined
                ? await serveVerb(request)
                : await serveConverted(request, warnings);
            return warnings.length === 0 ? answer : { ...answer, warnings };
          }
        }
      }
    }
  }

  #error(exchange: Exchange, error: unknown, warnings: readonly string[]): Answer | undefined {
    const { query } = splitTarget(exchange.req.url ?? '/');
    return errorAnswer(error, {
      accept: exchange.accept,
      pretty: asksForPretty(parseQuery(query), firstHeader(exchange.req, 'user-agent')),
      formats: this.#formats,
      logger: this.#parts.logger,
      warnings,
    });
  }
}

/** Warnings of a verb that stopped are given again when it begins anew. */
async function serveConverted(request: VerbRequest, warnings: string[]): Promise<Answer> {
  const { length } = warnings;
  await askBefore(request.call, request.route.verb);
  return withConversions(() => {
    warnings.length = length;
    return serveVerb(request);
  });
}

function observe(exchange: Exchange, observer: RequestObserver): void {
  const { req, res } = exchange;
  const { method = 'GET', url = '/' } = req;
  const observation = observer.begin({ method, url, userAgent: firstHeader(req, 'user-agent') });
  exchange.observation = observation;
  res.once('close', () => observation.ended());
}
