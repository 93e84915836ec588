/** A watcher as the source of encoded frames. */
import { type JsonObject } from '../ground/json.js';
import { toResourceVersion } from '../ground/revision.js';
import { type StoredObject } from '../ground/stored-object.js';
import { type WatchEvent } from '../watch/watch-event.js';
import { type Watcher } from '../watch/watcher.js';
import { type EventFrame, type WatchSource } from './answer.js';
import { statusValue } from './error-response.js';
import { type Format } from './format.js';
import { NO_WATCH_COUNTS, type WatchCounts } from './http-counts.js';

/** What a watch's objects look like to its client. */
export type EventForm = SharedForm | OwnForm | ImpossibleForm;

/** Events are encoded once for all watchers of the form. */
export interface SharedForm {
  readonly kind: 'shared';
  /** Names the form and the version: events of one name share their frames. */
  readonly name: string;
  /** The object as the client sees it. */
  readonly present: (object: StoredObject) => StoredObject;
  /** Whether some objects cannot be shown; their events are left out. */
  readonly canShow?: (object: StoredObject) => boolean;
  /** The object that a bookmark shows. */
  readonly empty: (metadata: JsonObject) => JsonObject;
}

/** Frames depend on the watch: on the time, and on which one comes first. */
export interface OwnForm {
  readonly kind: 'own';
  readonly frame: (event: WatchEvent) => Buffer;
}

/** A form that no event can take: the stream opens, and ends without a word at the first event. */
export interface ImpossibleForm {
  readonly kind: 'impossible';
}

const INITIAL_EVENTS_END = { 'k8s.io/initial-events-end': 'true' } as const;

/**
 * Shape: each frame is one event in the format that is asked for. Frames of shared events are made once per form and
 * format.
 * Source: apiserver endpoints/handlers/watch.go.
 */
export function eventSource(
  watcher: Watcher,
  form: EventForm,
  counts: WatchCounts = NO_WATCH_COUNTS,
): WatchSource {
  return {
    take(max) {
      const frames: EventFrame[] = [];
      while (frames.length < max) {
        const event = watcher.take();
        if (event === undefined) break;
        if (form.kind === 'impossible') {
          watcher.close('error');
          break;
        }
        if (isShown(event, form)) frames.push(frameFor(event, form, counts));
      }
      return frames;
    },
    onReady: (callback) => watcher.onReady(callback),
    get ended() {
      return watcher.ended;
    },
    close: () => {
      counts.closed();
      watcher.close('client');
    },
  };
}

/** Whether the client is sent the event at all. */
export const isShown = (event: WatchEvent, form: SharedForm | OwnForm): boolean =>
  form.kind === 'own' ||
  form.canShow === undefined ||
  (event.kind !== 'object' && event.kind !== 'initial') ||
  form.canShow(event.object);

/** One event as a frame. */
export const frameFor = (event: WatchEvent, form: SharedForm | OwnForm, counts: WatchCounts): EventFrame =>
  counted(
    event,
    counts,
    form.kind === 'own' ? ownFrame(form, event, counts) : sharedFrame(event, form, counts),
  );

/** Counted when its bytes are asked for, which is once, when they are written. */
function counted(event: WatchEvent, counts: WatchCounts, frame: EventFrame): EventFrame {
  return {
    bytes: (format) => {
      const bytes = frame.bytes(format);
      counts.sent(bytes.length);
      if (event.kind === 'bookmark' && event.initialEventsEnd) counts.initialEventsEnd();
      return bytes;
    },
  };
}

function ownFrame(form: OwnForm, event: WatchEvent, counts: WatchCounts): EventFrame {
  // Made now: what it looks like depends on which events came before.
  const bytes = form.frame(event);
  counts.encoded();
  return { bytes: () => bytes };
}

const sharedFrame = (event: WatchEvent, form: SharedForm, counts: WatchCounts): EventFrame => ({
  bytes: (format) => frameOf(event, form, format, counts),
});

function frameOf(event: WatchEvent, form: SharedForm, format: Format, counts: WatchCounts): Buffer {
  const { name, frames } = format;
  if (frames === undefined) throw new Error(`watches cannot be written as ${name}`);
  switch (event.kind) {
    case 'object':
      return event.frame(`${name} ${form.name}`, ({ type, object }) => {
        counts.encoded();
        return frames.object(type, form.present(object));
      });
    case 'initial':
      counts.encoded();
      return frames.object('ADDED', form.present(event.object));
    case 'bookmark':
      return frames.value(
        'BOOKMARK',
        form.empty({
          resourceVersion: toResourceVersion(event.revision),
          ...(event.initialEventsEnd ? { annotations: INITIAL_EVENTS_END } : {}),
        }),
      );
    case 'error':
      return frames.value('ERROR', statusValue(event.status));
  }
}
