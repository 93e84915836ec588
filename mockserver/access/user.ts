/** A user, as authentication finds it. */
export interface User {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  /** What else is known of the user, by name. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}
