/** What becomes of watches and their events. */
import { milliseconds, needed, oneOf, whole } from '../member.js';
import { effectsOf, STATUS_MEMBERS, statusWords, forWords, WATCH } from './declaration.js';

const effect = effectsOf('watch');

export const WATCH_EFFECTS = {
  stall: effect({
    stage: 'open',
    atEvents: true,
    needs: WATCH,
    says: 'takes nothing for the client, as one that stops reading: the watch falls behind',
    members: { forMs: milliseconds('how long; until the rule is removed by default') },
    words: ({ forMs }) => `stalls the watch ${forWords(forMs, 'until the rule is removed')}`,
  }),
  drip: effect({
    stage: 'open',
    atEvents: true,
    needs: WATCH,
    says: 'stalls the watch and lets a few events out now and then',
    members: {
      events: whole('how many at a time; 1 by default', 1),
      everyMs: needed(milliseconds('how often')),
    },
    words: ({ events = 1, everyMs }) => `stalls the watch and lets ${events} out every ${everyMs} ms`,
  }),
  end: effect({
    stage: 'open',
    atEvents: true,
    needs: WATCH,
    says: 'ends the stream in good order, at once or in place of the event',
    members: {},
  }),
  timeout: effect({
    stage: 'open',
    atEvents: false,
    needs: WATCH,
    says: 'ends the watch as its timeout does, after so long',
    members: { ms: needed(milliseconds('how long')) },
    words: ({ ms }) => `ends the watch after ${ms} ms`,
  }),
  error: effect({
    stage: 'open',
    atEvents: true,
    needs: WATCH,
    says: 'sends an ERROR event with a Status, then ends the stream, at once or in place of the event',
    members: STATUS_MEMBERS,
    words: (given) => `sends an ERROR event ${statusWords(given)} and ends the stream`,
  }),
  drop: effect({
    stage: 'event',
    atEvents: true,
    needs: WATCH,
    says: 'leaves the event out',
    members: {},
  }),
  duplicate: effect({
    stage: 'event',
    atEvents: true,
    needs: WATCH,
    says: 'sends the event twice',
    members: {},
  }),
  reorder: effect({
    stage: 'event',
    atEvents: true,
    needs: WATCH,
    says: 'sends the event behind later ones',
    members: { behind: whole('how many later ones; 1 by default', 1) },
    words: ({ behind = 1 }) => `sends the event behind the next ${behind}`,
  }),
  'shift-version': effect({
    stage: 'event',
    atEvents: true,
    needs: WATCH,
    says: 'gives a bookmark, or the marker, an older or a later version',
    members: {
      by: needed(whole('added to its revision; negative: an older one', -1_000_000_000, 1_000_000_000)),
    },
    words: ({ by }) => `names a version that differs by ${by}`,
  }),
  split: effect({
    stage: 'event',
    atEvents: true,
    needs: WATCH,
    says: 'cuts the frame into chunks',
    members: {
      size: whole('bytes of a chunk; 1 by default', 1),
      at: oneOf(
        ['characters', 'escapes', 'random'],
        'cut inside every character of several bytes, or every escape, alone; random: chunks of that size in the mean, by chance',
      ),
      pauseMs: milliseconds('between two chunks; none by default'),
    },
    words: ({ size = 1, at }) => {
      if (at === 'characters' || at === 'escapes') return `cuts the frame inside its ${at}`;
      return `sends chunks of ${size} bytes${at === 'random' ? ' in the mean, by chance' : ''}`;
    },
  }),
  join: effect({
    stage: 'event',
    atEvents: true,
    needs: WATCH,
    says: 'sends several frames in one chunk',
    members: {
      frames: needed(whole('how many', 2)),
      withinMs: milliseconds('how long to wait for them; 1000 by default'),
    },
    words: ({ frames }) => `sends ${frames} frames in one chunk`,
  }),
  'late-newline': effect({
    stage: 'event',
    atEvents: true,
    needs: WATCH,
    says: 'sends the frame without its newline, and that later',
    members: { ms: needed(milliseconds('how much later')) },
    words: ({ ms }) => `sends the newline of the frame ${ms} ms later`,
  }),
  'no-newline': effect({
    stage: 'event',
    atEvents: true,
    needs: WATCH,
    says: 'sends the frame without its newline, then ends the stream',
    members: {},
  }),
  'half-frame': effect({
    stage: 'event',
    atEvents: true,
    needs: WATCH,
    says: 'sends half of the frame, then ends the stream',
    members: {},
  }),
};
