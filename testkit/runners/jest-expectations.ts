/** The journal's matchers as jest's types know them: with @types/jest, `expect(await cluster.journal())` has them. */
import { type JournalExpectations } from '../../mockserver/observe/journal-matchers.js';

declare global {
  namespace jest {
    interface Matchers<R, T> extends JournalExpectations<R> {}
  }
}
