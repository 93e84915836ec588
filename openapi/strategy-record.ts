/** What the server was seen to do with the objects of one built-in kind, apart from validation. */
import { type JsonObject } from '../mockserver/ground/json.js';

export type Fate = 'kept' | 'written' | 'unchanged';

/** What an update through `/status` writes of each part. */
export interface StatusUpdateRecord {
  readonly status: Fate;
  readonly labels: Fate;
  readonly annotations: Fate;
  readonly finalizers: Fate;
  readonly ownerReferences: Fate;
  readonly generation: Fate;
  readonly spec: Fate;
}

export interface DeleteRecord {
  readonly code: number;
  /** `Status`, or the kind of the object that is answered. */
  readonly answer: string;
  /** Form of the Status, with example names. */
  readonly status?: JsonObject;
  /** What the answered object shows. */
  readonly metadata?: {
    readonly deletionTimestamp?: 'set' | 'not set';
    readonly deletionGracePeriodSeconds?: number;
  };
  /** A whole `Warning` header value. */
  readonly warning?: string;
  /** The answer while a finalizer holds the object. */
  readonly withFinalizer?: {
    readonly code: number;
    readonly answer: string;
    readonly gracePeriodSeconds: number | 'not set';
    /** Those that stand afterwards: `orphan` where the default policy of the kind adds it. */
    readonly finalizers: readonly string[];
    readonly generation: 'grows' | 'kept';
  };
}

/** A field that an update may not change. */
export interface UpdateRule {
  readonly field: string;
  readonly rule: string;
  readonly messages: readonly string[];
  readonly examples: readonly string[];
}

export interface StrategyRecord {
  /** `v1/Pod`, `apps/v1/Deployment`. */
  readonly gvk: string;
  readonly smallest: string;
  readonly onCreate: {
    /** What a create that sends 7 answers: 1 = the strategy sets it, 7 = kept as sent (absent when absent). */
    readonly generation: 1 | 7;
    /** What becomes of a status sent with a create; absent for kinds without one. */
    readonly status?: 'reset' | 'kept';
  };
  /** Whether a PUT of what GET answered writes: right after the create, and again. */
  readonly noOp: { readonly first: string; readonly second: string };
  /** Whether metadata.generation grows when only this part changes. */
  readonly generation: {
    readonly onLabels: 'kept' | 'grows';
    readonly onAnnotations: 'kept' | 'grows';
    readonly onSpec: string;
  };
  /** What becomes of a status sent to the main resource; absent without a status subresource. */
  readonly statusInUpdate?: 'ignored' | 'written';
  /** A text is the error that stood in the way of observing it. */
  readonly statusUpdate?: StatusUpdateRecord | string;
  readonly allowsUnconditionalUpdate: boolean;
  readonly allowsCreateOnUpdate: boolean;
  readonly staleUpdate: string;
  readonly delete: DeleteRecord;
  /** Kind of the answer, or code and reason where it is not served. */
  readonly deleteCollection: string;
  /** Fields that a fieldSelector may name. */
  readonly fieldSelectors: readonly string[];
  /** Code and message for another field (`spec.nothing`). */
  readonly fieldSelectorRefused: string;
  readonly update?: readonly UpdateRule[];
}
