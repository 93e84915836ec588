/** Ten well-known definitions are served as a real server served them when it was asked the same (`npm run crds`). */
import { readFileSync } from 'node:fs';
import { startMockServer } from '../../mockserver/facade/mock-server.js';
import { type Asked, answersOf, fixtures, type Send } from '../crds/asked.mjs';
import { send } from './connection.js';

// The shape is that of the file, which the script wrote.
const { answers } = JSON.parse(readFileSync('fixtures/recorded/crds.json', 'utf8')) as { answers: Asked[] };
let ours: readonly Asked[] = [];

beforeAll(async () => {
  const server = await startMockServer();
  try {
    const ask: Send = async (method, path, body, type) => {
      const parts = { ...(body === undefined ? {} : { body }), ...(type === undefined ? {} : { type }) };
      const { status, text } = await send({ url: server.url, token: '' }, method, path, parts);
      // Answers are objects, or no JSON.
      return { status, doc: text.startsWith('{') ? (JSON.parse(text) as object) : {} };
    };
    ours = await answersOf(ask, fixtures('fixtures/crds'), 'default');
  } finally {
    await server.stop();
  }
}, 60_000);

test.each(answers)('$what', ({ what, answer }) => {
  expect(ours.find((one) => one.what === what)?.answer).toEqual(answer);
});
