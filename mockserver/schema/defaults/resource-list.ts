/** Lists of resources: amounts have at most three decimals. */
import { type JsonObject, type MutableJsonObject, setMember } from '../../ground/json.js';
import { parseQuantity, quantityText, roundUpToMilli } from '../quantity.js';

/** Amounts that have no more than thousandths, whatever their digits. */
const COARSE = /^-?[0-9]+(?:[mkMGTPE]|[KMGTPE]i)?$/;

/**
 * The list with finer amounts rounded up to thousandths; the list itself when there are none.
 *
 * Source: kubernetes apis/core/v1/defaults.go, SetDefaults_ResourceList.
 */
export function withMilliAmounts(list: JsonObject): JsonObject {
  let out: MutableJsonObject | undefined;
  for (const name of Object.keys(list)) {
    const old = list[name];
    if (typeof old !== 'string' || COARSE.test(old)) continue;
    const reading = parseQuantity(old);
    if (!reading.ok) continue;
    const next = quantityText(roundUpToMilli(reading.quantity));
    if (next !== old) setMember((out ??= { ...list }), name, next);
  }
  return out ?? list;
}
