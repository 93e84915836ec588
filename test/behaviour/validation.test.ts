/** What is wrong with built-in kinds is said as recorded from a real server: reason, field, message, order. */
import { readFileSync } from 'node:fs';
import { type Answer } from './connection.js';
import { ownTest, useTarget } from './target.js';

type Sent = readonly [method: string, path: string, body?: unknown, type?: string];
type Cause = readonly [reason: string, field: string, message: string];

interface Case {
  readonly id: string;
  readonly kind: string;
  readonly given?: readonly Sent[];
  readonly request: Sent;
  readonly status: number;
  readonly message?: string;
  readonly causes?: readonly Cause[];
  readonly unordered?: true;
  readonly warnings?: readonly string[];
}

const cases = JSON.parse(
  readFileSync(new URL('../../fixtures/recorded/validation/writes.json', import.meta.url), 'utf8').replace(
    /<repeat:(.):(\d+)>/g,
    (_, character: string, count: string) => character.repeat(Number(count)),
  ),
  // The recording says what it holds.
) as readonly Case[];
const kinds = [...new Set(cases.map(({ kind }) => kind))];

const target = useTarget('valid');
const GENERATED = /\bBad_[a-z0-9]{5}\b/g;
const UID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const shown = (text: string): string =>
  (text.split('\n')[0] ?? '').replace(UID, '<uuid>').replace(GENERATED, 'Bad_<name>');
const ask = ([method, path, body, type]: Sent): Promise<Answer> =>
  target.send(method, path, {
    ...(body === undefined ? {} : { body }),
    ...(type === undefined ? {} : { type }),
  });

function warningsOf(answer: Answer): readonly string[] {
  const texts = [...(answer.headers['warning'] ?? '').matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)];
  return texts.map(([, text = '']) => text.replace(/\\(.)/g, '$1'));
}

/** The answer in the form of the recording. */
function outcome(answer: Answer, { id, unordered, message, causes }: Case): object {
  const found =
    causes === undefined || answer.status < 400
      ? []
      : answer.doc.details.causes.map((cause) => [cause.reason, cause.field, shown(cause.message)]);
  return {
    id,
    status: answer.status,
    ...(causes === undefined ? {} : { causes: unordered === true ? sorted(found) : found }),
    ...(message === undefined ? {} : { message: shown(answer.doc.message) }),
    warnings: warningsOf(answer),
  };
}

const sorted = (causes: readonly unknown[]): readonly unknown[] =>
  [...causes].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

ownTest.each(kinds)('%s is refused and accepted as by a real server', async (kind) => {
  for (const one of cases.filter((each) => each.kind === kind)) {
    for (const given of one.given ?? []) await ask(given);
    const { id, status, message, causes, unordered, warnings = [] } = one;
    expect(outcome(await ask(one.request), one)).toEqual({
      id,
      status,
      ...(causes === undefined ? {} : { causes: unordered === true ? sorted(causes) : causes }),
      ...(message === undefined ? {} : { message: shown(message) }),
      warnings,
    });
  }
});
