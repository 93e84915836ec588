/** What the API answers, as the tests read it: loosely, because each test states what it expects of a member. */

export interface Metadata {
  readonly name: string;
  readonly namespace: string;
  readonly generateName: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation: number;
  readonly creationTimestamp: string;
  readonly deletionTimestamp: string | undefined;
  readonly deletionGracePeriodSeconds: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly finalizers: readonly string[];
  readonly managedFields: readonly {
    readonly manager: string;
    readonly operation: string;
    readonly fieldsV1: unknown;
  }[];
  readonly continue: string;
  readonly remainingItemCount: number;
}

export interface Cause {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

/** An object, a list, a Status or a document of discovery: whatever is asked for is read as if it were there. */
export interface Doc {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: Metadata;
  readonly data: Readonly<Record<string, string>>;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status: unknown;
  readonly items: readonly Doc[];
  readonly message: string;
  readonly reason: string;
  readonly code: number;
  readonly details: {
    readonly name: string;
    readonly group: string;
    readonly kind: string;
    readonly uid: string;
    readonly causes: readonly Cause[];
    readonly retryAfterSeconds: number;
  };
}

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: Doc;
}

export function readDoc(text: string): Doc {
  // A member that is not there reads as undefined, and the assertion that names it fails.
  return JSON.parse(text) as Doc;
}

/** `ADDED a`, `BOOKMARK`, `ERROR 410`: one word or two per event, for comparing whole streams. */
export function brief({ type, object }: WatchEvent): string {
  if (type === 'ERROR') return `${type} ${object.code}`;
  return type === 'BOOKMARK' ? type : `${type} ${object.metadata.name}`;
}

export const names = (list: Doc): readonly string[] => list.items.map(({ metadata }) => metadata.name);

export const versionOf = ({ metadata }: Doc): number => Number(metadata.resourceVersion);
