/** The states of one key, newest first. */
import { type Revision } from '../ground/revision.js';
import { StoredObject } from '../ground/stored-object.js';

/** A key's state from `revision` on, before it the `older` ones: a chain that is never changed, only put upon. */
export interface Version {
  readonly revision: Revision;
  /** undefined: deleted at that revision. */
  readonly object: StoredObject | undefined;
  readonly older: Versions | undefined;
}

/**
 * The versions of a key, newest first. A key whose object was written once since the last compaction, as most are,
 * is that object itself.
 */
export type Versions = StoredObject | Version;

/** The object now. */
export function latest(versions: Versions | undefined): StoredObject | undefined {
  return versions instanceof StoredObject ? versions : versions?.object;
}

/** The object after the commit of a revision. */
export function objectAt(versions: Versions, at: Revision): StoredObject | undefined {
  let version: Versions | undefined = versions;
  while (version !== undefined && version.revision > at) {
    version = version instanceof StoredObject ? undefined : version.older;
  }
  return latest(version);
}

/** What remains readable at `at` and above. Shape: undefined when nothing does; a new chain when anything goes. */
export function compacted(versions: Versions | undefined, at: Revision): Versions | undefined {
  if (versions === undefined || versions instanceof StoredObject) return versions;
  const newer: Version[] = [];
  let version: Versions | undefined = versions;
  while (version !== undefined && !(version instanceof StoredObject) && version.revision > at) {
    newer.push(version);
    version = version.older;
  }
  // `version` is what a read at `at` sees; a deletion there says the same as no version at all.
  let kept: Versions | undefined = latest(version);
  for (const { revision, object } of newer.reverse()) {
    kept = kept === undefined && object !== undefined ? object : { revision, object, older: kept };
  }
  return kept;
}

/** The versions up to a revision. Shape: undefined when there is none. */
export function upTo(versions: Versions, at: Revision): Versions | undefined {
  let version: Versions | undefined = versions;
  while (version !== undefined && version.revision > at) {
    version = version instanceof StoredObject ? undefined : version.older;
  }
  return version;
}
