/** The settings of a cluster as a request has them: checked, since they are not a program's. */
import { readRules, RuleError } from '../faults/rule-reader.js';
import { type JsonObject, type JsonValue } from '../ground/json.js';
import { type ClusterSettings } from './cluster-settings.js';

type Reader = (value: JsonValue, name: string) => Partial<ClusterSettings>;

const text: Reader = (value, name) => {
  if (typeof value !== 'string') throw new RangeError(`${name}: must be a string`);
  return { [name]: value };
};

const wholeNumber: Reader = (value, name) => {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${name}: must be a whole number`);
  return { [name]: value };
};

const texts: Reader = (value, name) => {
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string'))
    throw new RangeError(`${name}: must be a list of strings`);
  return { [name]: value };
};

const READERS: Readonly<Record<string, Reader>> = {
  name: text,
  tokens: text,
  seed: wholeNumber,
  startRevision: wholeNumber,
  faultSeed: wholeNumber,
  journalCapacity: wholeNumber,
  frozenAt: (value, name) => {
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new RangeError(`${name}: must be a time or milliseconds since 1970`);
    return { frozenAt: value };
  },
  load: texts,
  controllers: texts,
  faults: (value) => {
    try {
      return { faults: readRules(value).rules };
    } catch (error) {
      if (error instanceof RuleError) throw new RangeError(error.message, { cause: error });
      throw error;
    }
  },
};

/** Errors: RangeError that names a member that is unknown or has another type. */
export function readClusterSettings(given: JsonObject): Omit<ClusterSettings, 'from'> {
  const settings: Partial<ClusterSettings> = {};
  for (const [name, value] of Object.entries(given)) {
    const reader = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
    if (reader === undefined)
      throw new RangeError(`${name}: unknown; a cluster can be told ${Object.keys(READERS).join(', ')}`);
    Object.assign(settings, reader(value, name));
  }
  return settings;
}
