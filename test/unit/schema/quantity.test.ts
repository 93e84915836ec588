/** Quantities against what a server made of them. */
import fc from 'fast-check';
import {
  canonicalQuantity,
  parseQuantity,
  quantityText,
  roundUpToMilli,
} from '../../../mockserver/schema/quantity.js';
import { readRecorded } from './recorded.js';

const cases = (
  readRecorded('fixtures/recorded/codec/quantities.json') as { cases: [string, string, string][] }
).cases;

test.each(cases)('%s is written %s, rounded up to thousandths %s', (sent, plain, rounded) => {
  const text = canonicalQuantity(sent.trim());
  expect(text.ok ? text.text : text.error).toBe(plain);
  const reading = parseQuantity(sent.trim());
  expect(reading.ok ? quantityText(roundUpToMilli(reading.quantity)) : reading.error).toBe(rounded);
});

test.each([
  ['', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
  ['1x', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
  ['1ee', "unable to parse quantity's suffix"],
  ['1K', "unable to parse quantity's suffix"],
])('%s is refused', (text, error) => {
  expect(canonicalQuantity(text)).toEqual({ ok: false, error });
});

test('any text is read or refused, and canonical texts stay', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.stringMatching(
      /^[+-]?[0-9]{0,20}(\.[0-9]{0,12})?(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|e-?[0-9]{1,4})?$/,
    ),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const once = canonicalQuantity(text);
      if (!once.ok || /^-?[0-9]{19,}$/.test(once.text)) return;
      expect(canonicalQuantity(once.text)).toEqual(once);
    }),
  );
});
