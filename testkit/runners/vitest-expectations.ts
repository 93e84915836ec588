/** The journal's matchers as vitest's types know them: `expect(await cluster.journal())` has them. */
import { type JournalExpectations } from '../../mockserver/observe/journal-matchers.js';

declare module 'vitest' {
  interface Matchers<T> extends JournalExpectations<T> {}
}
