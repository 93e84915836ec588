/** Log lines as people write them, in files and in requests: checked, each mistake with its place. */
import { readChecked } from '../ground/checked-document.js';
import { type JsonSchema, pathText, ValueShape } from '../ground/value-shape.js';
import { type LogEntry } from '../registry/log-book.js';

const TEXT: JsonSchema = { type: 'string' };

const ENTRY: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['lines'],
  properties: {
    namespace: TEXT,
    pod: TEXT,
    labels: { type: 'object', additionalProperties: TEXT },
    container: TEXT,
    previous: { type: 'boolean' },
    lines: {
      title: 'a text, or a list of texts and of objects with time and text',
      anyOf: [
        TEXT,
        {
          type: 'array',
          items: {
            anyOf: [
              TEXT,
              {
                type: 'object',
                additionalProperties: false,
                required: ['time', 'text'],
                properties: { time: TEXT, text: TEXT },
              },
            ],
          },
        },
      ],
    },
  },
};

const ENTRIES = new ValueShape<LogEntry[]>({ type: 'array', items: ENTRY });

/** Errors: RangeError with every mistake. */
export function logEntriesOf(value: unknown): readonly LogEntry[] {
  if (ENTRIES.fits(value)) return value;
  throw new RangeError(
    ENTRIES.mistakes(value)
      .map(({ at, what }) => `${pathText('logs', at)}: ${what}`)
      .join('\n'),
  );
}

/** A list of entries, in YAML or JSON. Errors: DocumentError that names file and line. */
export const readLogEntries = (text: string, file: string): readonly LogEntry[] =>
  readChecked(text, file, ENTRIES);
