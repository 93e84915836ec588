import { Float, type JsonValue } from '../../../mockserver/ground/json.js';
import { goStringVerb, goValueText } from '../../../mockserver/ground/go-value-text.js';

// Source: Go fmt/print.go, format.go.
test.each<[JsonValue, string]>([
  [{ b: 'x y', a: [1, 2.5, null, true], c: {} }, 'map[a:[1 2.5 <nil> true] b:x y c:map[]]'],
  [[], '[]'],
  [9223372036854775807n, '9223372036854775807'],
  [new Float(2), '2'],
  [new Float(1e21), '1e+21'],
  [1234567.5, '1.2345675e+06'],
  [1e-7, '1e-07'],
  [0.00001, '1e-05'],
  [0.0001, '0.0001'],
])('%j prints as Go prints it', (value, text) => {
  expect(goValueText(value)).toBe(text);
});

test.each<[JsonValue, string]>([
  ['x', 'x'],
  [1, '%!s(int64=1)'],
  [true, '%!s(bool=true)'],
  [1.5, '%!s(float64=1.5)'],
  [null, '%!s(<nil>)'],
  [{ a: [1, null, 'x'] }, 'map[a:[%!s(int64=1) <nil> x]]'],
])('%j where a text should be says its type', (value, text) => {
  expect(goStringVerb(value)).toBe(text);
});
