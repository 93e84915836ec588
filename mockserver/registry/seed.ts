/** The objects of a fresh server: what the store holds before the first client comes. */
import { isIP } from 'node:net';
import { type FreshObject, type FreshObjectCondition } from '../../openapi/fresh-server.js';
import { type Clock, formatTime } from '../ground/clock.js';
import {
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  isJsonArray,
  isJsonObject,
  setMember,
} from '../ground/json.js';
import { type ApiObject, editMetadata, withMetadata } from '../ground/object.js';
import { type Random } from '../ground/random.js';

export interface SeedContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly securePort: number;
  /** A loopback address is not told to anybody: the objects that name it are left out. @default 127.0.0.1 */
  readonly advertiseAddress?: string;
  /** Certificates in PEM; absent: the object that shows them is left out. */
  readonly clientCa?: string;
  /**
   * The server's own lease, `apiserver-` and 26 characters, with the host it runs on; absent: no lease. A real server
   * renews it every 10 s, which a server for tests rather spares its clients.
   */
  readonly identity?: { readonly name: string; readonly hostname: string };
}

/**
 * The objects of a fresh server without RBAC and without controllers, in the order of their creation.
 *
 * Shape: complete but for resourceVersion, which the store gives; each with a uid and a creationTimestamp of its own.
 * Computed objects are not among them.
 * @param fresh of `readFreshServer`
 */
export function freshServerObjects(
  fresh: readonly FreshObject[],
  context: SeedContext,
): readonly ApiObject[] {
  const filled = placeholders(context);
  return fresh
    .filter(({ when }) => when === undefined || applies(when, context))
    .map(({ object }) => {
      const { apiVersion, kind } = object;
      const members = filledObject(object, filled);
      const metadata = isJsonObject(members['metadata']) ? members['metadata'] : {};
      return withMetadata(
        { ...members, apiVersion, kind, metadata },
        editMetadata(metadata, {
          uid: context.random.uuid(),
          creationTimestamp: formatTime(context.clock.now()),
        }),
      );
    });
}

function applies(condition: FreshObjectCondition, context: SeedContext): boolean {
  switch (condition) {
    case 'clientCa':
      return context.clientCa !== undefined;
    case 'reachableAddress':
      return !isLoopback(addressOf(context));
    case 'serverIdentity':
      return context.identity !== undefined;
  }
}

const addressOf = (context: SeedContext): string => context.advertiseAddress ?? '127.0.0.1';

function isLoopback(address: string): boolean {
  return isIP(address) === 4 ? address.startsWith('127.') : address === '::1';
}

type Placeholders = ReadonlyMap<string, string | number>;

function placeholders(context: SeedContext): Placeholders {
  const now = context.clock.now();
  const time = formatTime(now);
  return new Map<string, string | number>([
    ['<now>', time],
    ['<nowMicro>', `${time.slice(0, -1)}.${String(Math.floor(now) % 1000).padStart(3, '0')}000Z`],
    ['<date>', time.slice(0, 10)],
    ['<securePort>', context.securePort],
    ['<advertiseAddress>', addressOf(context)],
    ['<clientCa>', context.clientCa ?? ''],
    ['<serverIdentity>', context.identity?.name ?? ''],
    ['<hostname>', context.identity?.hostname ?? ''],
    ['<uuid>', context.random.uuid()],
  ]);
}

/** A text that is a placeholder as a whole takes its value, also a number; inside a text it is written out. */
function filledValue(value: JsonValue, filled: Placeholders): JsonValue {
  if (typeof value === 'string') {
    if (!value.includes('<')) return value;
    return filled.get(value) ?? value.replace(/<[A-Za-z]+>/g, (one) => String(filled.get(one) ?? one));
  }
  if (isJsonArray(value)) return value.map((one) => filledValue(one, filled));
  return isJsonObject(value) ? filledObject(value, filled) : value;
}

function filledObject(object: JsonObject, filled: Placeholders): JsonObject {
  const out: MutableJsonObject = {};
  for (const [name, value] of Object.entries(object)) setMember(out, name, filledValue(value, filled));
  return out;
}
