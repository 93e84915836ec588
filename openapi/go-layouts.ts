/** How Go lays out structs. */

/** `[Go name, Go type, name in JSON]`, without the last where its members stand in the parent. */
export type GoField = readonly [goName: string, goType: string, name?: string];

export interface GoLayouts {
  /** By the name that Go prints (`v1.Container`), in the order of the struct. */
  readonly structs: Readonly<Record<string, readonly GoField[]>>;
  /** The types under other named types: `v1.Protocol` → `string`. */
  readonly named: Readonly<Record<string, string>>;
}
