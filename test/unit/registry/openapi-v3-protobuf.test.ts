/** OpenAPI version 3 in protobuf: bytes recorded from gnostic and Go's protobuf. */
import { readFileSync } from 'node:fs';
import { type JsonObject } from '../../../mockserver/ground/json.js';
import { openApiV3Protobuf } from '../../../mockserver/registry/openapi-v3-protobuf.js';

const recorded = JSON.parse(
  readFileSync(new URL('../../../fixtures/recorded/openapi-v3-protobuf.json', import.meta.url), 'utf8'),
) as { document: JsonObject; protobuf: string };

test('a document with every part is written as gnostic writes it, byte for byte', () => {
  expect(openApiV3Protobuf(recorded.document).toString('base64')).toBe(recorded.protobuf);
});
