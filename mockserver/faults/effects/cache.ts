/** What becomes of watch caches, and of what is read from them. */
import { milliseconds, needed, text, whole } from '../member.js';
import { effectsOf, forWords, READ } from './declaration.js';

const effect = effectsOf('cache');

export const CACHE_EFFECTS = {
  'too-large-version': effect({
    stage: 'request',
    atEvents: false,
    needs: READ,
    says: 'answers 504 "Too large resource version", a watch-list by an ERROR event',
    members: {},
  }),
  lag: effect({
    stage: 'request',
    atEvents: false,
    needs: READ,
    says: 'the cache of the resource hears of commits late, until the rule is removed',
    members: {
      ms: milliseconds('by how much'),
      revisions: whole('or by how many commits', 1),
    },
    words: ({ ms, revisions }) =>
      `the cache of the resource falls ${revisions === undefined ? `${ms ?? 0} ms` : `${revisions} commits`} behind the store`,
  }),
  freeze: effect({
    stage: 'request',
    atEvents: false,
    needs: READ,
    says: 'the cache of the resource hears of no commit',
    members: { forMs: milliseconds('how long; until the rule is removed by default') },
    words: ({ forMs }) =>
      `the cache of the resource stands still ${forWords(forMs, 'until the rule is removed')}`,
  }),
  'time-travel': effect({
    stage: 'request',
    atEvents: false,
    needs: READ,
    says: 'the request is served as by a replica that stopped at an older revision',
    members: {
      back: whole('how many revisions before the first request; 1 by default', 1),
      revision: whole('or which one', 1),
    },
    words: ({ back = 1, revision }) =>
      `reads what was there ${revision === undefined ? `${back} revisions before` : `at revision ${revision}`}`,
  }),
  replica: effect({
    stage: 'request',
    atEvents: false,
    needs: READ,
    says: 'the request is served by a replica of that name, with caches of its own',
    members: { name: needed(text('the name; see server.replicas')) },
    words: ({ name }) => `is served by the replica ${name}`,
  }),
  reinitialize: effect({
    stage: 'request',
    atEvents: false,
    needs: READ,
    says: 'the cache of the resource is built anew: its watches end, and reads of it are answered 429 meanwhile',
    members: { forMs: milliseconds('how long; 1000 by default') },
    words: ({ forMs = 1000 }) => `builds the cache of the resource anew, for ${forMs} ms`,
  }),
};
