/** What becomes of the store. */
import { needed, oneOf, whole } from '../member.js';
import { effectsOf, WRITE } from './declaration.js';

const effect = effectsOf('store');

/** What an older server said of its trouble with etcd. Source: etcd api/v3rpc/rpctypes/error.go. */
export const COMMIT_ERRORS = {
  'request timed out': 'etcdserver: request timed out',
  'leader changed': 'etcdserver: leader changed',
  'no leader': 'etcdserver: no leader',
} as const;

// as: the keys of the object above
const COMMIT_ERROR_NAMES = Object.keys(COMMIT_ERRORS) as (keyof typeof COMMIT_ERRORS)[];

export const STORE_EFFECTS = {
  compact: effect({
    stage: 'request',
    atEvents: false,
    says: 'drops history before the request is served',
    members: { revision: whole('up to which revision; to that of now by default', 1) },
    words: ({ revision }) =>
      `compacts history ${revision === undefined ? 'to now' : `to revision ${revision}`}`,
  }),
  'fail-commit': effect({
    stage: 'request',
    atEvents: false,
    needs: WRITE,
    says: 'a write passes every check, then its commit fails with an error of etcd (500); nothing is stored',
    members: {
      error: oneOf(COMMIT_ERROR_NAMES, 'which; request timed out by default'),
    },
    words: ({ error = 'request timed out' }) => `fails the commit: ${COMMIT_ERRORS[error]}`,
  }),
  conflict: effect({
    stage: 'request',
    atEvents: false,
    needs: { verb: ['update', 'patch', 'delete'] },
    says: 'a write of an object meets somebody who wrote it first',
    members: {
      by: oneOf(
        ['answer', 'write'],
        'answer: 409, whatever the client sent (default); write: the object really gets a new revision first',
      ),
    },
    words: ({ by = 'answer' }) =>
      by === 'answer' ? 'answers 409 Conflict' : 'writes the object first, so that its version has moved',
  }),
  'revision-gap': effect({
    stage: 'request',
    atEvents: false,
    says: 'leaves revisions out before the request is served, as if other resources had been written',
    members: { by: needed(whole('how many', 1)) },
    words: ({ by }) => `leaves ${by} revisions out`,
  }),
  restore: effect({
    stage: 'request',
    atEvents: false,
    says: 'restores the store as it was, as from a backup: revisions go back, watches end, caches are built anew',
    members: {
      back: whole('how many revisions; 1 by default', 1),
      revision: whole('or to which one', 1),
    },
    words: ({ back = 1, revision }) =>
      `restores the store ${revision === undefined ? `${back} revisions back` : `to revision ${revision}`}`,
  }),
};
