/** Differences that were found and mended stay mended: the real server's answers, replayed without it. */
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type MockServer, startMockServer } from '../../mockserver/index.js';
import { type Recording, replay } from './replay.mjs';

const FOLDER = fileURLToPath(new URL('../../fixtures/recorded/differential/', import.meta.url));

describe('a difference from a real server that was mended', () => {
  let server: MockServer;
  beforeAll(async () => {
    server = await startMockServer();
  });
  afterAll(async () => {
    await server.stop();
  });

  test.each(readdirSync(FOLDER).filter((name) => name.endsWith('.json')))('%s stays mended', async (name) => {
    // The form of these files is what `npm run differential -- --save` writes.
    const recording = JSON.parse(readFileSync(`${FOLDER}${name}`, 'utf8')) as Recording;
    expect(await replay(server, recording)).toEqual([]);
  });
});
