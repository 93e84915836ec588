import { DocumentError, DocumentKind } from '../../../mockserver/ground/checked-yaml.js';

interface Pond {
  readonly name: string;
  readonly frogs?: readonly { readonly legs: number }[];
}

const POND = new DocumentKind<Pond>({
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    name: { type: 'string' },
    depth: { type: 'number', minimum: 0 },
    water: { enum: ['sweet', 'salty'] },
    frogs: {
      type: 'array',
      items: { type: 'object', required: ['legs'], properties: { legs: { type: 'integer' } } },
    },
    weather: {
      type: 'object',
      required: ['kind'],
      discriminator: { propertyName: 'kind' },
      oneOf: [
        { properties: { kind: { const: 'rain' }, mm: { type: 'number' } }, required: ['mm'] },
        { properties: { kind: { const: 'sun' } } },
      ],
    },
  },
});

const messageOf = (text: string): string => {
  try {
    POND.read(text, 'pond.yaml');
  } catch (error) {
    if (error instanceof DocumentError) return error.message;
    throw error;
  }
  return 'no mistake';
};

test('a document that fits is answered as it stands, from YAML and from JSON', () => {
  expect(POND.read('name: small\nfrogs:\n- legs: 4\n', 'pond.yaml')).toEqual({
    name: 'small',
    frogs: [{ legs: 4 }],
  });
  expect(POND.read('{"name": "small"}', 'pond.json')).toEqual({ name: 'small' });
});

describe('a mistake is told with file, line and path', () => {
  test.each([
    ['a wrong type', 'name: a\ndepth: deep\n', 'pond.yaml:2: depth: must be a number, not "deep"'],
    [
      'inside a list',
      'name: a\nfrogs:\n- legs: 4\n- legs: two\n',
      'pond.yaml:4: frogs[1].legs: must be a whole number, not "two"',
    ],
    [
      'a missing member, at what should have it',
      'frogs:\n- {}\nname: a',
      'pond.yaml:2: frogs[0].legs: is missing',
    ],
    [
      'an unknown member',
      'name: a\nfishes: 3\n',
      'pond.yaml:2: fishes: is not known here (name, depth, water, frogs, weather)',
    ],
    ['a choice', 'name: a\nwater: clear\n', 'pond.yaml:2: water: must be one of sweet, salty, not "clear"'],
    ['a bound', 'name: a\ndepth: -1\n', 'pond.yaml:2: depth: must be >= 0, not -1'],
    ['a document of another type', '- a\n', 'pond.yaml:1: must be an object, not ["a"]'],
    ['an empty text', '', 'pond.yaml:1: must be an object, not null'],
    [
      'behind an alias',
      'name: a\nfrogs: [&f {legs: x}]\n',
      'pond.yaml:2: frogs[0].legs: must be a whole number, not "x"',
    ],
    ['one of several forms', 'name: a\nweather:\n  kind: rain\n', 'pond.yaml:2: weather.mm: is missing'],
    [
      'a form that nobody knows',
      'name: a\nweather:\n  kind: hail\n',
      'pond.yaml:3: weather.kind: must name one of the known forms, not "hail"',
    ],
  ])('%s', (_, text, expected) => {
    expect(messageOf(text)).toBe(expected);
  });
});

test('all mistakes are told at once, one line each', () => {
  expect(messageOf('depth: x\nwater: mud\n').split('\n')).toEqual([
    'pond.yaml:1: name: is missing',
    'pond.yaml:1: depth: must be a number, not "x"',
    'pond.yaml:2: water: must be one of sweet, salty, not "mud"',
  ]);
});

test('a text that is no YAML is told with its line', () => {
  expect(messageOf('name: a\nfrogs: [\n')).toMatch(/^pond\.yaml:\d+: yaml: /);
});
