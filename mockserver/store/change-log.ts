/** What a store tells about itself before it changes, for whoever keeps it. */
import { type Revision } from '../ground/revision.js';
import { type Change } from './change.js';
import { type StoreImage } from './store-image.js';

/** What throws here keeps the store from changing. */
export interface ChangeLog {
  append(change: Change): void;
  /** The store goes on from a later revision. */
  moved(to: Revision): void;
  /** Reads below the revision are refused from now on. */
  compacted(at: Revision): void;
  /** The content of an image stands in the place of everything, at a revision of its own or a later one. */
  replaced(image: StoreImage, at: Revision): void;
  /** Whether so much of it has passed that it is worth being replaced. @param live how many keys the store holds */
  isMostlyPast(live: number): boolean;
}
