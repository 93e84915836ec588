/** What becomes of the server as a whole. */
import { flag, milliseconds, needed, oneOf, text } from '../member.js';
import { effectsOf } from './declaration.js';

const effect = effectsOf('server');

export const SERVER_EFFECTS = {
  restart: effect({
    stage: 'request',
    atEvents: false,
    says: 'stops the server and starts it again: connections are reset and refused meanwhile',
    members: {
      forMs: milliseconds('how long; 1000 by default'),
      keepHistory: flag('whether watches can be resumed; by default caches begin anew'),
    },
    words: ({ forMs = 1000, keepHistory = false }) =>
      `stops the server for ${forMs} ms and starts it with ${keepHistory ? 'its' : 'no'} history`,
  }),
  unhealthy: effect({
    stage: 'request',
    atEvents: false,
    needs: { url: ['/healthz*', '/livez*', '/readyz*'] },
    says: 'health endpoints answer 500, as when a check fails',
    members: { check: text('which; etcd by default') },
    words: ({ check = 'etcd' }) => `fails the health check ${check}`,
  }),
  emulate: effect({
    stage: 'request',
    atEvents: false,
    needs: { verb: 'watch', watchList: true },
    says: 'treats watch-lists as an older server does',
    members: {
      version: needed(
        oneOf(
          ['1.33', 'pre-1.27'],
          '1.33: refused with 422, the feature is off; pre-1.27: the parameter is ignored',
        ),
      ),
    },
    words: ({ version }) =>
      version === '1.33' ? 'refuses watch-lists with 422' : 'ignores that initial events are asked for',
  }),
};
