import { DocumentError, readChecked, readDocuments } from '../../../mockserver/ground/checked-document.js';
import { ValueShape } from '../../../mockserver/ground/value-shape.js';

interface Plan {
  readonly seed?: number;
  readonly steps: readonly { readonly wait?: number; readonly who?: string | readonly string[] }[];
}

const shape = new ValueShape<Plan>({
  type: 'object',
  additionalProperties: false,
  required: ['steps'],
  properties: {
    seed: { type: 'integer', minimum: 0 },
    steps: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        properties: {
          wait: { type: 'number', minimum: 0, maximum: 10 },
          who: {
            title: 'a text or a list of texts',
            anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
          },
        },
      },
    },
  },
});

test('a text that fits is read as plain values', () => {
  expect(readChecked('seed: 3\nsteps: [{who: [a, no]}, {wait: 0.5}]', 'f', shape)).toEqual({
    seed: 3,
    steps: [{ who: ['a', 'no'] }, { wait: 0.5 }],
  });
});

test.each([
  { name: 'a missing member, at its parent', text: 'seed: 1', error: 'plan.yaml:1: steps: is required' },
  {
    name: 'an unknown member, at its name',
    text: 'steps:\n  - wait: 1\n  -\n    what: 2',
    error: 'plan.yaml:4: steps[1].what: is not known here; known are wait, who; did you mean wait?',
  },
  {
    name: 'a number out of bounds',
    text: 'steps:\n  - who: a\n    wait: 11',
    error: 'plan.yaml:3: steps[0].wait: must be a number from 0 to 10, not 11',
  },
  {
    name: 'none of several types, in one sentence',
    text: '{"steps": [\n{"who": 3}]}',
    error: 'plan.yaml:2: steps[0].who: must be a text or a list of texts, not 3',
  },
  { name: 'an empty text', text: '', error: 'plan.yaml:1: must be an object, not null' },
])('$name is told with its line', ({ text, error }) => {
  expect(() => readChecked(text, 'plan.yaml', shape)).toThrow(DocumentError);
  expect(() => readChecked(text, 'plan.yaml', shape)).toThrow(error);
});

test('every mistake is told', () => {
  const read = (): Plan => readChecked('seed: -1\nsteps:\n  - {wait: x}\n', 'f', shape);
  expect(read).toThrow(
    'f:1: seed: must be a whole number, at least 0, not -1\nf:3: steps[0].wait: must be a number from 0 to 10, not "x"',
  );
});

test('what is no YAML is told with its line', () => {
  expect(() => readDocuments('a: 1\nb: [', 'f.yaml')).toThrow(/^f\.yaml:2: /);
});

test('a file may hold several documents, each with its own lines', () => {
  const [first, second] = readDocuments('a: 1\n---\nb:\n  c: 2\n', 'f');
  expect(first?.value).toEqual({ a: 1 });
  expect(second?.lineOf(['b', 'c'])).toBe(4);
});
