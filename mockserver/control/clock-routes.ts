/** `/_mock/clock`: the time of a cluster, read and moved from any language. */
import { formatTime, parseTime } from '../ground/clock.js';
import { type ClusterClock } from '../ground/cluster-clock.js';
import { isJsonObject, member, type JsonObject, type JsonValue } from '../ground/json.js';
import { badRequest } from '../ground/status.js';
import { json, type Routes, valueOf } from './route.js';

export const clockRoutes = (clock: ClusterClock): Routes => ({
  clock: {
    GET: () => json(200, shown(clock)),
    POST: async (request) => json(200, await moved(clock, await valueOf(request))),
  },
});

const shown = (clock: ClusterClock): JsonObject => ({
  now: formatTime(clock.now()),
  nowMs: clock.now(),
  frozen: clock.frozen,
});

/**
 * Shape: the clock as it then is; with `passedMs` for `runToIdle`.
 * @param wish one of `{freeze: true | time}`, `{advance: ms}`, `{runToIdle: true | ms}`, `{run: true}`
 * Errors: 400.
 */
async function moved(clock: ClusterClock, wish: JsonValue): Promise<JsonObject> {
  const [name, ...more] = isJsonObject(wish) ? Object.keys(wish) : [];
  if (!isJsonObject(wish) || name === undefined || more.length > 0) throw badRequest(ONE_OF);
  const value = member(wish, name);
  try {
    switch (name) {
      case 'freeze':
        clock.freeze(momentOf(value));
        return shown(clock);
      case 'run':
        clock.run();
        return shown(clock);
      case 'advance':
        if (typeof value !== 'number') throw badRequest('advance: milliseconds are needed');
        await clock.advance(value);
        return shown(clock);
      case 'runToIdle': {
        if (typeof value !== 'number' && value !== true)
          throw badRequest('runToIdle: true or milliseconds are needed');
        const passedMs = await clock.runToIdle(value === true ? {} : { withinMs: value });
        return { ...shown(clock), passedMs };
      }
      default:
        throw badRequest(ONE_OF);
    }
  } catch (error) {
    if (error instanceof RangeError) throw badRequest(error.message);
    throw error;
  }
}

const ONE_OF = 'an object with one of freeze, advance, runToIdle and run is needed';

/** Shape: undefined for now. */
function momentOf(value: JsonValue | undefined): number | undefined {
  if (value === true) return undefined;
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return timeOf(value);
  throw badRequest('freeze: true, a time or milliseconds since 1970 are needed');
}

function timeOf(text: string): number {
  const ms = parseTime(text);
  if (ms === undefined) throw badRequest(`freeze: ${JSON.stringify(text)} is no time`);
  return ms;
}
