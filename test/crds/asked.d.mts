/** Types of asked.mjs for the tests. */
export interface Fixtures {
  readonly definitions: readonly { readonly metadata: { readonly name: string } }[];
  readonly objects: readonly object[];
}

export interface Reply {
  readonly status: number;
  readonly doc: object;
}

export type Send = (method: string, path: string, body?: unknown, type?: string) => Promise<Reply>;

export interface Asked {
  readonly what: string;
  readonly answer: object;
}

export function fixtures(folder: string): Fixtures;
export function answersOf(send: Send, fixtures: Fixtures, namespace: string): Promise<readonly Asked[]>;
export function removeAll(send: Send, fixtures: Fixtures): Promise<void>;
