/** Watches as tables: each event becomes a table of one row. */
import { jsonObject, type JsonValue, stringMember } from '../../ground/json.js';
import { type Revision, toResourceVersion } from '../../ground/revision.js';
import { StoredObject } from '../../ground/stored-object.js';
import { type Codec } from '../../schema/codec.js';
import { type WatchEvent } from '../../watch/watch-event.js';
import { type Table, type TableView, metadataOf, tableOf } from './table.js';

/** One event, apart from the format that it is written in. */
export type TableFrame =
  | {
      readonly kind: 'table';
      readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
      readonly table: Table;
    }
  /** The Status stays as it is. */
  | { readonly kind: 'error'; readonly type: 'ERROR'; readonly status: JsonValue };

export interface TableWatch {
  readonly view: TableView;
  /** Of the version that is watched: what a bookmark shows. */
  readonly codec: Codec;
  /** Of the stored version: what the cells of a bookmark are read from. */
  readonly storedCodec: Codec;
  /** A stored object in the version that is watched. */
  readonly present: (stored: StoredObject) => StoredObject;
}

/** The frames of one watch, in order: the first one has the columns, the others have null in their place. */
export class TableFrames {
  readonly #watch: TableWatch;
  #headed = false;

  constructor(watch: TableWatch) {
    this.#watch = watch;
  }

  /** @param now milliseconds since 1970: ages are counted to it. */
  next(event: WatchEvent, now: number): TableFrame {
    const { present } = this.#watch;
    switch (event.kind) {
      case 'object':
        return { kind: 'table', type: event.type, table: this.#table(present(event.object), now) };
      case 'initial':
        return { kind: 'table', type: 'ADDED', table: this.#table(present(event.object), now) };
      case 'bookmark':
        return { kind: 'table', type: 'BOOKMARK', table: this.#bookmark(event, now) };
      case 'error':
        return { kind: 'error', type: 'ERROR', status: jsonObject(event.status) };
    }
  }

  #table(object: StoredObject, now: number): Table {
    const withDefinitions = !this.#headed;
    this.#headed = true;
    const resourceVersion = stringMember(object.object.metadata, 'resourceVersion');
    return tableOf(this.#watch.view, {
      objects: [object],
      list: false,
      metadata: resourceVersion === undefined ? {} : { resourceVersion },
      now,
      withDefinitions,
    });
  }

  /** The row with the mark that ends the initial events has an object in any case. */
  #bookmark(
    { revision, initialEventsEnd }: { revision: Revision; initialEventsEnd: boolean },
    now: number,
  ): Table {
    const { view, codec, storedCodec } = this.#watch;
    const metadata = {
      resourceVersion: toResourceVersion(revision),
      ...(initialEventsEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
    };
    const stored = new StoredObject('', revision, storedCodec.empty(metadata));
    const shown = new StoredObject('', revision, codec.empty(metadata), false, stored);
    const table = this.#table(shown, now);
    const [row] = table.rows ?? [];
    if (!initialEventsEnd || row?.object !== null) return table;
    return { ...table, rows: [{ ...row, object: metadataOf(view, shown) }] };
  }
}
