/** Types of replay.mjs for the tests. */
export interface Place {
  readonly url: string;
}

export interface Recording {
  readonly source: string;
  readonly difference: string;
  /** RFC 3339. */
  readonly recorded: string;
  readonly prefix: string;
  readonly steps: readonly object[];
  readonly answers: readonly object[];
}

export interface Found {
  readonly signature: string;
  /** Of the least scenario that shows it; absent when it was not shrunk. */
  readonly steps?: readonly object[];
}

export type Plant = 'message' | 'event' | 'default';

export declare const PLANTS: Readonly<Record<Plant, (text: string) => string | undefined>>;

export declare function replay(place: Place, recording: Recording): Promise<string[]>;

export declare function searchPlanted(
  reference: Place,
  candidate: Place,
  plant: Plant | undefined,
  options: { readonly seed: number; readonly steps: number; readonly areas: readonly string[] },
): Promise<Found[]>;
