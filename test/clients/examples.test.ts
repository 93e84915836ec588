/** The examples do what they say. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('the informer example sees an object come, change and go', () => {
  const text = execFileSync(process.execPath, ['examples/informer.mjs'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect(text).toBe('added settings\nupdated 2\ndeleted settings\n');
}, 90_000);
