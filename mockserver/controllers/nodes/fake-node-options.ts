/** What the fake node can be told, as programs, files and requests say it. */
import { readChecked } from '../../ground/checked-document.js';
import { type JsonSchema, pathText, ValueShape } from '../../ground/value-shape.js';
import { POD_STAGES, type PodRule } from './pod-stages.js';

export interface FakeNodeOptions {
  /** @default fake-node */
  readonly name?: string;
  /** Which stages which pods go through. @default scheduled, running and ready at once; pods that are not to be restarted succeed after a second */
  readonly rules?: readonly PodRule[];
  /** How long a pod takes to end once it is told to; its grace bounds it. @default 0 */
  readonly endAfterMs?: number;
}

const MILLISECONDS: JsonSchema = { type: 'number', minimum: 0 };

const RULE: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['stages'],
  properties: {
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    stages: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['stage'],
        properties: { stage: { type: 'string', enum: POD_STAGES }, afterMs: MILLISECONDS },
      },
    },
  },
};

const RULES = new ValueShape<readonly PodRule[]>({ type: 'array', items: RULE });
const OPTIONS = new ValueShape<FakeNodeOptions>({
  type: 'object',
  additionalProperties: false,
  properties: { name: { type: 'string' }, rules: { type: 'array', items: RULE }, endAfterMs: MILLISECONDS },
});

/** Errors: RangeError with every mistake. */
export const fakeNodeOptionsOf = (value: unknown): FakeNodeOptions => checked(value, OPTIONS, 'fakeNode');

/** Errors: RangeError with every mistake. */
export const podRulesOf = (value: unknown): readonly PodRule[] => checked(value, RULES, 'rules');

/** In YAML or JSON. Errors: DocumentError that names file and line. */
export const readFakeNodeOptions = (text: string, file: string): FakeNodeOptions =>
  readChecked(text, file, OPTIONS);

function checked<T>(value: unknown, shape: ValueShape<T>, root: string): T {
  if (shape.fits(value)) return value;
  const mistakes = shape.mistakes(value);
  throw new RangeError(mistakes.map(({ at, what }) => `${pathText(root, at)}: ${what}`).join('\n'));
}
