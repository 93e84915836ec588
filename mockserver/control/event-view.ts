/** Watch events as rules and the journal see them. */
import { nameOf, namespaceOf } from '../ground/object.js';
import { toResourceVersion } from '../ground/revision.js';
import { type EventView } from '../faults/matcher.js';
import { type SentEvent } from '../observe/held-entry.js';
import { type WatchEvent } from '../watch/watch-event.js';

/** @param phase of the watch before the event. Shape: a change of an object is live whatever came before. */
export function eventView(event: WatchEvent, phase: EventView['phase'], namespace: string): EventView {
  switch (event.kind) {
    case 'object':
      return {
        type: event.type,
        phase: 'live',
        namespace: namespaceOf(event.object.object),
        name: nameOf(event.object.object),
        revision: event.revision,
      };
    case 'initial':
      return {
        type: 'ADDED',
        phase: 'initial',
        namespace: namespaceOf(event.object.object),
        name: nameOf(event.object.object),
        revision: event.object.revision,
      };
    case 'bookmark':
      return event.initialEventsEnd
        ? { type: 'MARKER', phase: 'initial', namespace, name: '', revision: event.revision }
        : { type: 'BOOKMARK', phase, namespace, name: '', revision: event.revision };
    case 'error':
      return { type: 'ERROR', phase, namespace, name: '', revision: 0 };
  }
}

/** Shape: `''` for an ERROR. */
export function resourceVersionOfEvent(event: WatchEvent): string {
  switch (event.kind) {
    case 'object':
    case 'bookmark':
      return toResourceVersion(event.revision);
    case 'initial':
      return toResourceVersion(event.object.revision);
    case 'error':
      return '';
  }
}

/** What is known of an event, apart from the watch that it is sent to. */
export interface EventNote {
  readonly view: EventView;
  /** For the journal, which keeps it. */
  readonly sent: SentEvent;
}

/** The note of the change that was sent last: it goes to many watches one after the other. */
export class LastNote {
  #event: WatchEvent | undefined;
  #note: EventNote | undefined;

  of(event: WatchEvent, phase: EventView['phase'], namespace: string): EventNote {
    if (this.#note !== undefined && this.#event === event) return this.#note;
    const view = eventView(event, phase, namespace);
    const { type, name } = view;
    const resourceVersion = resourceVersionOfEvent(event);
    const note = { view, sent: { type, namespace: view.namespace, name, resourceVersion } };
    // Only changes are the same for every watch.
    if (event.kind !== 'object') return note;
    this.#event = event;
    this.#note = note;
    return note;
  }
}
