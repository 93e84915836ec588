import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { fieldDescription, readDescriptions, withDescriptions } from '../../../openapi/descriptions.js';

const DESCRIPTIONS = {
  'io.example.v1beta1.Lamp': { colour: 'The old colour.' },
  'io.example.v1.Lamp': { '': 'Lamp gives light.', colour: 'The colour.', bulb: 'The bulb.' },
  'io.example.v1.Bulb': { '': 'Bulb is what shines.' },
};

describe('descriptions in schemas', () => {
  const lamp = {
    type: 'object',
    properties: {
      colour: { type: 'string' },
      bulb: { $ref: 'io.example.v1.Bulb' },
      alone: { $ref: 'io.example.v1.Bulb', $bare: true },
      plain: { type: 'integer' },
    },
  };

  test('stand first, at the schema and at those of its fields that have one', () => {
    const found = withDescriptions({ 'io.example.v1.Lamp': lamp }, DESCRIPTIONS);
    expect(JSON.stringify(found['io.example.v1.Lamp'])).toBe(
      JSON.stringify({
        description: 'Lamp gives light.',
        type: 'object',
        properties: {
          colour: { description: 'The colour.', type: 'string' },
          bulb: { description: 'The bulb.', $ref: 'io.example.v1.Bulb' },
          alone: { $ref: 'io.example.v1.Bulb', $bare: true },
          plain: { type: 'integer' },
        },
      }),
    );
  });

  test('do not stand beside a reference that is alone', () => {
    const bare = { properties: { bulb: { $ref: 'io.example.v1.Bulb', $bare: true } } };
    const found = withDescriptions({ 'io.example.v1.Lamp': bare }, DESCRIPTIONS);
    expect(found['io.example.v1.Lamp']).toEqual({ description: 'Lamp gives light.', ...bare });
  });

  test('leave the definitions alone where there are none', () => {
    const definitions = { 'io.example.v1.Lamp': lamp };
    expect(withDescriptions(definitions, {})).toBe(definitions);
  });
});

test.each([
  ['Lamp', 'colour', 'The colour.'],
  ['Lamp', 'toString', ''],
  ['Bulb', 'colour', ''],
])('of %s.%s is said: %s', (type, field, said) => {
  expect(fieldDescription(DESCRIPTIONS, type, field)).toBe(said);
});

describe('the file of descriptions', () => {
  test('is read where it is', () => {
    const folder = mkdtempSync(join(tmpdir(), 'descriptions-'));
    try {
      const file = join(folder, 'descriptions-1.36.json.gz');
      writeFileSync(file, gzipSync(JSON.stringify({ from: 'somewhere', schemas: DESCRIPTIONS })));
      expect(readDescriptions(pathToFileURL(file))).toEqual(DESCRIPTIONS);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('may be absent', () => {
    expect(readDescriptions(new URL('file:///nowhere/descriptions-1.36.json.gz'))).toEqual({});
  });
});
