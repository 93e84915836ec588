/** OpenAPI in protobuf: bytes recorded from gnostic and Go's protobuf. */
import { readFileSync } from 'node:fs';
import { type JsonObject } from '../../../mockserver/ground/json.js';
import { openApiProtobuf } from '../../../mockserver/registry/openapi-v2-protobuf.js';

const recorded = JSON.parse(
  readFileSync(new URL('../../../fixtures/recorded/openapi-v2-protobuf.json', import.meta.url), 'utf8'),
) as { document: JsonObject; protobuf: string };

test('a document with every part is written as gnostic writes it, byte for byte', () => {
  expect(openApiProtobuf(recorded.document).toString('base64')).toBe(recorded.protobuf);
});

test('zero values are not written, a choice that is false is', () => {
  expect(openApiProtobuf({ swagger: '' }).toString('hex')).toBe('');
  // definitions { name "a", value { additionalProperties { boolean false } } }
  expect(
    openApiProtobuf({ definitions: { a: { uniqueItems: false, additionalProperties: false } } }).toString(
      'hex',
    ),
  ).toBe('4a0c0a0a0a01611205aa01021000');
});
