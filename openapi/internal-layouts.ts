/** How Go lays out the structs that a server works with, which its errors print. */

/**
 * `[name shown, Go type, member]`: the name is empty where the members stand in the struct itself; the member is empty for the object itself, `../x` for one of the object
 * above, absent for what no stored version has.
 */
export type InternalField = readonly [shown: string, goType: string, member?: string];

export interface InternalLayouts {
  /** The struct of each kind in its stored version, by `apps/v1 Deployment`. */
  readonly kinds: Readonly<Record<string, string>>;
  /** By name; in the order of the struct. A type with `json:` before it is written as the stored version is. */
  readonly structs: Readonly<Record<string, readonly InternalField[]>>;
}
