/** What HTTP counts. Who counts is handed in: floors above turn it into series. */

/** What a request was about, as metrics name it. */
export interface RequestTarget {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  /** `resource` for one object, else how wide the collection is. Source: apiserver endpoints/metrics, CleanScope. */
  readonly scope: 'resource' | 'namespace' | 'cluster';
}

export interface AnsweredRequest {
  readonly target: RequestTarget;
  /** `GET`, `LIST`, `WATCH`, `POST`, `PUT`, `PATCH`, `APPLY`, `DELETE`, `DELETECOLLECTION`. */
  readonly verb: string;
  readonly dryRun: boolean;
  readonly code: number;
}

/** The counting end of one watch. */
export interface WatchCounts {
  /** An event went into the socket. */
  sent(bytes: number): void;
  /** An event was encoded for it; others may share the result. */
  encoded(): void;
  /** The bookmark that ends its initial events went out. */
  initialEventsEnd(): void;
  /** Idempotent. */
  closed(): void;
}

export interface HttpCounts {
  answered(request: AnsweredRequest): void;
  /** @param watchList whether it asked for initial events and the bookmark that ends them */
  watchOpened(target: RequestTarget, watchList: boolean): WatchCounts;
}

const nothing = (): void => undefined;

export const NO_WATCH_COUNTS: WatchCounts = Object.freeze({
  sent: nothing,
  encoded: nothing,
  initialEventsEnd: nothing,
  closed: nothing,
});

export const NO_HTTP_COUNTS: HttpCounts = Object.freeze({
  answered: nothing,
  watchOpened: () => NO_WATCH_COUNTS,
});

/** @param verb of the route; `create` counts as being about one object */
export function targetOf(route: {
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly subresource?: { readonly name: string } | undefined;
  readonly verb: string;
  readonly namespace: string;
  readonly name: string;
}): RequestTarget {
  const { verb, namespace, name } = route;
  const { group, version, resource } = route.resource;
  const subresource = route.subresource?.name ?? '';
  const scope = name !== '' || verb === 'create' ? 'resource' : namespace !== '' ? 'namespace' : 'cluster';
  return { group, version, resource, subresource, scope };
}

const REPORTED: Readonly<Record<string, string | undefined>> = { create: 'POST', update: 'PUT' };

/** The verb as metrics name it. Source: apiserver endpoints/metrics, cleanVerb. */
export const reportedVerb = (verb: string, apply: boolean): string =>
  verb === 'patch' && apply ? 'APPLY' : (REPORTED[verb] ?? verb.toUpperCase());
