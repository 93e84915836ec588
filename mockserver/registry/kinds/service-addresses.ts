/** The two pools that services draw from: addresses and ports of nodes. */
import { type Random } from '../../ground/random.js';

/** 10.0.0.0/16 without its first and last address. */
export const ADDRESS_RANGE = '10.0.0.0/16';
const ADDRESSES = 65_534;
/** Numbers below these are left to those who name theirs, as long as there are others. Source: KEP-3070, KEP-3668. */
const NAMED_ADDRESSES = 256;
const NAMED_PORTS = 86;
const FIRST_PORT = 30_000;
const PORTS = 2_768;

export const PORT_RANGE = `${FIRST_PORT}-${FIRST_PORT + PORTS - 1}`;

/** Where a number stands in 10.0.0.0/16. Undefined: outside of it. */
function placeOf(address: string): number | undefined {
  const parts = /^10\.0\.([0-9]{1,3})\.([0-9]{1,3})$/.exec(address);
  if (parts === null) return undefined;
  const [high, low] = [Number(parts[1]), Number(parts[2])];
  return high < 256 && low < 256 ? high * 256 + low : undefined;
}

const addressAt = (place: number): string => `10.0.${Math.floor(place / 256)}.${place % 256}`;

export const isInRange = (address: string): boolean => placeOf(address) !== undefined;
/** The first and the last address of a range are no addresses of services. */
export const isServiceAddress = (address: string): boolean => {
  const place = placeOf(address);
  return place !== undefined && place >= 1 && place <= ADDRESSES;
};
export const isNodePort = (port: number): boolean => port >= FIRST_PORT && port < FIRST_PORT + PORTS;

/** A free address; undefined when there is none. */
export function freeAddress(used: ReadonlySet<string>, random: Random): string | undefined {
  const place = freePlace(ADDRESSES, NAMED_ADDRESSES, random, (i) => !used.has(addressAt(i + 1)));
  return place === undefined ? undefined : addressAt(place + 1);
}

/** A free port; undefined when there is none. */
export function freePort(used: ReadonlySet<number>, random: Random): number | undefined {
  const place = freePlace(PORTS, NAMED_PORTS, random, (i) => !used.has(FIRST_PORT + i));
  return place === undefined ? undefined : FIRST_PORT + place;
}

/** From anywhere above `named` upwards and around, then from `named` downwards. */
function freePlace(
  size: number,
  named: number,
  random: Random,
  isFree: (place: number) => boolean,
): number | undefined {
  const above = size - named;
  const start = Math.floor(random.next() * above);
  for (let i = 0; i < above; i++) {
    const place = named + ((start + i) % above);
    if (isFree(place)) return place;
  }
  for (let place = named - 1; place >= 0; place--) if (isFree(place)) return place;
  return undefined;
}
