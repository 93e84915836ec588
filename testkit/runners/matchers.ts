/** `kube-mockserver/matchers`: expectations on a journal, for `expect.extend`, and the parts of a journal. */
export { journalMatchers } from '../../mockserver/observe/journal-matchers.js';
export { JournalView } from '../../mockserver/observe/journal-view.js';
