/** The store that the records of a log lead to. */
import { NO_REVISION, type Revision } from '../ground/revision.js';
import { type Address } from './key.js';
import { type LogRecord } from './log-record.js';
import { MemoryStore } from './memory-store.js';
import { type StoreImage } from './store-image.js';

export interface LoggedState {
  readonly image: StoreImage;
  /** Of the cluster's clock, at the last record. */
  readonly timeMs: number;
  readonly kept: ReadonlyMap<string, string>;
}

/** History from the last time that the log was replaced is there as well, as far as it had not been compacted. */
export function replayed(records: readonly LogRecord[]): LoggedState {
  const store = new MemoryStore();
  const kept = new Map<string, string>();
  let timeMs = 0;
  for (const record of records) {
    if ('timeMs' in record) timeMs = Math.max(timeMs, record.timeMs);
    switch (record.kind) {
      case 'put':
      case 'delete':
        moveTo(store, (record.revision - 1) as Revision); // of a change, so not the first one
        replay(store, record);
        break;
      case 'stand':
        moveTo(store, record.revision);
        if (record.compacted > store.compactedRevision) store.compact(record.compacted);
        break;
      case 'keep':
        kept.set(record.name, record.text);
        break;
      case 'begin':
        break;
    }
  }
  return { image: store.image(), timeMs, kept };
}

const moveTo = (store: MemoryStore, at: Revision): void => store.skip(at - store.revision);

function replay(store: MemoryStore, record: Extract<LogRecord, { readonly kind: 'put' | 'delete' }>): void {
  // Nobody subscribes to this store.
  const address: Address = { prefix: '', key: record.key };
  const before = store.get(record.key)?.revision ?? NO_REVISION;
  if (record.kind === 'delete') store.delete(address, before);
  else if (before === NO_REVISION) store.create(address, () => record.object);
  else store.update(address, before, () => record.object);
}
