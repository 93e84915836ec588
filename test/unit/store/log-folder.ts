/** A folder of a test file's own, for logs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** To be called once, outside of tests. Shape: `file` names one that is not there yet. */
export function useFolder(): { readonly file: () => string } {
  const folder = mkdtempSync(join(tmpdir(), 'kube-mockserver-log-'));
  let named = 0;
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return { file: () => join(folder, `${++named}.log`) };
}
