/** What becomes of requests, whatever they ask for. */
import { anything, milliseconds, needed, objectOf, oneOf, text, whole } from '../member.js';
import { effectsOf, STATUS_MEMBERS, statusWords, DELAY_MEMBERS, waitWords, WRITE } from './declaration.js';

const effect = effectsOf('request');

export const REQUEST_EFFECTS = {
  delay: effect({
    stage: 'request',
    atEvents: true,
    says: 'waits before the request is served; with an event matcher, before the event and what follows it',
    members: DELAY_MEMBERS,
    words: (given) => `waits ${waitWords(given)}`,
  }),
  'delay-answer': effect({
    stage: 'answer',
    atEvents: false,
    says: 'serves the request, a write is committed, and waits before it answers',
    members: DELAY_MEMBERS,
    words: (given) => `serves the request and waits ${waitWords(given)} before it answers`,
  }),
  status: effect({
    stage: 'request',
    atEvents: false,
    says: 'answers a Status in place of serving the request',
    members: STATUS_MEMBERS,
    words: (given) => `answers ${statusWords(given)}`,
  }),
  answer: effect({
    stage: 'request',
    atEvents: false,
    says: 'answers a body of its own',
    members: {
      code: whole('200 by default', 200, 599),
      body: needed(anything('a text as it is, anything else as JSON')),
      contentType: text('application/json by default, text/plain for a text'),
    },
    words: ({ code = 200 }) => `answers ${code} with a body of the rule's own`,
  }),
  reset: effect({
    stage: 'request',
    atEvents: true,
    says: 'resets the connection, in place of an answer or of an event',
    members: {},
  }),
  hang: effect({
    stage: 'request',
    atEvents: true,
    says: 'answers nothing and keeps the connection; of a watch, sends nothing any more',
    members: {},
  }),
  refuse: effect({
    stage: 'request',
    atEvents: false,
    says: 'resets the connection, and the server refuses every new one for a while',
    members: { forMs: milliseconds('how long; 1000 by default') },
    words: ({ forMs = 1000 }) => `resets the connection and refuses new ones for ${forMs} ms`,
  }),
  'lose-answer': effect({
    stage: 'answer',
    atEvents: false,
    says: 'serves the request, a write is committed, and loses the answer',
    members: {
      by: oneOf(['reset', 'hang', 'status'], 'what the client meets; reset by default'),
      status: objectOf(STATUS_MEMBERS, 'the Status, by `status`'),
    },
    words: ({ by = 'reset', status }) =>
      `commits and loses the answer (${by === 'status' && status !== undefined ? statusWords(status) : by})`,
  }),
  'lose-commit': effect({
    stage: 'request',
    atEvents: false,
    needs: WRITE,
    says: 'answers as if a write had been committed, and commits nothing',
    members: {},
  }),
  'cut-body': effect({
    stage: 'answer',
    atEvents: false,
    says: 'resets the connection in the midst of the body, compressed or not',
    members: { afterBytes: whole('of the body as sent; half of it by default', 0) },
    words: ({ afterBytes }) =>
      `resets the connection after ${afterBytes === undefined ? 'half of the body' : `${afterBytes} bytes of the body`}`,
  }),
  bandwidth: effect({
    stage: 'answer',
    atEvents: true,
    says: 'sends the body, or the events of a watch, so many bytes a second',
    members: { bytesPerSecond: needed(whole('how many', 1)) },
    words: ({ bytesPerSecond }) => `sends ${bytesPerSecond} bytes a second`,
  }),
};
