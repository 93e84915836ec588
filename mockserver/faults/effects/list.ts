/** What becomes of lists. */
import { type Match } from '../match.js';
import { needed, whole } from '../member.js';
import { effectsOf } from './declaration.js';

const effect = effectsOf('list');

const CONTINUED: Match = { verb: 'list', continued: true };

export const LIST_EFFECTS = {
  'expire-continue': effect({
    stage: 'request',
    atEvents: false,
    needs: CONTINUED,
    says: 'answers 410, with a token for the rest, as for a continue token whose revision is compacted',
    members: {},
  }),
  'inconsistent-continue': effect({
    stage: 'request',
    atEvents: false,
    needs: CONTINUED,
    says: 'goes on with a list at the state of now, not at that of its first page',
    members: {},
  }),
  'page-size': effect({
    stage: 'request',
    atEvents: false,
    needs: { verb: 'list' },
    says: 'answers lists in pages of that size, whatever limit and version they ask for',
    members: { limit: needed(whole('objects in a page', 1)) },
    words: ({ limit }) => `answers in pages of ${limit}`,
  }),
};
