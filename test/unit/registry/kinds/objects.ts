/** Builders of objects and contexts for the tests of kinds. */
import { realClock, VirtualClock } from '../../../../mockserver/ground/clock.js';
import { type JsonObject } from '../../../../mockserver/ground/json.js';
import { type ApiObject } from '../../../../mockserver/ground/object.js';
import { seededRandom } from '../../../../mockserver/ground/random.js';
import { type KindContext } from '../../../../mockserver/registry/kind-context.js';
import { LogBook } from '../../../../mockserver/registry/log-book.js';

/** 2026-01-01T00:00:00Z, an empty cluster. */
export const context: KindContext = {
  clock: new VirtualClock(Date.UTC(2026, 0, 1)),
  random: seededRandom(1),
  logs: new LogBook(realClock),
  find: () => undefined,
  listAll: () => [],
  list: () => [],
  follow: () => () => undefined,
};

export const NOW = '2026-01-01T00:00:00Z';

export function object(
  apiVersion: string,
  kind: string,
  metadata: JsonObject,
  members: JsonObject = {},
): ApiObject {
  return { apiVersion, kind, metadata, ...members };
}

export const main = (apiVersion: string): { apiVersion: string; subresource: string } => ({
  apiVersion,
  subresource: '',
});
